package dev.narwhal.lance.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which names tags and branches can have, and the files they are in: the UTF-8 bytes of the name,
 * all but ASCII letters, digits, {@code .}, {@code -} and {@code _} escaped as {@code %2F}. Source:
 * table format sheet 1.8, and files that real Lance wrote.
 */
final class ReferenceNames {
  private static final Pattern SEGMENT = Pattern.compile("[\\p{IsAlphabetic}\\p{IsDigit}._-]+");
  private static final String MAIN = "main";
  private static final String LOCK = ".lock";
  private static final String HEX = "0123456789ABCDEF";

  private ReferenceNames() {}

  static boolean isTag(String name) {
    return SEGMENT.matcher(name).matches()
        && !name.startsWith(".")
        && !name.endsWith(".")
        && !name.contains("..")
        && !name.endsWith(LOCK);
  }

  static boolean isBranch(String name) {
    if (name.equals(MAIN) || name.contains("..") || name.endsWith("/")) {
      return false;
    }
    for (String segment : name.split("/", -1)) {
      if (!SEGMENT.matcher(segment).matches() || segment.equals(".") || segment.endsWith(LOCK)) {
        return false;
      }
    }
    return true;
  }

  /** Throws when no tag can have the name. */
  static void requireTag(String name) {
    if (!isTag(name)) {
      throw new IllegalArgumentException(
          "no tag can be called \""
              + name
              + "\": a name has letters, digits, '.', '-' and '_' only, does not begin or end with"
              + " '.', has no '..' and does not end with .lock");
    }
  }

  /**
   * Throws when no new tag must have the name: real Lance 7.0.0 writes other letters, and then
   * fails to list the tags of the dataset.
   */
  static void requireNewTag(String name) {
    requireTag(name);
    if (!name.chars().allMatch(c -> c < 128)) {
      throw new IllegalArgumentException(
          "no new tag should be called \""
              + name
              + "\": letters outside ASCII keep Lance from listing the tags");
    }
  }

  /** Throws when no branch can have the name. */
  static void requireBranch(String name) {
    if (!isBranch(name)) {
      throw new IllegalArgumentException(
          "no branch can be called \""
              + name
              + "\": a name is segments of letters, digits, '.', '-' and '_', joined by '/'; none"
              + " is '.', has '..' or ends with .lock, and main is what branches leave");
    }
  }

  /** A file's name without its extension. */
  static String toFile(String name) {
    StringBuilder file = new StringBuilder(name.length());
    for (byte octet : name.getBytes(UTF_8)) {
      if (isPlain(octet)) {
        file.append((char) octet);
      } else {
        file.append('%').append(HEX.charAt(octet >> 4 & 15)).append(HEX.charAt(octet & 15));
      }
    }
    return file.toString();
  }

  /** Empty when no name is escaped like this. */
  static Optional<String> fromFile(String file) {
    byte[] escaped = file.getBytes(UTF_8);
    ByteArrayOutputStream octets = new ByteArrayOutputStream(escaped.length);
    for (int i = 0; i < escaped.length; i++) {
      if (escaped[i] != '%') {
        octets.write(escaped[i]);
      } else if (i + 2 < escaped.length
          && digit(escaped[i + 1]) >= 0
          && digit(escaped[i + 2]) >= 0) {
        octets.write(digit(escaped[i + 1]) << 4 | digit(escaped[i + 2]));
        i += 2;
      } else {
        return Optional.empty();
      }
    }
    try {
      return Optional.of(
          UTF_8.newDecoder().decode(ByteBuffer.wrap(octets.toByteArray())).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static boolean isPlain(byte octet) {
    return (octet >= 'a' && octet <= 'z')
        || (octet >= 'A' && octet <= 'Z')
        || (octet >= '0' && octet <= '9')
        || octet == '.'
        || octet == '-'
        || octet == '_';
  }

  /** The value of a hexadecimal digit, -1 for what is none. */
  private static int digit(byte octet) {
    return octet < 0 ? -1 : Character.digit(octet, 16);
  }
}
