package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import dev.narwhal.lance.datafile.layout.Encoding;
import dev.narwhal.lance.datafile.layout.Layout;
import dev.narwhal.lance.datafile.layout.LayoutCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Puts each value behind its levels. Source: file format sheet 4.7. */
final class FullZipEncoder {
  private final PageLevels levels;
  private final int repetitionBits;
  private final int definitionBits;
  private final int controlBytes;
  private final GrowingBytes zipped = new GrowingBytes(1 << 12);
  private int[] rowStarts = new int[0];
  private int rows;

  private FullZipEncoder(PageLevels pageLevels) {
    this.levels = pageLevels.forFullZip();
    this.repetitionBits = bits(levels.repetition());
    this.definitionBits = bits(levels.definition());
    int bits = repetitionBits + definitionBits;
    this.controlBytes = bits == 0 ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
  }

  private static int bits(short @org.jspecify.annotations.Nullable [] levels) {
    int any = 0;
    if (levels != null) {
      for (short level : levels) {
        any |= level;
      }
    }
    // a level that is always 0 has a bit too, lest real Lance takes it for missing
    return levels == null ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(any | 1);
  }

  /** One value's bytes, appended to the page. */
  @FunctionalInterface
  private interface Slot {
    void append(int slot);
  }

  /** Values of whole bytes, and lists of such. */
  static EncodedPage fixed(PageLevels levels, LeafValues values) {
    FullZipEncoder encoder = new FullZipEncoder(levels);
    if (values instanceof FixedLeaf fixed) {
      int width = fixed.width();
      byte[] bytes = fixed.bytes().array();
      encoder.zip(true, slot -> encoder.zipped.put(bytes, slot * width, width));
      return encoder.page(new Encoding.Flat(8 * width), OptionalInt.of(8 * width), false);
    }
    ListLeaf lists = (ListLeaf) values;
    List<BitBuffer> validity = new ArrayList<>();
    Encoding encoding = ChunkEncoder.listEncoding(lists, validity);
    FixedLeaf items = (FixedLeaf) lists.leaf();
    int width = Math.multiplyExact(lists.totalDimension(), items.width());
    int[] bits = validity.stream().mapToInt(bitmap -> bitmap.size() / lists.count()).toArray();
    int valueBytes = width;
    for (int count : bits) {
      valueBytes = Math.addExact(valueBytes, (count + 7) / 8);
    }
    byte[] bytes = items.bytes().array();
    encoder.zip(
        true,
        slot -> {
          for (int i = 0; i < bits.length; i++) {
            validity.get(i).copyTo(encoder.zipped, slot * bits[i], bits[i]);
          }
          encoder.zipped.put(bytes, slot * width, width);
        });
    return encoder.page(encoding, OptionalInt.of(Math.multiplyExact(8, valueBytes)), false);
  }

  /**
   * Byte strings.
   *
   * @param longCompressed whether each value is compressed on its own
   */
  static EncodedPage variable(
      PageLevels levels,
      VariableLeaf values,
      EncodingHints hints,
      boolean longCompressed,
      Coders coders) {
    FullZipEncoder encoder = new FullZipEncoder(levels);
    int lengthBytes = values.offsetBits() / 8;
    if (longCompressed || hints.compression().isPresent()) {
      Compression scheme = hints.compression().orElse(Compression.ZSTD);
      GrowingBytes unit = new GrowingBytes();
      int[] offsets = values.offsets();
      encoder.zip(
          false,
          slot -> {
            unit.clear();
            int size = offsets[slot + 1] - offsets[slot];
            if (size > 0) {
              coders.compressor(scheme).compress(values.bytes(), offsets[slot], size, unit);
            }
            encoder.zipped.putWord(unit.size(), lengthBytes);
            encoder.zipped.put(unit);
          });
      Encoding plain = new Encoding.Variable(values.offsetBits());
      return encoder.page(
          new Encoding.General(scheme, plain), OptionalInt.of(values.offsetBits()), true);
    }
    CodedStrings strings = CodedStrings.of(values, hints);
    int[] offsets = strings.offsets();
    encoder.zip(
        false,
        slot -> {
          int size = offsets[slot + 1] - offsets[slot];
          encoder.zipped.putWord(size, lengthBytes);
          encoder.zipped.put(strings.bytes(), offsets[slot], size);
        });
    return encoder.page(strings.encoding(), OptionalInt.of(values.offsetBits()), true);
  }

