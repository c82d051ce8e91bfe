package dev.narwhal.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.narwhal.conformance.RandomColumns.Nulls;
import dev.narwhal.conformance.RandomColumns.Shape;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Fields that Lance stores in ways of their own, and random values for them. */
final class SpecialColumns {
  private static final Map<String, String> PACKED = Map.of("lance-encoding:packed", "true");

  private SpecialColumns() {}

  static Field nullable(String name, ArrowType type, Map<String, String> metadata, Field... below) {
    return new Field(name, new FieldType(true, type, null, metadata), List.of(below));
  }

  static Field required(String name, ArrowType type, Field... below) {
    return new Field(name, FieldType.notNullable(type), List.of(below));
  }

  /** A column of values behind a dictionary. */
  static Field dictionary(String name, long id, ArrowType values, int indexBits) {
    DictionaryEncoding encoding =
        new DictionaryEncoding(id, false, new ArrowType.Int(indexBits, true));
    return new Field(name, new FieldType(true, values, encoding, Map.of()), List.of());
  }

  static Field json(String name) {
    return nullable(name, new ArrowType.Utf8(), Map.of("ARROW:extension:name", "arrow.json"));
  }

  static Field bfloat16(String name, int dimension) {
    Map<String, String> metadata = Map.of("ARROW:extension:name", "lance.bfloat16");
    return nullable(
        name,
        new ArrowType.FixedSizeList(dimension),
        Map.of(),
        nullable("item", new ArrowType.FixedSizeBinary(2), metadata));
  }

  /** A blob column of the first kind. */
  static Field blob(String name) {
    return nullable(name, new ArrowType.LargeBinary(), Map.of("lance-encoding:blob", "true"));
  }

  /** A blob column of the second kind. */
  static Field blobV2(String name) {
    return nullable(
        name,
        new ArrowType.Struct(),
        Map.of("ARROW:extension:name", "lance.blob.v2"),
        nullable("data", new ArrowType.LargeBinary(), Map.of()),
        nullable("uri", new ArrowType.Utf8(), Map.of()));
  }

  /** A packed struct of fields of fixed width. */
  static Field packed(String name) {
    return nullable(
        name,
        new ArrowType.Struct(),
        PACKED,
        required("i8", new ArrowType.Int(8, true)),
        required("i64", new ArrowType.Int(64, true)),
        required("f32", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
        required("fsb", new ArrowType.FixedSizeBinary(3)),
        required("dec", new ArrowType.Decimal(20, 3, 128)),
        required("u16", new ArrowType.Int(16, false)));
  }

  /** A packed struct with a fixed-size list, and byte strings if they are wanted. */
  static Field packedWithLists(String name) {
    return nullable(
        name,
        new ArrowType.Struct(),
        PACKED,
        required("i32", new ArrowType.Int(32, true)),
        required(
            "v",
            new ArrowType.FixedSizeList(3),
            required("item", new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE))),
        required("i16", new ArrowType.Int(16, true)));
  }

  /** A packed struct with byte strings, which 2.2 has. */
  static Field packedWithStrings(String name) {
    return nullable(
        name,
        new ArrowType.Struct(),
        PACKED,
        required("s", new ArrowType.Utf8()),
        required("i32", new ArrowType.Int(32, true)),
        required("b", new ArrowType.LargeBinary()));
  }

  /** Allocates and fills structs and what is below them; fields that cannot be null are not. */
  static void fillStruct(StructVector structs, int rows, Nulls nulls, long seed) {
    for (FieldVector child : structs.getChildrenFromFields()) {
      if (child instanceof StructVector below) {
        fillStruct(below, rows, nulls, seed);
      } else if (child.getField().getMetadata().containsKey("lance-encoding:blob")) {
        fillBlobs((LargeVarBinaryVector) child, rows, nulls, seed);
      } else {
        RandomColumns.fill(child, rows, Shape.UNIFORM, nulls, seed);
      }
    }
    Random random = new Random(seed ^ structs.getName().hashCode());
    for (int row = 0; row < rows; row++) {
      if (isNull(structs.getField(), nulls, random)) {
        structs.setNull(row);
      } else {
        structs.setIndexDefined(row);
      }
    }
    structs.setValueCount(rows);
  }

  /** Lists of 0 to 4 structs. */
  static void fillLists(ListVector lists, int rows, Nulls nulls, long seed) {
    Random random = new Random(seed);
    lists.allocateNew();
    int items = 0;
    for (int row = 0; row < rows; row++) {
      if (isNull(lists.getField(), nulls, random)) {
        lists.setNull(row);
      } else {
        int size = random.nextInt(5);
        lists.startNewValue(row);
        lists.endValue(row, size);
        items += size;
      }
    }
    fillStruct((StructVector) lists.getDataVector(), items, nulls, seed);
    lists.setLastSet(rows - 1);
    lists.setValueCount(rows);
    lists.getDataVector().setValueCount(items);
  }

