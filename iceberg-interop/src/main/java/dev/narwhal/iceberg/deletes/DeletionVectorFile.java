package dev.narwhal.iceberg.deletes;

import dev.narwhal.puffin.DvEntry;
import dev.narwhal.puffin.DvPuffinWriter;
import dev.narwhal.puffin.PortableRoaring;
import dev.narwhal.puffin.PositionSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.io.OutputFile;

/**
 * Writes the deletion vectors of many data files into one Puffin file, in the order given, and
 * describes each as the table's metadata must: the data file it belongs to, the blob's range, the
 * number of positions. For one thread.
 *
 * <p>Source: Iceberg spec, "Deletion Vectors".
 */
public final class DeletionVectorFile implements AutoCloseable {
  private final OutputFile file;
  private final Map<Integer, PartitionSpec> specs;
  private final DvPuffinWriter writer;
  private final Map<String, DataFile> dataFiles = new HashMap<>();
  private long vectorBytes;

  /**
   * Creates the file.
   *
   * @param specs the table's partition specs by id
   */
  public DeletionVectorFile(OutputFile file, Map<Integer, PartitionSpec> specs) {
    this.file = file;
    this.specs = Map.copyOf(specs);
    this.writer = new DvPuffinWriter(file);
  }

  /**
   * Adds the vector of a data file whose Roaring bytes are taken as they are. None is written where
   * nothing is deleted.
   *
   * @throws IllegalArgumentException if the data file has no such row, or has a vector already
   */
  public void add(DataFile dataFile, PortableRoaring positions) {
    check(dataFile, positions.max());
    count(writer.add(dataFile.location(), positions));
  }

  /** The same for a set of positions. */
  public void add(DataFile dataFile, PositionSet positions) {
    check(dataFile, positions.max());
    count(writer.add(dataFile.location(), positions));
  }

  private void count(Optional<DvEntry> written) {
    vectorBytes += written.map(DvEntry::length).orElse(0L);
  }

  /** Bytes of the vectors added so far. */
  public long vectorBytes() {
    return vectorBytes;
  }

  private void check(DataFile dataFile, long max) {
    if (max >= dataFile.recordCount()) {
      throw new IllegalArgumentException(
          "position "
              + max
              + " is not below the "
              + dataFile.recordCount()
              + " rows of "
              + dataFile.location());
    }
    if (dataFiles.putIfAbsent(dataFile.location(), dataFile) != null) {
      throw new IllegalArgumentException("a second vector for " + dataFile.location());
    }
  }

  /** Finishes the file. */
  public Finished finish() throws IOException {
    long size = writer.finish();
    List<DeleteFile> described = new ArrayList<>();
    for (DvEntry entry : writer.entries()) {
      DataFile dataFile =
          Optional.ofNullable(dataFiles.get(entry.referencedDataFile())).orElseThrow();
      PartitionSpec spec = Optional.ofNullable(specs.get(dataFile.specId())).orElseThrow();
      described.add(
          FileMetadata.deleteFileBuilder(spec)
              .ofPositionDeletes()
              .withFormat(FileFormat.PUFFIN)
              .withPath(file.location())
              .withPartition(dataFile.partition())
              .withFileSizeInBytes(size)
              .withReferencedDataFile(entry.referencedDataFile())
              .withContentOffset(entry.offset())
              .withContentSizeInBytes(entry.length())
              .withRecordCount(entry.cardinality())
              .build());
    }
    return new Finished(described, size);
  }

  /** Lets go of the file; one that was not finished is left to whoever made the output file. */
  @Override
  public void close() throws IOException {
    writer.close();
  }

  /**
   * What was written.
   *
   * @param vectors one for each data file with deleted rows, in the order they were added
   * @param sizeBytes of the Puffin file
   */
  public record Finished(List<DeleteFile> vectors, long sizeBytes) {
    public Finished {
      vectors = List.copyOf(vectors);
    }
  }
}
