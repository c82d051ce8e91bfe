package dev.narwhal.iceberg.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.hadoop.HadoopTables;

/** A table in the Hadoop layout in a directory of the local file system. */
final class LocationTarget implements TableTarget {
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+://");

  private final Path directory;
  private final boolean wasThere;
  private final String location;
  private final HadoopTables tables = new HadoopTables(LocalFiles.configuration());

  LocationTarget(String location) {
    this.directory = path(location).toAbsolutePath().normalize();
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new IllegalArgumentException(directory + " is a file; a table is a directory");
    }
    this.wasThere = Files.exists(directory);
    // Hadoop's own way to write such a URI, so that all paths in the table's metadata agree
    this.location = "file:" + directory;
  }

  private static Path path(String location) {
    if (location.isBlank()) {
      throw new IllegalArgumentException("the table's location is empty; give a path");
    }
    if (!location.startsWith("file:")) {
      if (SCHEME.matcher(location).lookingAt()) {
        throw new IllegalArgumentException(
            location
                + ": tables of this scheme are not supported as a location; give a path or a file:"
                + " URI, or use a catalog");
      }
      return Path.of(location);
    }
    try {
      return Path.of(new URI("file", null, URI.create(location).getPath(), null));
    } catch (java.net.URISyntaxException | IllegalArgumentException e) {
      throw new IllegalArgumentException("no file URI: " + location, e);
    }
  }

  @Override
  public String name() {
    return location;
  }

  @Override
  public Optional<Table> load() {
    try {
      return Optional.of(tables.load(location));
    } catch (NoSuchTableException e) {
      return Optional.empty();
    }
  }

  @Override
  public Transaction newTable(Schema schema, Map<String, String> properties) {
    return tables.newCreateTableTransaction(
        location, schema, PartitionSpec.unpartitioned(), properties);
  }

  @Override
  public void abandon() {
    if (wasThere || !Files.isDirectory(directory)) {
      return;
    }
    for (Path below : directoriesBottomUp()) {
      try {
        Files.delete(below);
      } catch (DirectoryNotEmptyException e) {
        return; // somebody else's files
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private List<Path> directoriesBottomUp() {
    try (Stream<Path> below = Files.walk(directory)) {
      return below.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {}
}