  /** Indices of random entries of a dictionary of {@code size}. */
  static void fillIndices(FieldVector indices, int rows, int size, Nulls nulls, long seed) {
    Random random = new Random(seed ^ indices.getName().hashCode());
    indices.setInitialCapacity(rows);
    indices.allocateNew();
    for (int row = 0; row < rows; row++) {
      if (isNull(indices.getField(), nulls, random)) {
        indices.setNull(row);
      } else {
        ((BaseIntVector) indices).setWithPossibleTruncate(row, random.nextInt(size));
      }
    }
    indices.setValueCount(rows);
  }

  /** Blobs of 0 to 3,000 bytes, a tenth of them empty. */
  static void fillBlobs(LargeVarBinaryVector blobs, int rows, Nulls nulls, long seed) {
    Random random = new Random(seed ^ blobs.getName().hashCode());
    blobs.allocateNew();
    for (int row = 0; row < rows; row++) {
      if (isNull(blobs.getField(), nulls, random)) {
        blobs.setNull(row);
      } else {
        blobs.setSafe(row, bytes(random, random.nextInt(10) == 0 ? 0 : random.nextInt(3000)));
      }
    }
    blobs.setValueCount(rows);
  }

  /** Blobs of every storage kind that has a file in the dataset. */
  static void fillBlobsV2(StructVector blobs, int rows, Nulls nulls, long seed) {
    Random random = new Random(seed ^ blobs.getName().hashCode());
    LargeVarBinaryVector data = (LargeVarBinaryVector) blobs.getChild("data");
    VarCharVector uris = (VarCharVector) blobs.getChild("uri");
    blobs.allocateNew();
    for (int row = 0; row < rows; row++) {
      uris.setNull(row);
      if (isNull(blobs.getField(), nulls, random)) {
        blobs.setNull(row);
        data.setNull(row);
      } else {
        blobs.setIndexDefined(row);
        int large = random.nextInt(40);
        int size = large == 0 ? 4_500_000 : large < 4 ? 70_000 : random.nextInt(2000);
        data.setSafe(row, bytes(random, size + 1));
      }
    }
    data.setValueCount(rows);
    uris.setValueCount(rows);
    blobs.setValueCount(rows);
  }

  static void fillJson(VarCharVector documents, int rows, Nulls nulls, long seed) {
    Random random = new Random(seed ^ documents.getName().hashCode());
    documents.allocateNew();
    for (int row = 0; row < rows; row++) {
      if (isNull(documents.getField(), nulls, random)) {
        documents.setNull(row);
      } else {
        documents.setSafe(row, document(random, 0).getBytes(UTF_8));
      }
    }
    documents.setValueCount(rows);
  }

  private static String document(Random random, int depth) {
    return switch (random.nextInt(depth > 3 ? 6 : 9)) {
      case 0 -> random.nextBoolean() ? "true" : "false";
      case 1 -> "null";
      case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
      case 3 -> Long.toUnsignedString(random.nextLong());
      case 4 -> number(random);
      case 5 -> "\"" + TEXTS.get(random.nextInt(TEXTS.size())) + random.nextInt(99) + "\"";
      case 6, 7 -> {
        StringBuilder object = new StringBuilder("{");
        int size = random.nextInt(5);
        for (int i = 0; i < size; i++) {
          object.append(i == 0 ? "" : ", ").append("\"").append((char) ('z' - i)).append(i);
          object.append("\" : ").append(document(random, depth + 1));
        }
        yield object.append("}").toString();
      }
      default -> {
        StringBuilder array = new StringBuilder("[");
        int size = random.nextInt(5);
        for (int i = 0; i < size; i++) {
          array.append(i == 0 ? "" : ",").append(document(random, depth + 1));
        }
        yield array.append("]").toString();
      }
    };
  }

  private static final List<String> TEXTS =
      List.of("", "plain", "\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u007f", "é\\u2028\\ud83d\\ude00 z");

  /** Of any magnitude, with few digits or all. */
  private static String number(Random random) {
    if (random.nextInt(3) == 0) {
      return random.nextInt(2000) - 1000 + "." + random.nextInt(1000);
    }
    double value = Double.longBitsToDouble(random.nextLong());
    if (!Double.isFinite(value)) {
      return "-0.0";
    }
    return random.nextBoolean() ? Double.toString(value) : Double.toString(value % 1e18);
  }

  private static boolean isNull(Field field, Nulls nulls, Random random) {
    return field.isNullable()
        && (nulls == Nulls.ALL || (nulls != Nulls.NONE && random.nextInt(5) == 0));
  }

  private static byte[] bytes(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }
}
