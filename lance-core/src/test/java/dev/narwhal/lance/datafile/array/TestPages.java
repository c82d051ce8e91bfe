package dev.narwhal.lance.datafile.array;

import static dev.narwhal.lance.datafile.array.Encodings.allNulls;
import static dev.narwhal.lance.datafile.array.Encodings.binary;
import static dev.narwhal.lance.datafile.array.Encodings.bitpacked;
import static dev.narwhal.lance.datafile.array.Encodings.constant;
import static dev.narwhal.lance.datafile.array.Encodings.dictionary;
import static dev.narwhal.lance.datafile.array.Encodings.fixedSizeBinary;
import static dev.narwhal.lance.datafile.array.Encodings.flat;
import static dev.narwhal.lance.datafile.array.Encodings.fsst;
import static dev.narwhal.lance.datafile.array.Encodings.groups;
import static dev.narwhal.lance.datafile.array.Encodings.list;
import static dev.narwhal.lance.datafile.array.Encodings.noNulls;
import static dev.narwhal.lance.datafile.array.Encodings.someNulls;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.narwhal.lance.datafile.codec.BitPacker;
import dev.narwhal.lance.proto.encodings20.ArrayEncoding;
import io.airlift.compress.Compressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.zstd.ZstdCompressor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Pages of every encoding that 2.0 has, also of those that no current writer makes. */
final class TestPages {
  private TestPages() {}

  static Stream<TestPage> all() {
    return Stream.concat(one(), packed());
  }

  /** One page of each encoding. */
  static Stream<TestPage> one() {
    return Stream.of(
        compressed("zstd", new ZstdCompressor()),
        compressed("lz4", new Lz4Compressor()),
        nullableBits(),
        listsOfNullableItems(),
        listsOfNullsOnly(),
        nestedLists(),
        strings(),
        stringsBelowABitmap(),
        compressedStrings(),
        symbols(),
        stringsOfOneLength(),
        dictionaryOf(8),
        dictionaryOf(16),
        dictionaryOf(32),
        constants("int32", constant((byte) 7, (byte) 0, (byte) 0, (byte) 0), "7"),
        constants("bool", constant((byte) 1), "true"),
        constants("string", constant("same".getBytes(US_ASCII)), "same"),
        bitpackedOf("int16", 16, 11, true),
        groupsOf("int64", 64, 40));
  }

  private static Stream<TestPage> packed() {
    List<TestPage> pages = new ArrayList<>();
    for (int bits : new int[] {1, 7, 12, 31, 32}) {
      pages.add(bitpackedOf("int32", 32, bits, true));
      pages.add(bitpackedOf("uint32", 32, bits, false));
      pages.add(groupsOf("uint32", 32, bits));
    }
    pages.add(bitpackedOf("int8", 8, 3, true));
    pages.add(bitpackedOf("int64", 64, 63, true));
    pages.add(bitpackedOf("int64", 64, 64, false));
    pages.add(groupsOf("int16", 16, 0));
    return pages.stream();
  }

  static TestPage named(String name) {
    return all().filter(page -> page.name().equals(name)).findFirst().orElseThrow();
  }

  private static TestPage page(
      String name, String type, ArrayEncoding encoding, List<String> expected, byte[]... buffers) {
    return new TestPage(name, type, encoding.toByteString(), List.of(buffers), expected);
  }

  private static TestPage compressed(String scheme, Compressor compressor) {
    long[] values = LongStream.range(0, 700).map(i -> i / 5 * 3).toArray();
    return page(
        scheme + " of numbers",
        "int32",
        noNulls(flat(32, 0, scheme)),
        LongStream.of(values).mapToObj(Long::toString).toList(),
        unit(compressor, BitPacker.words(values, 0, values.length, 32)));
  }

  private static TestPage nullableBits() {
    return page(
        "nullable bits",
        "bool",
        someNulls(flat(1, 0), flat(1, 1)),
        rows(300, i -> i % 3 == 0 ? "null" : String.valueOf(i % 2 == 0)),
        bits(300, i -> i % 3 != 0),
        bits(300, i -> i % 2 == 0));
  }

  private static TestPage listsOfNullableItems() {
    return page(
        "lists of nullable items",
        "fixed_size_list:int16:3",
        someNulls(flat(1, 0), list(3, someNulls(flat(1, 1), flat(16, 2)))),
        rows(
            100,
            i ->
                i % 7 == 0
                    ? "null"
                    : "[" + item(3 * i) + "," + item(3 * i + 1) + "," + item(3 * i + 2) + "]"),
        bits(100, i -> i % 7 != 0),
        bits(300, i -> i % 5 != 0),
        BitPacker.words(LongStream.range(0, 300).toArray(), 0, 300, 16));
  }

