package dev.narwhal.iceberg.rowdelete.equality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySpillTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.optional(1, "n", Types.LongType.get()),
          Types.NestedField.optional(2, "s", Types.StringType.get()));

  private final KeyEncoder encoder = new KeyEncoder(SCHEMA, List.of(1, 2));

  private KeyEncoder key(long n) {
    Record record = GenericRecord.create(SCHEMA);
    record.set(0, n % 7 == 0 ? null : n);
    record.set(1, n % 3 == 0 ? null : "s" + n % 50);
    encoder.encode(record);
    return encoder;
  }

  /** What key(n) is the key of. */
  private static String text(long n) {
    return (n % 7 == 0 ? null : n) + "/" + (n % 3 == 0 ? null : n % 50);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 1_000_000})
  void findsEachRowByTheHighestSequenceNumberOfItsKey(long maxKeys) throws IOException {
    Random random = new Random(maxKeys);
    Map<String, Long> highest = new HashMap<>();
    TreeSet<String> expected = new TreeSet<>();
    TreeSet<String> found = new TreeSet<>();
    try (KeySpill spill = new KeySpill(5_000, maxKeys)) {
      for (int i = 0; i < 5_000; i++) {
        long n = random.nextInt(3_000);
        long sequenceNumber = random.nextInt(100);
        highest.merge(text(n), sequenceNumber, Math::max);
        spill.addKey(key(n), sequenceNumber);
      }
      for (int position = 0; position < 5_000; position++) {
        long n = random.nextInt(6_000);
        int file = random.nextInt(3);
        Long sequenceNumber = highest.get(text(n));
        if (sequenceNumber != null) {
          expected.add(file + ":" + position + ":" + sequenceNumber);
        }
        spill.addRow(key(n), file, position);
      }
      spill.join(
          (file, position, sequenceNumber) ->
              found.add(file + ":" + position + ":" + sequenceNumber));
    }
    assertThat(expected).hasSizeGreaterThan(1_000);
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void tableHoldsEachKeyOnce() {
    KeyTable table = new KeyTable();
    for (int round = 0; round < 3; round++) {
      for (long n = 1; n <= 10_000; n++) {
        KeyEncoder key = key(n);
        table.add(key.bytes(), key.length(), round == 1 ? 9 : round);
      }
    }
    TreeSet<String> distinct = new TreeSet<>();
    for (long n = 1; n <= 10_000; n++) {
      distinct.add(text(n));
      KeyEncoder key = key(n);
      assertThat(table.sequenceNumber(key.bytes(), key.length())).isEqualTo(9);
    }
    assertThat(table.size()).isEqualTo(distinct.size());
    KeyEncoder absent = key(20_001);
    assertThat(table.sequenceNumber(absent.bytes(), absent.length())).isEqualTo(-1);
  }

  @Test
  void nullIsNoEmptyTextAndNaNsAreAlike() {
    Schema schema =
        new Schema(
            Types.NestedField.optional(1, "d", Types.DoubleType.get()),
            Types.NestedField.optional(2, "s", Types.StringType.get()));
    assertThat(bytes(schema, Double.NaN, ""))
        .isEqualTo(bytes(schema, Double.longBitsToDouble(0x7ff8_0000_0000_1234L), ""))
        .isNotEqualTo(bytes(schema, Double.NaN, null));
    assertThat(bytes(schema, 0.0, null)).isNotEqualTo(bytes(schema, -0.0, null));
  }

  private static List<Byte> bytes(Schema schema, @Nullable Object... values) {
    KeyEncoder encoder = new KeyEncoder(schema, List.of(1, 2));
    Record record = GenericRecord.create(schema);
    for (int i = 0; i < values.length; i++) {
      record.set(i, values[i]);
    }
    encoder.encode(record);
    List<Byte> bytes = new java.util.ArrayList<>();
    for (int i = 0; i < encoder.length(); i++) {
      bytes.add(encoder.bytes()[i]);
    }
    return bytes;
  }
}
