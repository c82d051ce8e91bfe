package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.layout.LeafBuilder;
import dev.narwhal.lance.datafile.page.NodeSlots;
import dev.narwhal.lance.datafile.page.RowRanges;
import dev.narwhal.lance.datafile.page.Scratch;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * A tree from 2.1 on: its leaf columns are read apart, each with the slots of all nodes above it,
 * and joined. A node's slots are taken from the first column below it, and must be the same in the
 * others.
 */
final class TreeColumn implements ColumnReader {
  private final String place;
  private final Field arrowField;
  private final TreeNode root;
  private final List<LevelColumn> columns;
  private final long rows;

  /**
   * @param place file and column, for messages
   * @param columns those that {@code root} refers to
   * @param rows of the file
   */
  TreeColumn(String place, Field arrowField, TreeNode root, List<LevelColumn> columns, long rows) {
    this.place = place;
    this.arrowField = arrowField;
    this.root = root;
    this.columns = List.copyOf(columns);
    this.rows = rows;
  }

  @Override
  public Field arrowField() {
    return arrowField;
  }

  @Override
  public FieldVector read(long firstRow, int count, BufferAllocator allocator) throws IOException {
    RowChecks.checkRange(firstRow, count, rows);
    return read(RowRanges.of(firstRow, firstRow + count), count, allocator);
  }

  @Override
  public FieldVector take(long firstRow, int[] offsets, BufferAllocator allocator)
      throws IOException {
    RowChecks.checkOffsets(firstRow, offsets, rows);
    return read(RowRanges.of(firstRow, offsets), offsets.length, allocator);
  }

  @Override
  public long decodedBytes(long firstRow, long count, BufferAllocator allocator)
      throws IOException {
    RowChecks.checkRange(firstRow, count, rows);
    double bytes = 0;
    for (LevelColumn column : columns) {
      bytes += column.decodedBytes(firstRow, count, allocator);
    }
    return (long) bytes;
  }

  private FieldVector read(RowRanges ranges, int count, BufferAllocator allocator)
      throws IOException {
    try (Scratch scratch = new Scratch(allocator);
        Leaves leaves = new Leaves()) {
      for (LevelColumn column : columns) {
        leaves.add(column.read(ranges, count, allocator, scratch));
      }
      FieldVector vector = arrowField.createVector(allocator);
      try {
        fill(root, vector, count, leaves);
        return vector;
      } catch (IOException | RuntimeException e) {
        vector.close();
        throw e;
      }
    }
  }

  /**
   * Fills a fresh vector and those below it.
   *
   * @param slots that the vector must have
   */
  private void fill(TreeNode node, FieldVector vector, int slots, Leaves leaves)
      throws IOException {
    if (node instanceof TreeNode.Leaf leaf) {
      requireSlots(leaf.column(), leaves.get(leaf.column()).valueCount(), slots);
      leaves.get(leaf.column()).transferValues(vector);
    } else if (node instanceof TreeNode.EmptyStruct struct) {
      Vectors.fillValid(vector, slots);
      fillChildren(struct.children(), vector, slots, leaves);
    } else if (node instanceof TreeNode.Blob blob) {
      fillDescriptors(blob, vector, slots, leaves);
    } else if (node instanceof TreeNode.BlobBytes blob) {
      try (FieldVector found = blob.places().descriptors().createVector(vector.getAllocator())) {
        fillDescriptors(blob.places(), found, slots, leaves);
        read(blob, (StructVector) found, vector);
      }
    } else if (node instanceof TreeNode.Branch branch) {
      fillBranch(branch, vector, slots, leaves);
    } else {
      Vectors.fillNull(vector, slots);
    }
  }

  private void fillDescriptors(TreeNode.Blob blob, FieldVector vector, int slots, Leaves leaves) {
    LeafBuilder leaf = leaves.get(blob.column());
    requireSlots(blob.column(), leaf.valueCount(), slots);
    leaf.transferValues(vector);
    if (blob.struct()) {
      requireSlots(blob.column(), leaf.node(1).count(), slots);
      leaf.node(1).transferTo(vector);
    }
  }

  private void read(TreeNode.BlobBytes blob, StructVector descriptors, FieldVector vector)
      throws IOException {
    BufferAllocator allocator = vector.getAllocator();
    try (FieldVector bytes = blob.reader().read(descriptors, vector.getField(), allocator)) {
      bytes.makeTransferPair(vector).transfer();
    } catch (LanceFormatException e) {
      throw e.in(columns.get(blob.places().column()).place());
    } catch (UnsupportedFeatureException e) {
      throw e.in(columns.get(blob.places().column()).place());
    }
  }

  private void fillBranch(TreeNode.Branch branch, FieldVector vector, int slots, Leaves leaves)
      throws IOException {
    int first = branch.columns().get(0);
    NodeSlots node = node(branch, first, leaves);
    requireSlots(first, node.count(), slots);
    for (int column : branch.columns()) {
      if (!node.agrees(node(branch, column, leaves))) {
        throw new LanceFormatException(
            columns.get(column).place()
                + ": its levels give '"
                + vector.getName()
                + "' other nulls or lengths than "
                + columns.get(first).place());
      }
    }
    node.transferTo(vector);
    int below =
        switch (branch.kind()) {
          case STRUCT -> slots;
          case LIST -> node.items();
          case FIXED_LIST -> Math.multiplyExact(slots, branch.dimension());
        };
    fillChildren(branch.children(), vector, below, leaves);
  }

  private void fillChildren(List<TreeNode> nodes, FieldVector vector, int slots, Leaves leaves)
      throws IOException {
    List<FieldVector> children = vector.getChildrenFromFields();
    if (children.size() != nodes.size()) {
      throw new UnsupportedFeatureException(
          place + ": struct '" + vector.getName() + "' has two children of one name");
    }
    for (int i = 0; i < children.size(); i++) {
      fill(nodes.get(i), children.get(i), slots, leaves);
    }
  }

  private NodeSlots node(TreeNode.Branch branch, int column, Leaves leaves) {
    int layer = columns.get(column).path().length() - 1 - branch.depth();
    return leaves.get(column).node(layer);
  }

  private void requireSlots(int column, int found, int expected) {
    if (found != expected) {
      throw new LanceFormatException(
          columns.get(column).place()
              + ": its levels give "
              + found
              + " values or lists where there are "
              + expected);
    }
  }

  @Override
  public String toString() {
    return place;
  }

  /** What the columns gave. */
  private static final class Leaves implements AutoCloseable {
    private final List<LeafBuilder> builders = new ArrayList<>();

    void add(LeafBuilder builder) {
      builders.add(builder);
    }

    LeafBuilder get(int column) {
      return builders.get(column);
    }

    @Override
    public void close() {
      builders.forEach(LeafBuilder::close);
    }
  }
}
