package dev.narwhal.lance.datafile.layout;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A {@code PageLayout}, its numbers checked. Source: file format sheet 3.1. */
public sealed interface Layout {
  /** One word or two. */
  String name();

  /** Encodings inside, in a few words. */
  String describe();

  /** From the leaf to the root; empty when the layout has none. */
  List<Layer> layers();

  /**
   * Chunks of narrow values.
   *
   * @param repetition encoding of repetition levels, if there are any
   * @param definition encoding of definition levels, if there are any
   * @param dictionary encoding of the values that {@code values} are indices of
   * @param dictionaryItems 0 to 2^31-1
   * @param valueBuffers buffers of a chunk besides levels
   * @param items visible items, {@code >= 0}
   * @param largeChunks whether chunk words and value sizes take 32 bits
   */
  record MiniBlock(
      Optional<Encoding> repetition,
      Optional<Encoding> definition,
      Encoding values,
      Optional<Encoding> dictionary,
      int dictionaryItems,
      List<Layer> layers,
      long valueBuffers,
      int repetitionIndexDepth,
      long items,
      boolean largeChunks)
      implements Layout {
    public MiniBlock {
      layers = List.copyOf(layers);
    }

    @Override
    public String name() {
      return "mini-block";
    }

    @Override
    public String describe() {
      return values.describe()
          + dictionary.map(d -> ", dictionary " + d.describe()).orElse("")
          + repetition.map(r -> ", repetition " + r.describe()).orElse("")
          + definition.map(d -> ", definition " + d.describe()).orElse("");
    }
  }

  /**
   * Wide values, each behind its levels. Exactly one of {@code bitsPerValue} and {@code
   * bitsPerOffset} is there.
   *
   * @param repetitionBits bits of a repetition level, 0 to 32 together with {@code definitionBits}
   * @param bitsPerValue a multiple of 8
   * @param bitsPerOffset of the length of a value, 32 or 64
   * @param items levels, {@code >= 0}
   * @param visibleItems levels with a value slot, {@code >= 0}
   */
  record FullZip(
      int repetitionBits,
      int definitionBits,
      OptionalInt bitsPerValue,
      OptionalInt bitsPerOffset,
      long items,
      long visibleItems,
      Encoding values,
      List<Layer> layers)
      implements Layout {
    public FullZip {
      layers = List.copyOf(layers);
    }

    /** Bytes of the control word before each value: 0, 1, 2 or 4. */
    int controlBytes() {
      int bits = repetitionBits + definitionBits;
      return bits == 0 ? 0 : bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
    }

    @Override
    public String name() {
      return "full-zip";
    }

    @Override
    public String describe() {
      return values.describe();
    }
  }

  /**
   * One value, or only nulls, and levels.
   *
   * @param inlineValue little-endian bytes of the value
   */
  record Constant(
      List<Layer> layers,
      Optional<ByteString> inlineValue,
      Optional<Encoding> repetition,
      Optional<Encoding> definition,
      long repetitionLevels,
      long definitionLevels)
      implements Layout {
    public Constant {
      layers = List.copyOf(layers);
    }

    @Override
    public String name() {
      return "constant";
    }

    @Override
    public String describe() {
      return (inlineValue.isPresent() ? "inline value" : "no inline value")
          + repetition.map(r -> ", repetition " + r.describe()).orElse("")
          + definition.map(d -> ", definition " + d.describe()).orElse("");
    }
  }

  /**
   * Positions and sizes of values elsewhere in the file.
   *
   * @param descriptors pages of packed structs of two u64, one per level
   * @param layers what levels in the descriptors mean
   */
  record Blob(Layout descriptors, List<Layer> layers) implements Layout {
    public Blob {
      layers = List.copyOf(layers);
    }

    @Override
    public String name() {
      return "blob";
    }

    @Override
    public String describe() {
      return descriptors.name() + "(" + descriptors.describe() + ")";
    }
  }

  /**
   * A layout that is known by name only.
   *
   * @param inner what it says of the values
   */
  record Unsupported(String name, String inner) implements Layout {
    @Override
    public String describe() {
      return inner;
    }

    @Override
    public List<Layer> layers() {
      return List.of();
    }
  }
}
