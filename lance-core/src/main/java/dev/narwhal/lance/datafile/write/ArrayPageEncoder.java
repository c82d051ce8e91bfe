package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.array.ArrayNode;
import dev.narwhal.lance.datafile.array.ArrayNodeCodec;
import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.GrowingBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Encodes pages of values of 2.0. Source: file format sheet 2.1 to 2.8. */
final class ArrayPageEncoder {
  private static final int LEAST_DICTIONARY_ROWS = 100;
  private static final int MOST_DICTIONARY_ITEMS = 99;

  private final String name;
  private final EncodingHints hints;
  private final Coders coders = new Coders();

  /**
   * @param name of the column, for messages
   */
  ArrayPageEncoder(String name, EncodingHints hints) {
    this.name = name;
    this.hints = hints;
  }

  /** The buffers of a page, in the order in which the tree of encodings names them. */
  private static final class Buffers {
    private final List<ByteBuffer> buffers = new ArrayList<>();

    int add(ByteBuffer buffer) {
      buffers.add(buffer);
      return buffers.size() - 1;
    }

    ArrayNode flat(int bits, ByteBuffer buffer) {
      return new ArrayNode.Flat(bits, add(buffer), Optional.empty());
    }
  }

  /**
   * A page of all values.
   *
   * @param valid which of them are not null; at least one value
   */
  EncodedPage encode(LeafValues values, BitBuffer valid) {
    Buffers buffers = new Buffers();
    ArrayNode node = node(values, valid, buffers);
    return new EncodedPage(valid.size(), ArrayNodeCodec.encode(node), buffers.buffers);
  }

  private ArrayNode node(LeafValues values, BitBuffer valid, Buffers buffers) {
    if (values instanceof DictionaryLeaf dictionary) {
      return dictionary(dictionary, valid, buffers);
    }
    if (values instanceof VariableLeaf strings) {
      return strings(strings, valid, buffers);
    }
    if (valid.ones() == 0) {
      return new ArrayNode.AllNulls();
    }
    if (values instanceof PackedLeaf packed) {
      return packed(packed, valid, buffers);
    }
    if (valid.allOnes()) {
      return new ArrayNode.NoNulls(plain(values, buffers));
    }
    ArrayNode validity = buffers.flat(1, bits(valid));
    return new ArrayNode.SomeNulls(validity, plain(values, buffers));
  }

  private ArrayNode plain(LeafValues values, Buffers buffers) {
    if (values instanceof FixedLeaf fixed) {
      return buffers.flat(8 * fixed.width(), copy(fixed.bytes()));
    }
    if (values instanceof BitLeaf booleans) {
      return buffers.flat(1, bits(booleans.bits()));
    }
    ListLeaf lists = (ListLeaf) values;
    ArrayNode items = node(lists.items(), lists.validItems(), buffers);
    return new ArrayNode.FixedSizeList(lists.dimension(), items, false);
  }

  private static ByteBuffer bits(BitBuffer bits) {
    GrowingBytes bytes = new GrowingBytes();
    bits.copyTo(bytes, 0, bits.size());
    return bytes.view();
  }

  /** The memory of values is used again for the next page. */
  private static ByteBuffer copy(GrowingBytes source) {
    GrowingBytes bytes = new GrowingBytes(source.size());
    bytes.put(source);
    return bytes.view();
  }

  private ArrayNode strings(VariableLeaf values, BitBuffer valid, Buffers buffers) {
    if (values.offsetBits() == Integer.SIZE
        && values.isText()
        && valid.ones() > 0
        && hints.compression().isEmpty()
        && values.count() >= LEAST_DICTIONARY_ROWS) {
      Optional<ValueDictionary> dictionary =
          ValueDictionary.of(PageLevels.flat(valid), values, false);
      if (dictionary.isPresent() && dictionary.get().items().count() <= MOST_DICTIONARY_ITEMS) {
        return dictionary(dictionary.get(), valid, buffers);
      }
    }
    return binary(values, valid, hints.compression(), buffers);
  }