  private static String item(int i) {
    return i % 5 == 0 ? "null" : String.valueOf(i);
  }

  private static TestPage listsOfNullsOnly() {
    return page(
        "lists of nulls only",
        "fixed_size_list:fixed_size_list:int32:2:2",
        someNulls(flat(1, 0), list(2, noNulls(list(2, allNulls())))),
        rows(20, i -> i % 3 == 0 ? "null" : "[[null,null],[null,null]]"),
        bits(20, i -> i % 3 != 0));
  }

  private static TestPage nestedLists() {
    return page(
        "nested lists",
        "fixed_size_list:fixed_size_list:bool:3:2",
        noNulls(list(2, someNulls(flat(1, 0), list(3, someNulls(flat(1, 1), flat(1, 2)))))),
        rows(60, i -> "[" + bools(2 * i) + "," + bools(2 * i + 1) + "]"),
        bits(120, i -> i % 4 != 1),
        bits(360, i -> i % 5 != 0),
        bits(360, i -> i % 2 == 0));
  }

  private static String bools(int list) {
    if (list % 4 == 1) {
      return "null";
    }
    List<String> items = new ArrayList<>();
    for (int i = 3 * list; i < 3 * list + 3; i++) {
      items.add(i % 5 == 0 ? "null" : String.valueOf(i % 2 == 0));
    }
    return "[" + String.join(",", items) + "]";
  }

  private static TestPage strings() {
    Strings strings = new Strings(400);
    return page(
        "strings",
        "string",
        strings.encoding(flat(8, 1)),
        strings.rows,
        strings.ends(),
        strings.bytes());
  }

  private static TestPage stringsBelowABitmap() {
    Strings strings = new Strings(400);
    List<String> expected = new ArrayList<>(strings.rows);
    for (int i = 0; i < 400; i += 11) {
      expected.set(i, "null");
    }
    return page(
        "strings below a bitmap",
        "large_string",
        someNulls(flat(1, 2), strings.encoding(noNulls(flat(8, 1)))),
        expected,
        strings.ends(),
        strings.bytes(),
        bits(400, i -> i % 11 != 0));
  }

  private static TestPage compressedStrings() {
    Strings strings = new Strings(400);
    return page(
        "compressed strings",
        "string",
        strings.encoding(flat(8, 1, "zstd")),
        strings.rows,
        strings.ends(),
        unit(new ZstdCompressor(), strings.bytes()));
  }

