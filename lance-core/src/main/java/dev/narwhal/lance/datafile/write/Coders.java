package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.codec.Compression;
import dev.narwhal.lance.datafile.codec.FastLanes;
import dev.narwhal.lance.datafile.codec.UnitCompressor;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Byte codecs that hold memory, made when they are first asked for. One thread. */
final class Coders {
  private final Map<Integer, FastLanes> lanes = new HashMap<>();
  private final Map<Compression, UnitCompressor> compressors = new EnumMap<>(Compression.class);

  /** The packer for values of 8, 16, 32 or 64 bits. */
  FastLanes lanes(int valueBits) {
    return lanes.computeIfAbsent(valueBits, FastLanes::new);
  }

  UnitCompressor compressor(Compression scheme) {
    return compressors.computeIfAbsent(scheme, UnitCompressor::new);
  }
}
