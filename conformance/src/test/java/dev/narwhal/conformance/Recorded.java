package dev.narwhal.conformance;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A recorded sequence: in full, or, where it is long, by its count and digest.
 *
 * @param count number of values
 * @param values the values as text, in order; empty when only the digest was recorded
 * @param sha256 digest of the values as little-endian integers, in hex, when they are not listed
 */
record Recorded(long count, List<String> values, Optional<String> sha256) {
  Recorded {
    values = List.copyOf(values);
  }

  @JsonCreator
  static Recorded of(JsonNode json) {
    if (json.isObject()) {
      return new Recorded(
          json.required("count").asLong(),
          List.of(),
          Optional.of(json.required("sha256").asText()));
    }
    List<String> values = new ArrayList<>(json.size());
    json.forEach(value -> values.add(value.asText()));
    return new Recorded(values.size(), values, Optional.empty());
  }

  /** {@code values} in the recorded form, digested as this is: as little-endian int64. */
  Recorded sameFormOfLongs(long[] actual) {
    return sameForm(actual, Long.BYTES);
  }

  /** {@code values} in the recorded form, digested as this is: as little-endian uint32. */
  Recorded sameFormOfUnsignedInts(long[] actual) {
    return sameForm(actual, Integer.BYTES);
  }

  private Recorded sameForm(long[] actual, int width) {
    if (sha256.isEmpty()) {
      List<String> texts = new ArrayList<>(actual.length);
      for (long value : actual) {
        texts.add(Long.toString(value));
      }
      return new Recorded(actual.length, texts, Optional.empty());
    }
    ByteBuffer bytes = ByteBuffer.allocate(actual.length * width).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : actual) {
      if (width == Long.BYTES) {
        bytes.putLong(value);
      } else {
        bytes.putInt((int) value);
      }
    }
    String digest = HexFormat.of().formatHex(CanonicalRows.sha256().digest(bytes.array()));
    return new Recorded(actual.length, List.of(), Optional.of(digest));
  }
}
