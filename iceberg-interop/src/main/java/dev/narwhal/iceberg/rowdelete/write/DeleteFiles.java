package dev.narwhal.iceberg.rowdelete.write;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * Delete files that were written and are not yet in the table.
 *
 * @param files every deletion vector counts as one
 */
public record DeleteFiles(List<DeleteFile> files) {
  public static final DeleteFiles NONE = new DeleteFiles(List.of());

  public DeleteFiles {
    files = List.copyOf(files);
  }

  /** Whether they are deletion vectors. */
  public boolean hasVectors() {
    return files.stream().anyMatch(ContentFileUtil::isDV);
  }

  /** Whether they delete by equality: how many rows, nobody knows. */
  public boolean areByEquality() {
    return files.stream().anyMatch(file -> file.content() == FileContent.EQUALITY_DELETES);
  }

  /** Sizes in bytes by location: vectors that share a Puffin file share its size. */
  public Map<String, Long> sizes() {
    Map<String, Long> sizes = new TreeMap<>();
    files.forEach(file -> sizes.put(file.location(), file.fileSizeInBytes()));
    return sizes;
  }

  public long sizeBytes() {
    return sizes().values().stream().mapToLong(Long::longValue).sum();
  }
}
