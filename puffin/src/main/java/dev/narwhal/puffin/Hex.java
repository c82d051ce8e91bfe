package dev.narwhal.puffin;

import java.util.HexFormat;

/** Hexadecimal for messages. */
final class Hex {
  private Hex() {}

  /** Eight digits after {@code 0x}. */
  static String of(int value) {
    return "0x" + HexFormat.of().toHexDigits(value);
  }

  /** The four bytes that a little-endian int is read from, in their order. */
  static String bytes(int littleEndian) {
    String digits = HexFormat.of().withUpperCase().toHexDigits(Integer.reverseBytes(littleEndian));
    return digits.replaceAll("..(?!$)", "$0 ");
  }
}
