package dev.narwhal.lance.scan;

import dev.narwhal.lance.datafile.ColumnReader;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.datafile.NullColumn;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.schema.ArrowTypes;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the columns of a table in the data files of one fragment, by the ids of their fields. A
 * field that no file holds was added after the fragment was written, and is null, also below one
 * that a file holds. Children of one column may be in several files.
 *
 * <p>Where two files claim one field (a fault of Lance 0.10.5) the last one holds it: that is the
 * one which the repair of real Lance, at its next commit, leaves to be read.
 */
final class FragmentColumns {
  private final Fragment fragment;
  private final FragmentFiles source;
  private final Map<DataFile, LanceFile> open;

  /** For each file, in order: columns of the fields that have one; -1 in legacy files. */
  private final List<Map<Integer, Integer>> columns = new ArrayList<>();

  /** The last file that holds a field. */
  private final Map<Integer, Integer> holders = new HashMap<>();

  /**
   * @param open gets the files that are opened; whoever made it closes them
   */
  FragmentColumns(Fragment fragment, FragmentFiles source, Map<DataFile, LanceFile> open) {
    this.fragment = fragment;
    this.source = source;
    this.open = open;
    for (int number = 0; number < fragment.files().size(); number++) {
      DataFile file = fragment.files().get(number);
      Map<Integer, Integer> held = new HashMap<>();
      for (int i = 0; i < file.fields().size(); i++) {
        int id = file.fields().get(i);
        int column = file.isLegacy() ? -1 : file.columnIndices().get(i);
        if (id >= 0 && (column >= 0 || file.isLegacy())) {
          held.putIfAbsent(id, column);
          holders.put(id, number);
        }
      }
      columns.add(held);
    }
  }

  /**
   * Opens a column and the files it is in.
   *
   * @param blobs what is read of blobs
   * @throws LanceFormatException if a field that cannot be null is in no file
   */
  ColumnReader open(FieldTree tree, BlobMode blobs) throws IOException {
    Set<Integer> files = new TreeSet<>();
    addHolders(tree, files);
    requireHeld(tree);
    if (files.isEmpty()) {
      return new NullColumn(ArrowTypes.toArrow(tree, blobs), Long.MAX_VALUE);
    }
    List<ComposedColumn.Part> parts = new ArrayList<>();
    for (int file : files) {
      Set<Integer> ids = new TreeSet<>();
      addHeld(tree, file, ids);
      parts.add(new ComposedColumn.Part(part(tree, file, blobs), ids));
    }
    return parts.size() == 1
        ? parts.get(0).reader()
        : new ComposedColumn(tree, ArrowTypes.toArrow(tree, blobs), parts);
  }

  private ColumnReader part(FieldTree tree, int number, BlobMode blobs) throws IOException {
    // refuses legacy files, and says why
    LanceFile opened = OpenFragment.opened(fragment.files().get(number), open, source);
    int columnCount = opened.columnCount();
    return opened.column(tree, id -> column(tree, number, id, columnCount), blobs);
  }

  private int column(FieldTree tree, int number, int id, int columnCount) {
    int column =
        holders.getOrDefault(id, -1) == number ? columns.get(number).getOrDefault(id, -1) : -1;
    if (column >= columnCount) {
      throw new LanceFormatException(
          "fragment "
              + fragment.id()
              + ": the manifest puts field "
              + id
              + " of '"
              + tree.field().name()
              + "' in column "
              + column
              + " of data file "
              + fragment.files().get(number).path()
              + ", which has "
              + columnCount);
    }
    return column;
  }

  private void addHolders(FieldTree tree, Set<Integer> files) {
    Integer holder = holders.get(tree.field().id());
    if (holder != null) {
      files.add(holder);
    }
    tree.children().forEach(child -> addHolders(child, files));
  }

  /** Ids of the fields below which a file holds something, their own included. */
  private boolean addHeld(FieldTree tree, int file, Set<Integer> ids) {
    boolean held = holders.getOrDefault(tree.field().id(), -1) == file;
    for (FieldTree child : tree.children()) {
      held |= addHeld(child, file, ids);
    }
    if (held) {
      ids.add(tree.field().id());
    }
    return held;
  }

  private boolean isHeld(FieldTree tree) {
    return holders.containsKey(tree.field().id())
        || tree.children().stream().anyMatch(this::isHeld);
  }

  /** What no file holds must be a field that can be null, or be below one. */
  private void requireHeld(FieldTree tree) {
    if (isHeld(tree)) {
      // packed structs and blobs hold their children in a column of their own
      if (tree.children().stream().anyMatch(this::isHeld)) {
        tree.children().forEach(this::requireHeld);
      }
    } else if (!tree.field().nullable()) {
      throw new LanceFormatException(
          "fragment "
              + fragment.id()
              + ": no data file holds column '"
              + tree.field().name()
              + "' (id "
              + tree.field().id()
              + "), which cannot be null");
    }
  }
}
