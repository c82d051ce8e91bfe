package dev.narwhal.lance.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.narwhal.lance.datafile.ColumnReader;
import dev.narwhal.lance.datafile.LanceFile;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.DataFile;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.rowid.RowIdSequence;
import dev.narwhal.lance.rowid.RowVersions;
import dev.narwhal.lance.schema.BlobMode;
import dev.narwhal.lance.schema.FieldTree;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.LocalObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns from the files of a fragment, with files that real Lance wrote. */
class FragmentColumnsTest {
  private final BufferAllocator allocator = new RootAllocator();
  private final Map<DataFile, LanceFile> open = new HashMap<>();

  @AfterEach
  void close() throws IOException {
    for (LanceFile file : open.values()) {
      file.close();
    }
    allocator.close();
  }

  /** Files with field x: struct or list of structs, whose leaves are taken from two files. */
  @ParameterizedTest
  @CsvSource({"2.0, struct", "2.1, struct", "2.1, list_struct", "2.2, struct"})
  void joinsChildrenOfSeveralFiles(String version, String name) throws IOException {
    FieldTree tree = tree(version, name);
    List<Integer> ids = new ArrayList<>();
    List<Integer> columns = new ArrayList<>();
    try (LanceFile file = file(version, name)) {
      for (LanceField field : file.schema().fields()) {
        ids.add(field.id());
      }
      // every node has a column in 2.0, only leaves later
      int column = 0;
      for (LanceField field : file.schema().fields()) {
        boolean leaf = file.schema().children(field).isEmpty();
        columns.add(version.equals("2.0") || leaf ? column++ : -1);
      }
      List<String> whole = text(file.column(tree.field()));
      int last = ids.size() - 1;
      DataFile first = dataFile(version, name, "a", without(ids, last), columns);
      DataFile second = dataFile(version, name, "b", only(ids, last), columns);
      assertThat(text(open(tree, first, second))).isEqualTo(whole);
      assertThat(text(open(tree, second, first))).isEqualTo(whole);
      assertThat(open).hasSize(2);
    }
  }

  /** As the repair of real Lance decides it. */
  @Test
  void theLastFileHoldsAFieldThatTwoClaim() throws IOException {
    FieldTree tree = tree("2.1", "struct");
    int a = tree.children().get(0).field().id();
    int b = tree.children().get(1).field().id();
    DataFile both = dataFile("2.1", "struct", "a", List.of(a, b), List.of(0, 1));
    DataFile onlyA = dataFile("2.1", "struct", "b", List.of(a, 77), List.of(0, 1));
    List<String> whole = text(open(tree, onlyA, both));
    assertThat(open.keySet()).as("nothing is read of the first one").containsExactly(both);
    assertThat(text(open(tree, both, onlyA))).isEqualTo(whole);
    assertThat(open.keySet()).containsExactlyInAnyOrder(both, onlyA);
  }

  @Test
  void givesNullsForAChildThatNoFileHolds() throws IOException {
    FieldTree tree = tree("2.1", "struct");
    int a = tree.children().get(0).field().id();
    DataFile file = dataFile("2.1", "struct", "a", List.of(a, DataFile.REPLACED), List.of(0, 1));
    List<String> rows = text(open(tree, file));
    assertThat(rows.get(0)).isEqualTo("null");
    assertThat(rows.get(1)).isEqualTo("{\"a\":1}");
  }

  @Test
  void givesNullsForAColumnThatNoFileHolds() throws IOException {
    FieldTree tree = tree("2.1", "struct");
    DataFile file = dataFile("2.1", "struct", "a", List.of(DataFile.REPLACED, 77), List.of(0, 1));
    assertThat(text(open(tree, file))).containsOnly("null");
    assertThat(open).as("files that are not needed stay closed").isEmpty();
  }

