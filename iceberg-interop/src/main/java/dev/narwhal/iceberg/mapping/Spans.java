package dev.narwhal.iceberg.mapping;

import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;

/** Which elements of the data vector belong to a row of a list or map vector. */
interface Spans {
  /** The spans before the first batch. */
  Spans NONE =
      new Spans() {
        @Override
        public int start(int row) {
          return 0;
        }

        @Override
        public int end(int row) {
          return 0;
        }
      };

  int start(int row);

  /** After the last. */
  int end(int row);

  static Spans of(ListVector lists) {
    return new Spans() {
      @Override
      public int start(int row) {
        return lists.getElementStartIndex(row);
      }

      @Override
      public int end(int row) {
        return lists.getElementEndIndex(row);
      }
    };
  }

  /** Vectors have at most 2^31-1 values, also the data vector of a large list. */
  static Spans of(LargeListVector lists) {
    return new Spans() {
      @Override
      public int start(int row) {
        return Math.toIntExact(lists.getElementStartIndex(row));
      }

      @Override
      public int end(int row) {
        return Math.toIntExact(lists.getElementEndIndex(row));
      }
    };
  }

  static Spans of(FixedSizeListVector lists) {
    int size = lists.getListSize();
    return new Spans() {
      @Override
      public int start(int row) {
        return row * size;
      }

      @Override
      public int end(int row) {
        return (row + 1) * size;
      }
    };
  }

  /** The spans of any vector of lists or maps. */
  static Spans of(FieldVector vector, Column column) {
    if (vector instanceof ListVector lists) {
      return of(lists);
    }
    if (vector instanceof LargeListVector lists) {
      return of(lists);
    }
    if (vector instanceof FixedSizeListVector lists) {
      return of(lists);
    }
    throw column.unexpected(vector);
  }
}
