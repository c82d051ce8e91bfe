package dev.narwhal.iceberg.table;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system without what a table does not need: no checksum file beside each file,
 * no {@code chmod} process for each file, no login. A rename never replaces a file, as on HDFS:
 * that is what the commit of a Hadoop table stands on, and Hadoop's own local file system does not
 * keep it.
 *
 * <p>Public because Hadoop instantiates it by name.
 */
public final class LocalFiles extends RawLocalFileSystem {
  /** A configuration in which this class serves {@code file:}, for one user of Hadoop only. */
  public static Configuration configuration() {
    Configuration conf = new Configuration();
    conf.setClass("fs.file.impl", LocalFiles.class, org.apache.hadoop.fs.FileSystem.class);
    // Hadoop's cache of file systems is one for the whole process and would give this one to others
    conf.setBoolean("fs.file.impl.disable.cache", true);
    return conf;
  }

  /** Files get the permissions that the process's umask leaves them. */
  @Override
  public void setPermission(Path path, FsPermission permission) {}

  @Override
  public boolean rename(Path source, Path target) throws IOException {
    java.nio.file.Path from = pathToFile(source).toPath();
    java.nio.file.Path to = pathToFile(target).toPath();
    if (!Files.isRegularFile(from)) {
      return super.rename(source, target);
    }
    try {
      Files.createLink(to, from);
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (UnsupportedOperationException e) {
      Files.move(from, to);
      return true;
    }
    Files.delete(from);
    return true;
  }
}
