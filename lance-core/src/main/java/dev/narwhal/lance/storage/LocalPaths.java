package dev.narwhal.lance.storage;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Paths as users and manifests write them: plain, or as a {@code file:} URI. */
final class LocalPaths {
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+)://.*");

  private LocalPaths() {}

  static Path parse(String pathOrUri) {
    if (pathOrUri.isEmpty()) {
      throw new IllegalArgumentException("path is empty");
    }
    if (pathOrUri.regionMatches(true, 0, "file:", 0, 5)) {
      return fromFileUri(pathOrUri);
    }
    Matcher scheme = SCHEME.matcher(pathOrUri);
    if (scheme.matches()) {
      throw new UnsupportedFeatureException(
          "storage "
              + scheme.group(1).toLowerCase(Locale.ROOT)
              + ": is not supported ("
              + pathOrUri
              + "); give a local path or a file: URI");
    }
    return Path.of(pathOrUri);
  }

  private static Path fromFileUri(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "not a file: URI: " + text + " (" + e.getReason() + "); escape it, or give a path", e);
    }
    String authority = uri.getAuthority();
    if (uri.getPath() == null || !uri.getPath().startsWith("/")) {
      throw new IllegalArgumentException("a file: URI needs an absolute path: " + text);
    }
    if (authority != null && !authority.isEmpty() && !authority.equals("localhost")) {
      throw new IllegalArgumentException(
          "a file: URI cannot name the host " + authority + ": " + text);
    }
    if (uri.getQuery() != null || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          "a file: URI has no query and no fragment; escape ? and #: " + text);
    }
    return Path.of(URI.create("file://" + uri.getRawPath()));
  }
}