  /** Each row is coded as one symbol and one escaped letter. */
  private static TestPage symbols() {
    byte[] table = new byte[2312];
    ByteBuffer out = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 2).put(3, (byte) 1).putInt(4, 0x46535354);
    out.put(8, "http://x".getBytes(US_ASCII)).put(16, "ab".getBytes(US_ASCII));
    out.put(24, new byte[] {8, 2});
    byte[] codes = new byte[300];
    long[] ends = new long[100];
    for (int i = 0; i < 100; i++) {
      codes[3 * i] = (byte) (i % 2);
      codes[3 * i + 1] = (byte) 255;
      codes[3 * i + 2] = (byte) ('a' + i % 26);
      ends[i] = 3L * i + 3 + (i % 9 == 0 ? 301 : 0);
    }
    return page(
        "symbols",
        "string",
        fsst(binary(noNulls(flat(64, 0)), flat(8, 1), 301), table),
        rows(
            100,
            i -> i % 9 == 0 ? "null" : (i % 2 == 0 ? "http://x" : "ab") + (char) ('a' + i % 26)),
        BitPacker.words(ends, 0, 100, 64),
        codes);
  }

  private static TestPage stringsOfOneLength() {
    StringBuilder bytes = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      bytes.append(100 + i);
    }
    return page(
        "strings of one length",
        "string",
        someNulls(flat(1, 0), fixedSizeBinary(3, flat(24, 1))),
        rows(100, i -> i % 4 == 0 ? "null" : String.valueOf(100 + i)),
        bits(100, i -> i % 4 != 0),
        bytes.toString().getBytes(US_ASCII));
  }

  private static TestPage dictionaryOf(int indexBits) {
    long[] indices = LongStream.range(0, 200).map(i -> i % 4).toArray();
    return page(
        "dictionary of " + indexBits,
        "string",
        dictionary(noNulls(flat(indexBits, 0)), binary(noNulls(flat(64, 1)), flat(8, 2), 7), 3),
        rows(200, i -> List.of("null", "one", "", "two").get(i % 4)),
        BitPacker.words(indices, 0, 200, indexBits),
        BitPacker.words(new long[] {3, 3, 6}, 0, 3, 64),
        "onetwo".getBytes(US_ASCII));
  }

  private static TestPage constants(String type, ArrayEncoding constant, String value) {
    return page(
        "constant " + type,
        type,
        someNulls(flat(1, 0), constant),
        rows(50, i -> i == 7 ? "null" : value),
        bits(50, i -> i != 7));
  }

  private static TestPage bitpackedOf(String type, int valueBits, int bits, boolean signed) {
    int count = 150;
    Random random = new Random(bits);
    byte[] packed = new byte[(count * bits + 7) / 8];
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long value = random.nextLong() & BitPacker.mask(bits);
      for (int b = 0; b < bits; b++) {
        int at = i * bits + b;
        packed[at / 8] |= (byte) ((value >>> b & 1) << at % 8);
      }
      boolean negative = signed && (value >>> (bits - 1) & 1) == 1;
      expected.add(text(type, negative ? value | ~BitPacker.mask(bits) : value));
    }
    return page(
        type + " bit-packed to " + bits + (signed ? ", signed" : ""),
        type,
        noNulls(bitpacked(bits, valueBits, signed, 0)),
        expected,
        packed);
  }

  private static TestPage groupsOf(String type, int valueBits, int bits) {
    int count = 2500;
    Random random = new Random(bits);
    long[] values = new long[count];
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      values[i] = random.nextLong() & BitPacker.mask(bits);
      expected.add(text(type, values[i]));
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (int from = 0; from < count; from += 1024) {
      packed.writeBytes(
          BitPacker.group(values, from, Math.min(1024, count - from), valueBits, bits));
    }
    return page(
        type + " in groups of " + bits,
        type,
        someNulls(flat(1, 1), groups(bits, valueBits, 0)),
        rows(count, i -> i % 10 == 0 ? "null" : expected.get(i)),
        packed.toByteArray(),
        bits(count, i -> i % 10 != 0));
  }

  /** Arrow shows an unsigned 32-bit value as the signed one. */
  private static String text(String type, long value) {
    return type.equals("uint32") ? String.valueOf((int) value) : String.valueOf(value);
  }

  private static byte[] unit(Compressor compressor, byte[] content) {
    byte[] packed = new byte[compressor.maxCompressedLength(content.length)];
    int length = compressor.compress(content, 0, content.length, packed, 0, packed.length);
    ByteBuffer unit = ByteBuffer.allocate(8 + length).order(ByteOrder.LITTLE_ENDIAN);
    if (compressor instanceof Lz4Compressor) {
      unit.putInt(content.length);
    } else {
      unit.putLong(content.length);
    }
    byte[] bytes = new byte[unit.put(packed, 0, length).flip().limit()];
    unit.get(bytes);
    return bytes;
  }

  private static byte[] bits(int count, IntPredicate isSet) {
    byte[] bits = new byte[(count + 7) / 8];
    for (int i = 0; i < count; i++) {
      bits[i / 8] |= (byte) ((isSet.test(i) ? 1 : 0) << i % 8);
    }
    return bits;
  }

  private static List<String> rows(int count, IntFunction<String> row) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row.apply(i));
    }
    return rows;
  }

  /** Strings of many lengths, some empty, some null. */
  private static final class Strings {
    private final List<String> rows;
    private final long total;

    Strings(int count) {
      rows = rows(count, i -> i % 13 == 5 ? "null" : "s".repeat(i % 4) + (i % 3 == 0 ? i : ""));
      total = bytes().length;
    }

    ArrayEncoding encoding(ArrayEncoding bytes) {
      return binary(noNulls(flat(64, 0)), bytes, total + 1);
    }

    byte[] ends() {
      long[] ends = new long[rows.size()];
      long end = 0;
      for (int i = 0; i < ends.length; i++) {
        boolean isNull = rows.get(i).equals("null");
        end += isNull ? 0 : rows.get(i).length();
        ends[i] = isNull ? end + total + 1 : end;
      }
      return BitPacker.words(ends, 0, ends.length, 64);
    }

    byte[] bytes() {
      return String.join("", rows.stream().filter(row -> !row.equals("null")).toList())
          .getBytes(US_ASCII);
    }
  }
}
