package dev.narwhal.conformance;

import java.nio.file.Path;
import java.util.List;

/**
 * Has real Lance write the sample dataset that the repository ships, {@code
 * samples/sightings.lance}.
 *
 * <p>The rows are the same each time; the names of files are random. To write it anew, name a
 * folder that does not exist yet:
 *
 * <pre>
 * mvn -pl conformance -am test -Dtest=SampleDatasetTest \
 *     -Dsurefire.failIfNoSpecifiedTests=false -Dnarwhal.sample=/absolute/path/sightings.lance
 * </pre>
 */
final class SampleDatasetGenerator {
  /** Rows of the four fragments. */
  static final List<Integer> FRAGMENT_ROWS = List.of(56_000, 48_000, 60_000, 36_000);

  /**
   * Deletes, each its own version. They leave fragment 0 whole, and give fragment 1 an array of
   * deleted offsets, fragment 2 a bitmap, and fragment 3 an array that a second delete made grow.
   */
  static final List<String> DELETES =
      List.of(
          "sighting_id BETWEEN 56001 AND 104000 AND region = 'Davis Strait' AND calves = 3",
          "sighting_id BETWEEN 104001 AND 164000 AND species = 'humpback whale'",
          "sighting_id BETWEEN 170000 AND 171499",
          "sighting_id BETWEEN 164001 AND 200000 AND note LIKE '%trawler%'");

  /** The predicate that the documentation and the command line suggest for the sample. */
  static final String DEFAULT_PREDICATE = "confirmed = FALSE";

  private SampleDatasetGenerator() {}

  /** Writes the sample as {@code dataset}, which must not exist. */
  static void write(Path dataset) {
    Sightings sightings = new Sightings();
    JudgeWriter.at(dataset, "2.1")
        .create(
            Sightings.schema(),
            FRAGMENT_ROWS,
            (batch, fragment, rows) -> sightings.next(batch, rows));
    try (LanceJudge judge = LanceJudge.open(dataset)) {
      DELETES.forEach(judge::delete);
    }
  }
}
