package dev.narwhal.cli.rows;

import com.fasterxml.jackson.core.io.SerializedString;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.util.List;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;

/** Chooses, once per column of a batch, how its values are written. */
final class Cells {
  private static final SerializedString KEY = new SerializedString("key");
  private static final SerializedString VALUE = new SerializedString("value");

  private final DictionaryProvider dictionaries;

  Cells(DictionaryProvider dictionaries) {
    this.dictionaries = dictionaries;
  }

  /** One cell per column, valid as long as the batch is not changed. */
  Cell[] of(VectorSchemaRoot batch) {
    List<FieldVector> vectors = batch.getFieldVectors();
    Cell[] cells = new Cell[vectors.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = of(vectors.get(i));
    }
    return cells;
  }

  /** Whether values of the column are lists or objects, seen through its dictionary. */
  boolean isNested(FieldVector vector) {
    DictionaryEncoding encoding = vector.getField().getDictionary();
    MinorType type =
        encoding == null
            ? storage(vector).getMinorType()
            : dictionary(encoding, vector.getName()).getVector().getMinorType();
    return switch (type) {
      case STRUCT, LIST, LARGELIST, FIXED_SIZE_LIST, MAP -> true;
      default -> false;
    };
  }

  /** A null anywhere is written as nothing; below a null parent no child is looked at. */
  Cell of(ValueVector column) {
    DictionaryEncoding encoding = column.getField().getDictionary();
    ValueVector vector = storage(column);
    Cell present = encoding == null ? present(vector) : encoded(vector, encoding);
    if (vector.getNullCount() == 0) {
      return present;
    }
    return (row, out) -> {
      if (vector.isNull(row)) {
        out.nothing();
      } else {
        present.write(row, out);
      }
    };
  }

  private Cell present(ValueVector vector) {
    return switch (vector.getMinorType()) {
      case STRUCT -> struct((StructVector) vector);
      case LIST -> list((ListVector) vector);
      case LARGELIST -> list((LargeListVector) vector);
      case FIXED_SIZE_LIST -> list((FixedSizeListVector) vector);
      case MAP -> map((MapVector) vector);
      case DATEDAY,
          DATEMILLI,
          TIMESEC,
          TIMEMILLI,
          TIMEMICRO,
          TIMENANO,
          TIMESTAMPSEC,
          TIMESTAMPMILLI,
          TIMESTAMPMICRO,
          TIMESTAMPNANO,
          TIMESTAMPSECTZ,
          TIMESTAMPMILLITZ,
          TIMESTAMPMICROTZ,
          TIMESTAMPNANOTZ,
          DURATION,
          INTERVALYEAR,
          INTERVALDAY,
          INTERVALMONTHDAYNANO ->
          TemporalCells.of(vector);
      case NULL,
          BIT,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          UINT1,
          UINT2,
          UINT4,
          UINT8,
          FLOAT2,
          FLOAT4,
          FLOAT8,
          DECIMAL,
          DECIMAL256,
          VARCHAR,
          LARGEVARCHAR,
          VIEWVARCHAR,
          VARBINARY,
          LARGEVARBINARY,
          VIEWVARBINARY,
          FIXEDSIZEBINARY ->
          ScalarCells.of(vector);
      case EXTENSIONTYPE, LISTVIEW, LARGELISTVIEW, UNION, DENSEUNION, RUNENDENCODED ->
          throw new UnsupportedFeatureException(
              "column "
                  + vector.getName()
                  + " of Arrow type "
                  + vector.getField().getType()
                  + " cannot be printed; leave it out with --columns");
    };
  }

  private Cell encoded(ValueVector indices, DictionaryEncoding encoding) {
    BaseIntVector keys = (BaseIntVector) indices;
    FieldVector values = dictionary(encoding, indices.getName()).getVector();
    Cell value = of(values);
    int size = values.getValueCount();
    return (row, out) -> {
      long key = keys.getValueAsLong(row);
      if (key < 0 || key >= size) {
        throw new IndexOutOfBoundsException(
            "column " + indices.getName() + ": key " + key + " of a dictionary of " + size);
      }
      value.write((int) key, out);
    };
  }

  private Dictionary dictionary(DictionaryEncoding encoding, String column) {
    Dictionary dictionary = dictionaries.lookup(encoding.getId());
    if (dictionary == null) {
      throw new IllegalStateException(
          "column " + column + ": no dictionary with id " + encoding.getId());
    }
    return dictionary;
  }

  private Cell struct(StructVector vector) {
    List<FieldVector> children = vector.getChildrenFromFields();
    SerializedString[] names = new SerializedString[children.size()];
    Cell[] cells = new Cell[children.size()];
    for (int i = 0; i < cells.length; i++) {
      names[i] = new SerializedString(children.get(i).getName());
      cells[i] = of(children.get(i));
    }
    return (row, out) -> {
      out.startObject();
      for (int i = 0; i < cells.length; i++) {
        out.name(names[i]);
        cells[i].write(row, out);
      }
      out.endObject();
    };
  }

  private Cell list(ListVector vector) {
    Cell item = of(vector.getDataVector());
    return (row, out) ->
        items(item, vector.getElementStartIndex(row), vector.getElementEndIndex(row), out);
  }

  private Cell list(LargeListVector vector) {
    Cell item = of(vector.getDataVector());
    return (row, out) ->
        items(
            item,
            Math.toIntExact(vector.getElementStartIndex(row)),
            Math.toIntExact(vector.getElementEndIndex(row)),
            out);
  }

  private Cell list(FixedSizeListVector vector) {
    Cell item = of(vector.getDataVector());
    int size = vector.getListSize();
    return (row, out) -> items(item, row * size, (row + 1) * size, out);
  }

  private static void items(Cell item, int start, int endExclusive, ValueWriter out)
      throws java.io.IOException {
    out.startList();
    for (int i = start; i < endExclusive; i++) {
      item.write(i, out);
    }
    out.endList();
  }

  private Cell map(MapVector vector) {
    List<FieldVector> entry = ((StructVector) vector.getDataVector()).getChildrenFromFields();
    Cell key = of(entry.get(0));
    Cell value = of(entry.get(1));
    return (row, out) -> {
      out.startList();
      int end = vector.getElementEndIndex(row);
      for (int i = vector.getElementStartIndex(row); i < end; i++) {
        out.startObject();
        out.name(KEY);
        key.write(i, out);
        out.name(VALUE);
        value.write(i, out);
        out.endObject();
      }
      out.endList();
    };
  }

  private static ValueVector storage(ValueVector vector) {
    return vector instanceof ExtensionTypeVector<?> extension
        ? extension.getUnderlyingVector()
        : vector;
  }
}
