package dev.narwhal.iceberg.table;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/**
 * A table that reads as another and forgets what is written to it: a change can be prepared, and
 * its files and bytes counted, without a trace. It cannot be committed.
 */
public final class DryRun {
  private DryRun() {}

  /**
   * Such a table.
   *
   * @throws IllegalArgumentException if the table has no operations to read through
   */
  public static Table of(Table table) {
    if (table instanceof HasTableOperations real) {
      return new BaseTable(new Operations(real.operations()), table.name());
    }
    throw new IllegalArgumentException("no dry run on " + table.getClass());
  }

  private record Operations(TableOperations real) implements TableOperations {
    @Override
    public TableMetadata current() {
      return real.current();
    }

    @Override
    public TableMetadata refresh() {
      return real.refresh();
    }

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      throw new UnsupportedOperationException("a dry run is never committed");
    }

    @Override
    public FileIO io() {
      return new Reading(real.io());
    }

    @Override
    public EncryptionManager encryption() {
      return real.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName) {
      return real.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
      return real.locationProvider();
    }
  }

  private record Reading(FileIO io) implements FileIO {
    @Override
    public InputFile newInputFile(String location) {
      return io.newInputFile(location);
    }

    @Override
    public OutputFile newOutputFile(String location) {
      return new Nowhere(location, io);
    }

    @Override
    public void deleteFile(String location) {}

    @Override
    public void close() {}
  }

  private record Nowhere(String location, FileIO io) implements OutputFile {
    @Override
    public PositionOutputStream create() {
      return new Counting();
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
      return new Counting();
    }

    @Override
    public InputFile toInputFile() {
      return io.newInputFile(location);
    }
  }

  private static final class Counting extends PositionOutputStream {
    private final OutputStream out = OutputStream.nullOutputStream();
    private long position;

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      position++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      position += length;
    }
  }
}
