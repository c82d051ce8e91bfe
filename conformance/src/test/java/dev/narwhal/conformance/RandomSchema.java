package dev.narwhal.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ArrowType.ArrowTypeID;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Schemas of random nesting, out of what a data storage version can store. */
final class RandomSchema {
  private static final int MAX_DEPTH = 4;

  private final Random random;
  private final boolean newest;
  private final boolean dictionaryColumns;
  private long dictionaries;
  private final List<ArrowType> leaves;

  private RandomSchema(String version, Random random, boolean dictionaryColumns) {
    this.dictionaryColumns = dictionaryColumns;
    this.random = random;
    this.newest = version.equals("2.2");
    this.leaves =
        PrimitiveTypes.fields(true).stream()
            .map(Field::getType)
            .filter(type -> type.getTypeID() != ArrowTypeID.FixedSizeList)
            .toList();
  }

  /** One to five columns, which nest up to four deep. */
  static Schema of(String version, Random random) {
    return new RandomSchema(version, random, false).schema();
  }

  /** The same, with columns and fields of dictionary-encoded strings among them. */
  static Schema withDictionaries(String version, Random random) {
    return new RandomSchema(version, random, true).schema();
  }

  private Schema schema() {
    List<Field> fields = new ArrayList<>();
    int columns = 1 + random.nextInt(5);
    for (int i = 0; i < columns; i++) {
      fields.add(column("c" + i));
    }
    return new Schema(fields);
  }

  private Field column(String name) {
    // real Lance 7.0.0 ends the process on such lists below lists
    return newest && random.nextInt(8) == 0
        ? nested(name, new ArrowType.FixedSizeList(size()), struct("item", 2, true))
        : field(name, 1 + random.nextInt(MAX_DEPTH));
  }

  private Field field(String name, int depth) {
    if (depth <= 1) {
      return leaf(name);
    }
    return switch (random.nextInt(newest ? 6 : 5)) {
      case 0, 1 -> struct(name, depth, nullable());
      case 2 -> nested(name, new ArrowType.List(), field("item", depth - 1));
      case 3 -> nested(name, new ArrowType.LargeList(), field("item", depth - 1));
      case 4 -> fixedSizeList(name, depth);
      default -> nested(name, new ArrowType.Map(false), entries(depth));
    };
  }

  private Field leaf(String name) {
    if (dictionaryColumns && random.nextInt(12) == 0) {
      return dictionary(name);
    }
    ArrowType type =
        random.nextInt(25) == 0 ? new ArrowType.Null() : leaves.get(random.nextInt(leaves.size()));
    boolean nullable = type.getTypeID() == ArrowTypeID.Null || nullable();
    return new Field(name, new FieldType(nullable, type, null, metadata()), null);
  }

  /** Strings behind indices. */
  private Field dictionary(String name) {
    ArrowType.Int indices = new ArrowType.Int(random.nextBoolean() ? 8 : 32, true);
    DictionaryEncoding encoding = new DictionaryEncoding(dictionaries++, false, indices);
    return new Field(name, new FieldType(true, new ArrowType.Utf8(), encoding), null);
  }

  private Field struct(String name, int depth, boolean nullable) {
    int children = 1 + random.nextInt(3);
    List<Field> fields =
        Stream.iterate(0, i -> i + 1)
            .limit(children)
            .map(i -> field("f" + i, 1 + random.nextInt(Math.max(1, depth - 1))))
            .toList();
    return new Field(name, new FieldType(nullable, new ArrowType.Struct(), null), fields);
  }

  private Field nested(String name, ArrowType type, Field child) {
    return new Field(name, new FieldType(nullable(), type, null), List.of(child));
  }

  /** Items of one width, or again lists of such. */
  private Field fixedSizeList(String name, int depth) {
    if (depth > 2 && random.nextInt(3) == 0) {
      return nested(name, new ArrowType.FixedSizeList(size()), fixedSizeList("item", depth - 1));
    }
    List<ArrowType> fixed =
        leaves.stream()
            .filter(
                type ->
                    switch (type.getTypeID()) {
                      case Utf8, LargeUtf8, Binary, LargeBinary -> false;
                      default -> true;
                    })
            .toList();
    ArrowType item = fixed.get(random.nextInt(fixed.size()));
    return nested(
        name,
        new ArrowType.FixedSizeList(random.nextInt(8) == 0 ? 96 : size()),
        new Field("item", new FieldType(true, item, null), null));
  }

  private Field entries(int depth) {
    ArrowType key = random.nextBoolean() ? new ArrowType.Utf8() : new ArrowType.Int(32, true);
    return new Field(
        "entries",
        new FieldType(false, new ArrowType.Struct(), null),
        List.of(
            new Field("key", new FieldType(false, key, null), null),
            field("value", Math.max(1, depth - 2))));
  }

  private Map<String, String> metadata() {
    return switch (random.nextInt(10)) {
      case 0 -> Map.of("lance-encoding:compression", "zstd");
      case 1 -> Map.of("lance-encoding:compression", "lz4");
      default -> Map.of();
    };
  }

  private boolean nullable() {
    return random.nextInt(5) != 0;
  }

  private int size() {
    return 1 + random.nextInt(4);
  }
}
