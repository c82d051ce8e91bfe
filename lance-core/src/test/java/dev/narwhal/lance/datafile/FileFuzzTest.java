package dev.narwhal.lance.datafile;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files damaged by structure, see {@link FileMutator} and {@link DamagedFile}.
 *
 * <p>{@code -Dnarwhal.fuzz.seed=N} starts with another seed, or with a fresh one for {@code
 * random}; {@code -Dnarwhal.fuzz.iterations=N} goes on longer. Each iteration has a seed of its
 * own, which a failure names: with that seed and one iteration it happens again. The Maven profile
 * {@code fuzz} runs for long with a fresh seed.
 */
@Tag("bulk")
class FileFuzzTest {
  private static final int ITERATIONS = Integer.getInteger("narwhal.fuzz.iterations", 1_000);
  private static final int MAX_FILE_BYTES = 24 << 10;
  private static final int NESTED_SHARE = 12;
  private static final Map<String, List<String>> SPECIAL =
      Map.of(
          "2.0", List.of("dictionary-2.0", "packed-2.0", "blob-in-struct-2.0"),
          "2.1", List.of("dictionary-2.1", "packed-2.1", "blob-in-struct-2.1", "json"),
          "2.2", List.of("packed-strings-2.2", "blob-v2"));

  @ParameterizedTest
  @ValueSource(strings = {"2.0", "2.1", "2.2"})
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void damageIsATypedErrorOrNotToBeTold(String version) throws IOException {
    long first = firstSeed();
    List<FileFixture> files = files(version);
    System.out.println(
        "fuzz: " + ITERATIONS + " files of version " + version + " from seed " + first);
    // one of each kind: the same fault shows in thousands of files
    Map<String, AssertionError> faults = new TreeMap<>();
    for (long seed = first; seed < first + ITERATIONS; seed++) {
      Random random = new Random(~seed);
      FileFixture file = files.get(random.nextInt(files.size()));
      FileFixture donor = files.get(random.nextInt(files.size()));
      byte[] damaged = new FileMutator(seed).damage(file.bytes(), donor.bytes());
      try {
        DamagedFile.read(
            damaged, file + " with -Dnarwhal.fuzz.seed=" + seed + " -Dnarwhal.fuzz.iterations=1");
      } catch (AssertionError e) {
        faults.putIfAbsent(kind(e), e);
      }
    }
    if (!faults.isEmpty()) {
      AssertionError all =
          new AssertionError(
              faults.entrySet().stream()
                  .map(fault -> fault.getValue().getMessage() + ", " + fault.getKey())
                  .collect(Collectors.joining("\n\n", faults.size() + " kinds of faults\n", "")));
      faults.values().forEach(all::addSuppressed);
      throw all;
    }
  }

  /** What was thrown, and the first place of ours that it came through. */
  private static String kind(AssertionError error) {
    Throwable cause = error.getCause() == null ? error : error.getCause();
    String place =
        Arrays.stream(cause.getStackTrace())
            .filter(frame -> frame.getClassName().startsWith("dev.narwhal"))
            .findFirst()
            .map(StackTraceElement::toString)
            .orElse("");
    return cause.getClass().getSimpleName() + " at " + place;
  }

  private static List<FileFixture> files(String version) throws IOException {
    List<FileFixture> small = new ArrayList<>();
    // often, since it has most in the least bytes
    for (int i = 0; i < NESTED_SHARE; i++) {
      small.add(FileFixture.golden("nested-" + version));
    }
    for (String special : requireNonNull(SPECIAL.get(version))) {
      small.add(FileFixture.golden(special));
    }
    for (FileFixture file : FileFixture.allBundled(version)) {
      if (file.bytes().length <= MAX_FILE_BYTES) {
        small.add(file);
      }
    }
    return small;
  }

  private static long firstSeed() {
    String seed = System.getProperty("narwhal.fuzz.seed", "1");
    return seed.equals("random") ? System.nanoTime() : Long.parseLong(seed);
  }
}
