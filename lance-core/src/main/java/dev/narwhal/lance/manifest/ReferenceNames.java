package dev.narwhal.lance.manifest;

import java.util.regex.Pattern;

/** Which names tags and branches can have, and the files they are in. Facts 1.8. */
final class ReferenceNames {
  private static final Pattern SEGMENT = Pattern.compile("[\\p{IsAlphabetic}\\p{IsDigit}._-]+");
  private static final String MAIN = "main";
  private static final String LOCK = ".lock";

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

  /** A file's name without its extension; the slashes of branches are escaped there. */
  static String toFile(String name) {
    return name.replace("/", "%2F");
  }

  static String fromFile(String file) {
    return file.replace("%2F", "/");
  }
}
