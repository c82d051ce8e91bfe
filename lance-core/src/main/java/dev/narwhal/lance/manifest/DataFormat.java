package dev.narwhal.lance.manifest;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import java.util.List;

/**
 * The format of a table's data files. Source: table format sheet 2.1.
 *
 * @param fileFormat {@code lance}
 * @param version {@code 0.1}, {@code 2.0}, {@code 2.1}, {@code 2.2} or {@code 2.3}
 */
public record DataFormat(String fileFormat, String version) {
  /** The file format that all of these are versions of. */
  public static final String LANCE = "lance";

  private static final String LEGACY = "0.1";

  public DataFormat {
    requireNonNull(fileFormat, "fileFormat");
    requireNonNull(version, "version");
  }

  /** Whether the data files have the first format, from before 2.0. */
  public boolean isLegacy() {
    return version.equals(LEGACY);
  }

  /**
   * What a manifest without the field means: the format of its files; without files, what the
   * deprecated writer flag says.
   */
  static DataFormat infer(List<Fragment> fragments, FeatureFlags flags) {
    for (Fragment fragment : fragments) {
      for (DataFile file : fragment.files()) {
        return new DataFormat(LANCE, file.formatVersion());
      }
    }
    boolean v2 = (flags.writer() & FeatureFlags.V2_FORMAT_DEPRECATED) != 0;
    return new DataFormat(LANCE, v2 ? "2.0" : LEGACY);
  }
}
