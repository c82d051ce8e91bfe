package dev.narwhal.lance.storage;

/**
 * The rule for paths below a root: segments joined by {@code /}, none of them empty, {@code .} or
 * {@code ..}, and no backslash or NUL anywhere, which some file systems would read as a separator
 * or an end. Such a path cannot name anything outside the root.
 */
public final class ObjectPath {
  private ObjectPath() {}

  /**
   * Returns the path if it keeps the rule.
   *
   * @throws IllegalArgumentException if not; the message quotes the path
   */
  public static String requireRelative(String path) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("path is empty");
    }
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\' || c == '\0') {
        throw new IllegalArgumentException(
            "path \"" + path + "\" has a backslash or NUL at " + i + ", which no object path may");
      }
    }
    int start = 0;
    while (start <= path.length()) {
      int slash = path.indexOf('/', start);
      int end = slash < 0 ? path.length() : slash;
      requireSegment(path, path.substring(start, end));
      start = end + 1;
    }
    return path;
  }

  /** The same for a path that must be one segment, a plain name. */
  public static String requireName(String name) {
    if (name.indexOf('/') >= 0) {
      throw new IllegalArgumentException("name \"" + name + "\" must not have a slash");
    }
    return requireRelative(name);
  }

  /** The same for a directory, where the empty string is the root itself. */
  static String requireDirectory(String directory) {
    return directory.isEmpty() ? directory : requireRelative(directory);
  }

  private static void requireSegment(String path, String segment) {
    if (segment.isEmpty()) {
      throw new IllegalArgumentException(
          "path \"" + path + "\" is absolute or has an empty segment; it must be relative");
    }
    if (segment.equals(".") || segment.equals("..")) {
      throw new IllegalArgumentException(
          "path \"" + path + "\" has the segment \"" + segment + "\" and could leave its root");
    }
  }
}
