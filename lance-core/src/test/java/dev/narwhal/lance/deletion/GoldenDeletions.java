package dev.narwhal.lance.deletion;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Deletion files of real Lance with the offsets that it reads from them. */
final class GoldenDeletions {
  private static final String FOLDER = "/golden/lance-7.0.0/deletions/";

  private GoldenDeletions() {}

  /** One file. */
  record Golden(String file, long physicalRows, JsonNode expected) {
    ByteBuffer bytes() {
      return ByteBuffer.wrap(resource(file));
    }

    /** Whether these are the offsets that real Lance reads. */
    boolean matches(DeletionVector vector) {
      return matchesExpected(
          vector, expected.path("offsets"), expected.path("count"), expected.path("sha256"));
    }

    @Override
    public String toString() {
      return file;
    }
  }

  static Stream<Golden> arrays() {
    return all().filter(golden -> golden.file().endsWith(".arrow"));
  }

  static Stream<Golden> bitmaps() {
    return all().filter(golden -> golden.file().endsWith(".bin"));
  }

  static Golden named(String file) {
    return all().filter(golden -> golden.file().equals(file)).findFirst().orElseThrow();
  }

  /** A list of offsets, or else their count and the SHA-256 of them as little-endian uint32. */
  static boolean matchesExpected(
      DeletionVector vector, JsonNode offsets, JsonNode count, JsonNode sha256) {
    int[] found = vector.toArray();
    if (offsets.isArray()) {
      boolean same = found.length == offsets.size();
      for (int i = 0; same && i < found.length; i++) {
        same = Integer.toUnsignedLong(found[i]) == offsets.get(i).longValue();
      }
      return same;
    }
    ByteBuffer bytes = ByteBuffer.allocate(4 * found.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(found);
    try {
      String hash =
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
      return found.length == count.longValue() && hash.equals(sha256.textValue());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<Golden> all() {
    try {
      JsonNode index = new ObjectMapper().readTree(new String(resource("expected.json"), UTF_8));
      return StreamSupport.stream(index.spliterator(), false)
          .map(
              entry ->
                  new Golden(
                      entry.get("file").textValue(), entry.get("physicalRows").longValue(), entry));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(GoldenDeletions.class.getResourceAsStream(FOLDER + name), name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
