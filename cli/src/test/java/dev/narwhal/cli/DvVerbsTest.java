package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.cli.CommandLineTester.Result;
import dev.narwhal.cli.vectors.VectorFormat;
import dev.narwhal.puffin.IcebergDvCodec;
import dev.narwhal.puffin.PositionSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DvVerbsTest {
  @TempDir private Path folder;

  static Stream<Path> deletionFiles() throws IOException {
    return CommandLineTester.deletionFiles().stream();
  }

  @ParameterizedTest
  @MethodSource("deletionFiles")
  void everyDeletionFileOfRealLanceSurvivesTheTourOfAllFormats(Path file) throws IOException {
    JsonNode first = dump(file);
    String type = file.toString().endsWith(".bin") ? "lance-bitmap" : "lance-array";
    assertThat(first.get("format").textValue()).isEqualTo(type);
    assertThat(first.get("positions")).hasSize(first.get("cardinality").intValue());

    Path at = file;
    String from = type;
    List<String> tour = new ArrayList<>(VectorFormat.ids());
    tour.add(type);
    for (String to : tour) {
      Path next = folder.resolve(to.equals("paimon64") ? "index-x" : "to-" + to);
      JsonNode converted =
          CommandLineTester.run("dv", "convert", at, "--from", from, "--to", to, next, "--json")
              .json();
      assertThat(converted.get("format").textValue()).isEqualTo(to);
      assertThat(converted.get("from").textValue()).isEqualTo(from);
      assertThat(converted.get("bytes").longValue()).isEqualTo(Files.size(next));
      assertThat(converted.get("positions")).as(to).isEqualTo(first.get("positions"));
      at = next;
      from = to;
    }
    JsonNode last = dump(at);
    for (String key : List.of("format", "cardinality", "min", "max", "positions")) {
      assertThat(last.get(key)).as(key).isEqualTo(first.get(key));
    }
  }

  @ParameterizedTest
  @EnumSource(VectorFormat.class)
  void everyFormatIsToldByItsContent(VectorFormat format) throws IOException {
    Path file = blob("dv", PositionSet.of(1, 70_000));
    Path out = folder.resolve(format == VectorFormat.PAIMON64 ? "index-x" : "out");
    CommandLineTester.run("dv", "convert", file, "--to", format.id(), out);
    assertThat(dump(out).get("format").textValue()).isEqualTo(format.id());
    assertThat(dump(out).get("positions").toString()).isEqualTo("[1,70000]");
  }

  @Test
  void deletionFilesOfBothKindsAreThere() throws IOException {
    assertThat(CommandLineTester.deletionFiles())
        .anyMatch(file -> file.toString().endsWith(".bin"))
        .anyMatch(file -> file.toString().endsWith(".arrow"));
  }

  @Test
  void dumpHasTheKeysOfTheContract() throws IOException {
    Path file = blob("dv", PositionSet.of(3, 5, 1L << 40));
    JsonNode json = dump(file);
    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly(
            "format", "cardinality", "min", "max", "bytes", "positions", "positionsTruncated");
    assertThat(json.get("format").textValue()).isEqualTo("iceberg");
    assertThat(json.get("min").longValue()).isEqualTo(3);
    assertThat(json.get("max").longValue()).isEqualTo(1L << 40);
    assertThat(json.get("bytes").longValue()).isEqualTo(Files.size(file));
    assertThat(json.get("positions").toString()).isEqualTo("[3,5,1099511627776]");
    assertThat(json.get("positionsTruncated").booleanValue()).isFalse();
  }

  @Test
  void textListsTheFirstPositions() throws IOException {
    Path file = blob("dv", PositionSet.builder().addRange(10, 100).build());
    assertThat(CommandLineTester.run("dv", "dump", file).out())
        .isEqualTo(
            """
            format       iceberg
            cardinality  90
            min          10
            max          99
            bytes        %d
            positions    10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, \
            28, 29, ...
            """
                .formatted(Files.size(file)));
  }

  @Test
  void anEmptyVectorHasNeitherMinNorMax() throws IOException {
    Path file = blob("dv", PositionSet.empty());
    JsonNode json = dump(file);
    assertThat(json.get("min").isNull()).isTrue();
    assertThat(json.get("max").isNull()).isTrue();
    assertThat(json.get("positions")).isEmpty();
    assertThat(CommandLineTester.run("dv", "dump", file).out()).contains("positions    -\n");
  }

  @Test
  void longListsOfPositionsAreCutAndSaySo() throws IOException {
    Path file =
        blob("dv", PositionSet.builder().addRange(7, 8L + VectorReport.LISTED_IN_JSON).build());
    JsonNode json = dump(file);
    assertThat(json.get("cardinality").longValue()).isEqualTo(VectorReport.LISTED_IN_JSON + 1);
    assertThat(json.get("positions")).hasSize(VectorReport.LISTED_IN_JSON);
    assertThat(json.get("positions").get(0).longValue()).isEqualTo(7);
    assertThat(json.get("positionsTruncated").booleanValue()).isTrue();
  }

  @Test
  void oneVectorOfManyIsChosenByItsRange() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(1);
    byte[] first = bytes(IcebergDvCodec.encode(PositionSet.of(1)));
    byte[] second = bytes(IcebergDvCodec.encode(PositionSet.of(2, 3)));
    file.write(first);
    file.write(second);
    Path delta = Files.write(folder.resolve("deletion_vector_x.bin"), file.toByteArray());
    long offset = 1L + first.length;

    Result unclear = CommandLineTester.run("dv", "dump", delta);
    assertThat(unclear.code()).isEqualTo(1);
    assertThat(unclear.err())
        .contains(delta.toString())
        .contains("holds 2 deletion vectors; choose one with --offset and --length: 1+")
        .contains(", " + offset + "+" + (second.length - 8));

    JsonNode chosen =
        CommandLineTester.run(
                "dv", "dump", delta, "--offset", offset, "--length", second.length - 8, "--json")
            .json();
    assertThat(chosen.get("positions").toString()).isEqualTo("[2,3]");
    JsonNode asPaimon =
        CommandLineTester.run(
                "dv",
                "dump",
                delta,
                "--from",
                "paimon64",
                "--offset",
                offset,
                "--length",
                second.length,
                "--json")
            .json();
    assertThat(asPaimon.get("positions").toString()).isEqualTo("[2,3]");
  }

  @Test
  void positionsMustLieBelowThePhysicalRows() throws IOException {
    Path file = blob("dv", PositionSet.of(3, 99));
    assertThat(CommandLineTester.run("dv", "dump", file, "--physical-rows", 100).code()).isZero();
    Result beyond = CommandLineTester.run("dv", "dump", file, "--physical-rows", 99);
    assertThat(beyond.code()).isEqualTo(1);
    assertThat(beyond.err()).isEqualTo("error: " + file + ": position 99, expected below 99\n");
  }

  @Test
  void deletionFilesOfLanceAreHeldToThePhysicalRowsToo() throws IOException {
    List<Path> files = CommandLineTester.deletionFiles();
    for (Path file : List.of(files.get(0), files.get(files.size() - 1))) {
      long max = dump(file).get("max").longValue();
      assertThat(CommandLineTester.run("dv", "dump", file, "--physical-rows", max + 1).code())
          .isZero();
      Result beyond = CommandLineTester.run("dv", "dump", file, "--physical-rows", max);
      assertThat(beyond.code()).isEqualTo(1);
      assertThat(beyond.err()).startsWith("error: " + file).contains(Long.toString(max));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = VectorFormat.class,
      names = {"LANCE_ARRAY", "LANCE_BITMAP", "PAIMON32"})
  void narrowFormatsRefuseWidePositions(VectorFormat format) throws IOException {
    Path file = blob("dv", PositionSet.of(1L << 32));
    Path out = folder.resolve("out");
    Result result = CommandLineTester.run("dv", "convert", file, "--to", format.id(), out);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .startsWith("error: " + file + ": position 4294967296 ")
        .contains("; use ");
    assertThat(out).doesNotExist();
  }

  @Test
  void dryRunReportsAndWritesNothing() throws IOException {
    Path file = blob("dv", PositionSet.of(1, 2));
    Path out = folder.resolve("out");
    Result result =
        CommandLineTester.run("dv", "convert", file, "--to", "delta", out, "--dry-run", "--json");
    assertThat(result.code()).isZero();
    assertThat(result.json().get("cardinality").intValue()).isEqualTo(2);
    assertThat(out).doesNotExist();
  }

  @Test
  void aFailureLeavesTheOldFileAndNoDraft() throws IOException {
    Path file = blob("dv", PositionSet.of(1L << 33));
    Path out = Files.writeString(folder.resolve("out"), "old");
    CommandLineTester.run("dv", "convert", file, "--to", "lance-array", out);
    assertThat(out).hasContent("old");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(file, out);
    }
    assertThat(
            CommandLineTester.run("dv", "convert", file, "--to", "delta", folder.resolve("no/out"))
                .err())
        .contains("its folder does not exist");
  }

  @Test
  void theOutputMayBeTheInput() throws IOException {
    Path file = blob("dv", PositionSet.of(1, 2));
    assertThat(CommandLineTester.run("dv", "convert", file, "--to", "lance-array", file).code())
        .isZero();
    assertThat(dump(file).get("format").textValue()).isEqualTo("lance-array");
  }

  @Test
  void everyTruncationAndForeignFileIsATypedError() throws IOException {
    Path good = CommandLineTester.deletionFiles().get(0);
    byte[] bytes = Files.readAllBytes(good);
    for (int size = 0; size < bytes.length; size += 1 + size / 16) {
      Path cut = Files.write(folder.resolve("cut"), java.util.Arrays.copyOf(bytes, size));
      Result result = CommandLineTester.run("dv", "dump", cut, "--json");
      assertThat(result.code()).as("cut to %d bytes", size).isEqualTo(1);
      assertThat(result.err()).startsWith("error: " + cut).doesNotContain("fault of narwhal");
    }
    Path text = Files.writeString(folder.resolve("text"), "no vector at all");
    assertThat(CommandLineTester.run("dv", "dump", text).err())
        .contains("not a deletion vector of a known format; name the format with --from");
    assertThat(CommandLineTester.run("dv", "dump", folder).err()).contains(": not a file");
  }

  @ParameterizedTest(name = "{0} {1}+{2}")
  @CsvSource({
    "iceberg-1.12.0/one-vector.puffin, 4, 46, iceberg, '[0,5,11]'",
    "iceberg-1.12.0/two-vectors.puffin, 48, 46, iceberg, '[2,5,6]'",
    "iceberg-1.12.0/run-container.puffin, 48, 39, iceberg, '[0,1,2,3]'",
    "trino-483/three-vectors.puffin, 93, 42, iceberg, '[0]'",
    "paimon-1.4.2/index-32-five, 1, 30, paimon32, '[2,3,20,21,22]'",
    "paimon-1.4.2/index-64-five, 1, 50, paimon64, '[2,3,20,21,22]'",
    "delta-4.4.0/deletion_vector_two.bin, 45, 38, delta, '[2,5,6]'"
  })
  void vectorsOfOtherEnginesAreRead(
      String name, long offset, long length, String format, String positions) throws IOException {
    Path file = CommandLineTester.root().resolve("puffin/src/test/resources/golden").resolve(name);
    JsonNode json =
        CommandLineTester.run("dv", "dump", file, "--offset", offset, "--length", length, "--json")
            .json();
    assertThat(json.get("format").textValue()).isEqualTo(format);
    assertThat(json.get("bytes").longValue()).isEqualTo(length);
    assertThat(json.get("positions").toString()).isEqualTo(positions);
  }

  @Test
  void theOnlyVectorOfAFileNeedsNoRange() throws IOException {
    Path golden = CommandLineTester.root().resolve("puffin/src/test/resources/golden");
    assertThat(dump(golden.resolve("iceberg-1.12.0/one-vector.puffin")).get("bytes").longValue())
        .isEqualTo(46);
    assertThat(dump(golden.resolve("paimon-1.4.2/index-32-one")).get("positions").toString())
        .isEqualTo("[3]");
  }

  private JsonNode dump(Path file) throws IOException {
    Result result = CommandLineTester.run("dv", "dump", file, "--json");
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return result.json();
  }

  private Path blob(String name, PositionSet positions) throws IOException {
    return Files.write(folder.resolve(name), bytes(IcebergDvCodec.encode(positions)));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