  @Test
  void refusesToMissAFieldThatCannotBeNull() {
    LanceField field = field(5, -1, "s", "struct", true);
    LanceField child = field(6, 5, "a", "int32", true);
    LanceField required = field(7, 5, "b", "int32", false);
    FieldTree tree =
        new FieldTree(
            field, List.of(new FieldTree(child, List.of()), new FieldTree(required, List.of())));
    DataFile file = dataFile("2.1", "struct", "a", List.of(6), List.of(0));
    assertThatThrownBy(() -> open(tree, file))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("'b' (id 7), which cannot be null");
  }

  @Test
  void refusesColumnsThatTheFileDoesNotHave() {
    FieldTree tree = tree("2.1", "struct");
    int a = tree.children().get(0).field().id();
    DataFile file = dataFile("2.1", "struct", "a", List.of(a), List.of(9));
    assertThatThrownBy(() -> open(tree, file))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("in column 9 of data file a/struct.lance, which has 2");
  }

  private ColumnReader open(FieldTree tree, DataFile... files) throws IOException {
    Fragment fragment =
        new Fragment(
            0,
            List.of(files),
            Optional.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            UnknownFields.none());
    return new FragmentColumns(fragment, new Files(), open).open(tree, BlobMode.DESCRIPTORS);
  }

  private List<String> text(ColumnReader reader) throws IOException {
    try (FieldVector vector = reader.read(0, 100, allocator);
        FieldVector taken = reader.take(3, new int[] {0, 7, 8}, allocator)) {
      vector.validateFull();
      List<String> text = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        text.add(String.valueOf(vector.getObject(i)));
      }
      assertThat(Stream.of(0, 1, 2).map(i -> String.valueOf(taken.getObject(i))).toList())
          .containsExactly(text.get(3), text.get(10), text.get(11));
      return text;
    }
  }

  private static List<Integer> without(List<Integer> ids, int place) {
    List<Integer> cut = new ArrayList<>(ids);
    cut.set(place, DataFile.REPLACED);
    return cut;
  }

  private static List<Integer> only(List<Integer> ids, int place) {
    List<Integer> cut = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      cut.add(i == place ? ids.get(i) : DataFile.REPLACED);
    }
    return cut;
  }

  private static DataFile dataFile(
      String version, String name, String folder, List<Integer> fields, List<Integer> columns) {
    return new DataFile(
        folder + "/" + name + ".lance",
        fields,
        columns,
        2,
        version.charAt(2) - '0',
        OptionalLong.empty(),
        OptionalInt.empty(),
        UnknownFields.none());
  }

  private static FieldTree tree(String version, String name) {
    try (LanceFile file = file(version, name)) {
      return FieldTree.topLevel(file.schema()).get(0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static LanceFile file(String version, String name) throws IOException {
    Path folder =
        Path.of(System.getProperty("narwhal.root"))
            .resolve("lance-core/src/test/resources/fixtures/lance-files")
            .resolve(version);
    return LanceFile.open(LocalObjectStore.at(folder).open(name + ".lance"));
  }

  private static LanceField field(int id, int parent, String name, String type, boolean nullable) {
    return new LanceField(id, parent, name, type, nullable, Map.of(), UnknownFields.none());
  }

  /** Any folder holds the bundled files of its data file's version. */
  private static final class Files implements FragmentFiles {
    @Override
    public LanceFile open(DataFile file) throws IOException {
      String name = file.path().substring(file.path().indexOf('/') + 1);
      return FragmentColumnsTest.file(file.formatVersion(), name.replace(".lance", ""));
    }

    @Override
    public DeletionVector deletions(Fragment fragment, long physicalRows) {
      return DeletionVector.empty();
    }

    @Override
    public Optional<ByteBuffer> bitmapBytes(Fragment fragment) {
      return Optional.empty();
    }

    @Override
    public RowIdSequence rowIds(Fragment fragment, long physicalRows) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RowVersions createdVersions(Fragment fragment, long physicalRows) {
      throw new UnsupportedOperationException();
    }

    @Override
    public RowVersions lastUpdatedVersions(Fragment fragment, long physicalRows) {
      throw new UnsupportedOperationException();
    }
  }
}