  /** Packed structs with fields of any width. */
  static EncodedPage packed(PageLevels levels, PackedLeaf values) {
    FullZipEncoder encoder = new FullZipEncoder(levels);
    GrowingBytes row = new GrowingBytes();
    List<Slot> fields = new ArrayList<>();
    List<Encoding.PackedField> encodings = new ArrayList<>();
    for (LeafValues field : values.fields()) {
      if (field instanceof VariableLeaf strings) {
        int lengthBytes = strings.offsetBits() / 8;
        encodings.add(
            new Encoding.PackedField(
                new Encoding.Variable(strings.offsetBits()),
                OptionalInt.empty(),
                OptionalInt.of(lengthBytes)));
        fields.add(
            slot -> {
              int start = strings.offsets()[slot];
              int size = strings.offsets()[slot + 1] - start;
              row.putWord(size, lengthBytes);
              row.put(strings.bytes(), start, size);
            });
      } else {
        int width = PackedFixedRows.widthOf(field);
        byte[] bytes = PackedFixedRows.bytesOf(field);
        Encoding encoding =
            field instanceof ListLeaf lists
                ? ChunkEncoder.listEncoding(lists, new ArrayList<>())
                : new Encoding.Flat(8 * width);
        encodings.add(
            new Encoding.PackedField(encoding, OptionalInt.of(width), OptionalInt.empty()));
        fields.add(slot -> row.put(bytes, slot * width, width));
      }
    }
    encoder.zip(
        false,
        slot -> {
          row.clear();
          fields.forEach(field -> field.append(slot));
          encoder.zipped.putInt(row.size());
          encoder.zipped.put(row);
        });
    return encoder.page(
        new Encoding.VariablePackedStruct(encodings), OptionalInt.of(Integer.SIZE), true);
  }

  /**
   * @param withNulls whether nulls have a value too
   */
  private void zip(boolean withNulls, Slot slots) {
    rowStarts = new int[levels.rows() + 1];
    short[] rep = levels.repetition();
    short[] def = levels.definition();
    int slot = 0;
    int count = levels.count();
    for (int i = 0; i < count; i++) {
      if (levels.startsRow(i)) {
        rowStarts[rows++] = zipped.size();
      }
      if (controlBytes > 0) {
        int word = (rep == null ? 0 : rep[i] << definitionBits) | (def == null ? 0 : def[i]);
        zipped.putWord(word, controlBytes);
      }
      if (levels.isVisible(i)) {
        if (withNulls || levels.isValid(i)) {
          slots.append(slot);
        }
        slot++;
      }
    }
    rowStarts[rows] = zipped.size();
  }

  private EncodedPage page(Encoding encoding, OptionalInt bits, boolean variable) {
    List<ByteBuffer> buffers = new ArrayList<>(List.of(zipped.view()));
    if (variable || levels.repetition() != null) {
      buffers.add(rowIndex());
    }
    Layout layout =
        new Layout.FullZip(
            repetitionBits,
            definitionBits,
            variable ? OptionalInt.empty() : bits,
            variable ? bits : OptionalInt.empty(),
            levels.count(),
            levels.visibleCount(),
            encoding,
            levels.layers());
    return new EncodedPage(levels.rows(), LayoutCodec.encode(layout), buffers);
  }

  /** Where each row starts, and where the last one ends, in words that just hold it. */
  private ByteBuffer rowIndex() {
    int size = zipped.size();
    int width = size <= 0xFF ? 1 : size <= 0xFFFF ? 2 : 4;
    GrowingBytes index = new GrowingBytes((rows + 1) * width);
    for (int i = 0; i <= rows; i++) {
      index.putWord(rowStarts[i], width);
    }
    return index.view();
  }
}