  /** Index 0 is null, k is item k - 1. */
  private ArrayNode dictionary(ValueDictionary dictionary, BitBuffer valid, Buffers buffers) {
    GrowingBytes indices = new GrowingBytes(valid.size());
    for (int i = 0; i < valid.size(); i++) {
      int index = dictionary.indices().bytes().intAt(i * Integer.BYTES);
      indices.put(valid.get(i) ? index + 1 : 0);
    }
    ArrayNode flat = new ArrayNode.NoNulls(buffers.flat(Byte.SIZE, indices.view()));
    VariableLeaf items = (VariableLeaf) dictionary.items();
    BitBuffer all = new BitBuffer();
    all.fill(true, items.count());
    return new ArrayNode.Dictionary(
        flat, binary(items, all, Optional.empty(), buffers), items.count());
  }

  private ArrayNode binary(
      VariableLeaf values, BitBuffer valid, Optional<Compression> compression, Buffers buffers) {
    int count = values.count();
    int[] offsets = values.offsets();
    long adjustment = offsets[count] + 1L;
    GrowingBytes ends = new GrowingBytes(Math.multiplyExact(count, Long.BYTES));
    for (int i = 0; i < count; i++) {
      ends.putLong(offsets[i + 1] + (valid.get(i) ? 0 : adjustment));
    }
    ArrayNode indices = new ArrayNode.NoNulls(buffers.flat(Long.SIZE, ends.view()));
    GrowingBytes bytes = new GrowingBytes(offsets[count]);
    if (compression.isPresent()) {
      coders.compressor(compression.get()).compress(values.bytes(), 0, offsets[count], bytes);
    } else {
      bytes.put(values.bytes(), 0, offsets[count]);
    }
    ArrayNode content = new ArrayNode.Flat(Byte.SIZE, buffers.add(bytes.view()), compression);
    return new ArrayNode.Binary(indices, content, adjustment);
  }

  /** A null is an item of its own, behind those of the dictionary. */
  private ArrayNode dictionary(DictionaryLeaf values, BitBuffer valid, Buffers buffers) {
    int items = values.items().count();
    int width = values.indices().width();
    GrowingBytes indices = new GrowingBytes(values.indices().bytes().size());
    indices.put(values.indices().bytes());
    if (!valid.allOnes()) {
      if (items >= 1L << Math.min(values.indexBits(), Integer.SIZE)) {
        throw new IllegalArgumentException(
            "column '%s': %d dictionary values, and one more for null, do not fit indices of %d bits"
                .formatted(name, items, values.indexBits()));
      }
      for (int i = 0; i < valid.size(); i++) {
        for (int b = 0; b < width && !valid.get(i); b++) {
          indices.array()[i * width + b] = (byte) ((long) items >>> (8 * b));
        }
      }
    }
    ArrayNode flat = new ArrayNode.NoNulls(buffers.flat(8 * width, indices.view()));
    BitBuffer validItems = new BitBuffer();
    validItems.fill(true, items);
    LeafValues all = values.items().slice(0, items);
    if (!valid.allOnes()) {
      all.appendNulls(1);
      validItems.add(false);
    }
    ArrayNode entries =
        all instanceof VariableLeaf strings
            ? binary(strings, validItems, Optional.empty(), buffers)
            : node(all, validItems, buffers);
    return new ArrayNode.Dictionary(flat, entries, all.count());
  }

  private ArrayNode packed(PackedLeaf values, BitBuffer valid, Buffers buffers) {
    if (!valid.allOnes()) {
      throw new IllegalArgumentException(
          "column '"
              + name
              + "': a null struct, which data files of version 2.0 cannot store; 2.1 can");
    }
    PackedFixedRows rows = PackedFixedRows.of(values);
    int buffer = buffers.add(ByteBuffer.wrap(rows.bytes()));
    List<ArrayNode> fields = new ArrayList<>();
    for (LeafValues field : values.fields()) {
      fields.add(packedField(field, buffer));
    }
    return new ArrayNode.PackedStruct(fields, buffer);
  }

  private static ArrayNode packedField(LeafValues field, int buffer) {
    ArrayNode values =
        field instanceof ListLeaf lists
            ? new ArrayNode.FixedSizeList(
                lists.dimension(), packedField(lists.items(), buffer), false)
            : new ArrayNode.Flat(8L * ((FixedLeaf) field).width(), buffer, Optional.empty());
    return new ArrayNode.NoNulls(values);
  }
}
