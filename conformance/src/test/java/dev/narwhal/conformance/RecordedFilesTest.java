package dev.narwhal.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.conformance.Fixtures.FileFixture;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lance.file.BlobReadMode;
import org.lance.file.FileReadOptions;
import org.lance.file.LanceFileReader;

/** Real Lance, through the kit, reads the single data files as recorded; all but those named. */
class RecordedFilesTest {
  private static final int BATCH_ROWS = 4096;
  private static final FileReadOptions BLOBS_AS_BYTES =
      FileReadOptions.builder().blobReadMode(BlobReadMode.CONTENT).build();

  /**
   * What real Lance 7.0.0 does not read back, though it wrote it. On struct over list over wide
   * value it ends the process: its reader of full-zip pages counts null items outside the list. Of
   * blobs with nulls among them its file reader gives wrong bytes, or an error; of packed structs
   * in 2.0 it looks for the columns of their children.
   */
  private static final Set<String> NOT_READ_BACK =
      Set.of(
          "2.1/struct_list_bigstr",
          "2.2/struct_list_bigstr",
          "2.0/blob",
          "2.1/blob",
          "2.2/blob",
          "2.0/packed",
          "2.0/packed_fsl");

  static List<FileFixture> files() throws IOException {
    List<FileFixture> files = new ArrayList<>();
    for (String version : List.of("2.0", "2.1", "2.2")) {
      files.addAll(Fixtures.lanceFiles(version));
    }
    files.removeIf(file -> NOT_READ_BACK.contains(file.toString()));
    return files;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void theKitAgrees(FileFixture fixture) throws Exception {
    RecordedValue recorded = RecordedValue.in(fixture.storageVersion());
    List<String> actual = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator()) {
      LanceFileReader file = LanceFileReader.open(fixture.file().toString(), allocator);
      try (ArrowReader reader = file.readAll(List.of("x"), null, BATCH_ROWS, BLOBS_AS_BYTES)) {
        VectorSchemaRoot batch = reader.getVectorSchemaRoot();
        Field field = batch.getSchema().findField("x");
        for (JsonNode value : ExpectedDataset.JSON.readTree(fixture.values().toFile())) {
          expected.add(recorded.canonical(field, value));
        }
        while (reader.loadNextBatch()) {
          CanonicalValue value = CanonicalValue.of(batch.getVector("x"), reader);
          for (int i = 0; i < batch.getRowCount(); i++) {
            actual.add(CanonicalValue.text(value, i));
          }
        }
      } finally {
        file.close();
      }
    }
    assertThat(actual).isEqualTo(expected);
  }
}
