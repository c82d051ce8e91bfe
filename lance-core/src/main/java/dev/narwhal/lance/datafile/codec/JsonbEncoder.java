package dev.narwhal.lance.datafile.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * JSON text to {@link Jsonb}, which has the layout. Keys are sorted by their UTF-8 bytes; of equal
 * keys the last counts. Integers outside of 64 bits become float64.
 */
public final class JsonbEncoder {
  private static final int SCALAR = 1 << 29;
  private static final int OBJECT = 2 << 29;
  private static final int ARRAY = 4 << 29;
  private static final int MAX_PAYLOAD = 0x0FFF_FFFF;
  private static final BigInteger MAX_UNSIGNED = BigInteger.ONE.shiftLeft(Long.SIZE);
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonbEncoder() {}

  /** Type of an entry, and its payload. */
  private static final class Entry {
    private final int type;
    private final byte[] payload;

    Entry(int type, byte[] payload) {
      this.type = type;
      this.payload = payload;
    }

    int word() {
      if (payload.length > MAX_PAYLOAD) {
        throw new IllegalArgumentException(
            "JSON with a value of " + payload.length + " bytes; 2^28-1 is the most");
      }
      return type << 28 | payload.length;
    }
  }

  /**
   * The value of a text.
   *
   * @param text UTF-8
   * @throws IllegalArgumentException if it is no JSON
   */
  public static byte[] fromText(byte[] text) {
    JsonNode node;
    try {
      node = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
    if (node.isMissingNode()) {
      throw new IllegalArgumentException("not JSON: an empty text");
    }
    return node.isContainerNode() ? container(node) : container(SCALAR | 1, List.of(entry(node)));
  }

  private static byte[] container(JsonNode node) {
    List<Entry> entries = new ArrayList<>();
    if (node.isArray()) {
      node.forEach(item -> entries.add(entry(item)));
      return container(ARRAY | node.size(), entries);
    }
    Map<byte[], JsonNode> sorted = new TreeMap<>(Arrays::compareUnsigned);
    node.properties().forEach(f -> sorted.put(f.getKey().getBytes(UTF_8), f.getValue()));
    sorted.keySet().forEach(key -> entries.add(new Entry(1, key)));
    sorted.values().forEach(value -> entries.add(entry(value)));
    return container(OBJECT | sorted.size(), entries);
  }

  private static byte[] container(int header, List<Entry> entries) {
    GrowingBytes out = new GrowingBytes();
    out.putInt(Integer.reverseBytes(header));
    for (Entry entry : entries) {
      out.putInt(Integer.reverseBytes(entry.word()));
    }
    for (Entry entry : entries) {
      out.put(entry.payload, 0, entry.payload.length);
    }
    return Arrays.copyOf(out.array(), out.size());
  }

  private static Entry entry(JsonNode node) {
    return switch (node.getNodeType()) {
      case NULL -> new Entry(0, new byte[0]);
      case STRING -> new Entry(1, node.textValue().getBytes(UTF_8));
      case NUMBER -> new Entry(2, number(node));
      case BOOLEAN -> new Entry(node.booleanValue() ? 4 : 3, new byte[0]);
      case ARRAY, OBJECT -> new Entry(5, container(node));
      case BINARY, MISSING, POJO ->
          throw new IllegalArgumentException("JSON of kind " + node.getNodeType());
    };
  }

  private static byte[] number(JsonNode node) {
    if (node.isIntegralNumber()) {
      BigInteger value = node.bigIntegerValue();
      if (value.signum() == 0) {
        return new byte[] {0};
      }
      if (value.signum() > 0 && value.compareTo(MAX_UNSIGNED) < 0) {
        long bits = value.longValue();
        return tagged(0x50, bits, unsignedBytes(bits));
      }
      if (value.bitLength() < Long.SIZE) {
        return tagged(0x40, value.longValue(), signedBytes(value.longValue()));
      }
    }
    return tagged(0x60, Double.doubleToRawLongBits(node.doubleValue()), Long.BYTES);
  }

  private static int unsignedBytes(long bits) {
    return bits >>> 8 == 0 ? 1 : bits >>> 16 == 0 ? 2 : bits >>> 32 == 0 ? 4 : 8;
  }

  private static int signedBytes(long value) {
    return value == (byte) value ? 1 : value == (short) value ? 2 : value == (int) value ? 4 : 8;
  }

  /** A tag, and the low bytes of a word, big-endian. */
  private static byte[] tagged(int tag, long word, int bytes) {
    byte[] out = new byte[1 + bytes];
    out[0] = (byte) tag;
    for (int i = 0; i < bytes; i++) {
      out[1 + i] = (byte) (word >>> (8 * (bytes - 1 - i)));
    }
    return out;
  }
}
