package dev.narwhal.lance.datafile.page;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.FieldTree;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** What one value of a leaf column looks like in Arrow memory. */
public sealed interface ValueShape {
  /** Only nulls, no bytes. */
  record Nothing() implements ValueShape {}

  /** One bit. */
  record Bit() implements ValueShape {}

  /**
   * A fixed number of bytes.
   *
   * @param widthBytes {@code >= 1}
   */
  record FixedWidth(int widthBytes) implements ValueShape {}

  /**
   * Any number of bytes behind offsets.
   *
   * @param offsetBits width of the offsets, 32 or 64
   * @param content what the stored bytes are
   */
  record Variable(int offsetBits, Content content) implements ValueShape {
    /** Bytes that Arrow has as they are stored. */
    public Variable(int offsetBits) {
      this(offsetBits, Content.BYTES);
    }
  }

  /** What stored byte strings become. */
  enum Content {
    /** The same bytes. */
    BYTES,
    /** JSONB, which becomes JSON text behind 32-bit offsets. */
    JSONB
  }

  /**
   * A fixed number of items.
   *
   * @param dimension {@code >= 1}
   * @param item Bit, FixedWidth or again FixedList
   */
  record FixedList(int dimension, ValueShape item) implements ValueShape {}

  /**
   * A struct whose fields lie side by side in one column.
   *
   * @param fields at least one
   */
  record Packed(List<ValueShape> fields) implements ValueShape {
    public Packed {
      fields = List.copyOf(fields);
      if (fields.isEmpty()) {
        throw new IllegalArgumentException("a packed struct needs fields");
      }
    }
  }

  /**
   * The shape of a field with one column; types with columns of their own below them are an
   * UnsupportedFeatureException.
   *
   * @param arrow the field as it is read, blobs as descriptors
   */
  static ValueShape of(FieldTree tree, Field arrow) {
    if (tree.field().logicalType().equals("json")) {
      return new Variable(Long.SIZE, Content.JSONB);
    }
    if (tree.field().isBlob()) {
      return new Packed(arrow.getChildren().stream().map(ValueShape::of).toList());
    }
    if (tree.field().isPacked() && !tree.isLeaf()) {
      List<ValueShape> fields = new ArrayList<>();
      for (int i = 0; i < tree.children().size(); i++) {
        fields.add(of(tree.children().get(i), arrow.getChildren().get(i)));
      }
      return new Packed(fields);
    }
    return of(arrow);
  }

  /** The shape of a leaf; types with structure of their own are an UnsupportedFeatureException. */
  static ValueShape of(Field field) {
    ArrowType type = field.getType();
    return switch (type.getTypeID()) {
      case Null -> new Nothing();
      case Bool -> new Bit();
      case Int -> new FixedWidth(((ArrowType.Int) type).getBitWidth() / 8);
      case FloatingPoint -> new FixedWidth(width(((ArrowType.FloatingPoint) type).getPrecision()));
      case Decimal -> new FixedWidth(((ArrowType.Decimal) type).getBitWidth() / 8);
      case Date ->
          new FixedWidth(
              switch (((ArrowType.Date) type).getUnit()) {
                case DAY -> 4;
                case MILLISECOND -> 8;
              });
      case Time -> new FixedWidth(((ArrowType.Time) type).getBitWidth() / 8);
      case Timestamp, Duration -> new FixedWidth(8);
      case FixedSizeBinary -> new FixedWidth(((ArrowType.FixedSizeBinary) type).getByteWidth());
      case Utf8, Binary -> new Variable(32);
      case LargeUtf8, LargeBinary -> new Variable(64);
      case FixedSizeList -> list(field, ((ArrowType.FixedSizeList) type).getListSize());
      case Struct,
          List,
          LargeList,
          Union,
          Map,
          Interval,
          BinaryView,
          Utf8View,
          ListView,
          LargeListView,
          RunEndEncoded,
          NONE ->
          throw new UnsupportedFeatureException(
              "columns of type " + type + " are not supported yet");
    };
  }

  private static ValueShape list(Field field, int dimension) {
    ValueShape item = of(field.getChildren().get(0));
    if (item instanceof Bit || item instanceof FixedWidth || item instanceof FixedList) {
      return new FixedList(dimension, item);
    }
    throw new UnsupportedFeatureException(
        "fixed-size lists of " + field.getChildren().get(0).getType() + " are not supported");
  }

  private static int width(FloatingPointPrecision precision) {
    return switch (precision) {
      case HALF -> 2;
      case SINGLE -> 4;
      case DOUBLE -> 8;
    };
  }
}
