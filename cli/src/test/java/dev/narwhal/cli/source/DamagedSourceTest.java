package dev.narwhal.cli.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.fail;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.write.RowSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fault F7: whatever is wrong with the bytes of a file is an error that names it. */
class DamagedSourceTest {
  private static final int ROWS = 40;

  @TempDir private Path folder;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"arrow", "arrows", "parquet"})
  void aTruncatedFileIsAnErrorThatNamesItOrAWholeNumberOfBatches(String extension)
      throws IOException {
    byte[] whole = bytes(extension);
    int step = whole.length / 60;
    for (int length = 0; length < whole.length; length += step) {
      long rows = read(extension, Arrays.copyOf(whole, length));
      if (rows >= 0) {
        // the end of a stream is not marked by every writer
        assertThat(extension).as("cut at %d of %d", length, whole.length).isEqualTo("arrows");
        assertThat(rows % ROWS).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"arrow", "arrows", "parquet"})
  void aChangedByteIsAnErrorThatNamesTheFileOrOtherValues(String extension) throws IOException {
    byte[] whole = bytes(extension);
    Random random = new Random(7);
    for (int i = 0; i < 120; i++) {
      byte[] changed = whole.clone();
      int at = random.nextInt(whole.length);
      changed[at] = i % 2 == 0 ? (byte) 0xFF : (byte) (changed[at] ^ 1 << random.nextInt(8));
      read(extension, changed);
    }
  }

  @Test
  void manyChangedBytesAreAnErrorThatNamesTheFile() throws IOException {
    byte[] whole = bytes("arrow");
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      byte[] changed = whole.clone();
      for (int i = 0; i < 20; i++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      read("arrow", changed);
    }
  }

  /** Reads all values. Returns the rows, or -1 when the file is refused as it should be. */
  private long read(String extension, byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve("a." + extension), bytes);
    long rows = 0;
    try (RowSource source = SourceFile.at(file).open(allocator)) {
      while (source.next()) {
        VectorSchemaRoot batch = source.batch();
        for (FieldVector vector : batch.getFieldVectors()) {
          assertThat(vector.getValueCount()).isEqualTo(batch.getRowCount());
          for (int row = 0; row < batch.getRowCount(); row++) {
            look(vector, row);
          }
        }
        rows += batch.getRowCount();
      }
      return rows;
    } catch (IOException | UnsupportedFeatureException e) {
      assertThat(e).hasMessageStartingWith(file.toString());
      assertThat(String.valueOf(e.getMessage()).replace(file.toString(), ""))
          .doesNotContain("@", "Exception", "RefCnt");
      return -1;
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageStartingWith(file.toString());
      return -1;
    } catch (RuntimeException e) {
      return fail("of %d bytes".formatted(bytes.length), e);
    }
  }

  private static void look(FieldVector vector, int row) {
    if (vector instanceof VarCharVector text) {
      text.get(row);
    } else {
      vector.getObject(row);
    }
  }

  @Test
  void anIndexOutsideOfItsDictionaryIsRefused() throws IOException {
    Path file = Files.write(folder.resolve("a.arrows"), arrow(false, 9));
    try (RowSource source = SourceFile.at(file).open(allocator)) {
      assertThatIOException()
          .isThrownBy(source::next)
          .withMessageStartingWith(file.toString())
          .withMessageContaining("batch 1: ")
          .withMessageContaining("column 'dict': index 9 into a dictionary of 2");
    }
  }

  @Test
  void aCodecThatCannotBeReadIsNamed() throws IOException {
    byte[] bytes = bytes("parquet");
    // in the footer: thrift's field 4 of a column, of type i32, UNCOMPRESSED (0), made BROTLI (4)
    String text = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    int footer = text.lastIndexOf("\u0019\u0018\u0001l\u0015\u0000");
    assertThat(footer).isPositive();
    bytes[footer + 5] = 8;
    Path file = Files.write(folder.resolve("a.parquet"), bytes);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> SourceFile.at(file).open(allocator).close())
        .withMessageStartingWith(file + ": column 'l': Parquet pages compressed with BROTLI");
  }

  @Test
  void whatIsNoFileIsSaidToBeSo() {
    assertThatIOException().isThrownBy(() -> SourceFile.at(folder)).withMessageContaining("a dir");
    assertThatIOException()
        .isThrownBy(() -> SourceFile.at(Path.of("-")))
        .withMessageContaining("standard input");
  }

  private byte[] bytes(String extension) throws IOException {
    return switch (extension) {
      case "arrow" -> arrow(true, 1);
      case "arrows" -> arrow(false, 1);
      default -> parquet();
    };
  }

  /** Two batches with a column of each layout. */
  private byte[] arrow(boolean file, int lastIndex) throws IOException {
    DictionaryEncoding encoding = new DictionaryEncoding(1, false, new ArrowType.Int(32, true));
    Schema schema =
        new Schema(
            List.of(
                Field.nullable("id", new ArrowType.Int(64, true)),
                Field.nullable("text", new ArrowType.Utf8()),
                new Field(
                    "list",
                    FieldType.nullable(new ArrowType.List()),
                    List.of(Field.nullable("item", new ArrowType.Int(32, true)))),
                new Field(
                    "vector",
                    FieldType.nullable(new ArrowType.FixedSizeList(2)),
                    List.of(Field.nullable("item", new ArrowType.Int(32, true)))),
                new Field(
                    "struct",
                    FieldType.nullable(new ArrowType.Struct()),
                    List.of(Field.nullable("m", new ArrowType.Utf8()))),
                new Field(
                    "dict", new FieldType(true, new ArrowType.Int(32, true), encoding), null)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
        VarCharVector words = new VarCharVector("words", allocator)) {
      words.allocateNew();
      words.setSafe(0, "one".getBytes(UTF_8));
      words.setSafe(1, "two".getBytes(UTF_8));
      words.setValueCount(2);
      MapDictionaryProvider dictionaries =
          new MapDictionaryProvider(new Dictionary(words, encoding));
      fill(batch, lastIndex);
      try (ArrowWriter writer =
          file
              ? new ArrowFileWriter(batch, dictionaries, Channels.newChannel(out))
              : new ArrowStreamWriter(batch, dictionaries, out)) {
        writer.writeBatch();
        writer.writeBatch();
        writer.end();
      }
    }
    return out.toByteArray();
  }

  private static void fill(VectorSchemaRoot batch, int lastIndex) {
    batch.allocateNew();
    ListVector list = (ListVector) batch.getVector("list");
    FixedSizeListVector vector = (FixedSizeListVector) batch.getVector("vector");
    StructVector struct = (StructVector) batch.getVector("struct");
    IntVector index = (IntVector) batch.getVector("dict");
    for (int i = 0; i < ROWS; i++) {
      if (i % 3 > 0) {
        ((BigIntVector) batch.getVector("id")).setSafe(i, i);
        ((VarCharVector) batch.getVector("text")).setSafe(i, ("text " + i).getBytes(UTF_8));
        struct.setIndexDefined(i);
        index.setSafe(i, i % 2);
      }
      int start = list.startNewValue(i);
      for (int k = 0; k < i % 4; k++) {
        ((IntVector) list.getDataVector()).setSafe(start + k, k);
      }
      list.endValue(i, i % 4);
      vector.setNotNull(i);
      ((IntVector) vector.getDataVector()).setSafe(2 * i, i);
      ((IntVector) vector.getDataVector()).setSafe(2 * i + 1, i);
      ((VarCharVector) struct.getChild("m")).setSafe(i, "m".getBytes(UTF_8));
    }
    index.setSafe(ROWS - 1, lastIndex);
    batch.setRowCount(ROWS);
  }

  private byte[] parquet() throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            """
            message m {
              optional int64 l;
              optional binary t (STRING);
              optional int96 at;
              optional binary dec (DECIMAL(9,2));
              optional group li (LIST) { repeated group list { optional int32 element; } }
            }
            """);
    Path file = folder.resolve("whole.parquet");
    Files.deleteIfExists(file);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(schema)
            .build()) {
      for (int i = 0; i < ROWS; i++) {
        SimpleGroup row = new SimpleGroup(schema);
        if (i % 3 > 0) {
          row.append("l", (long) i).append("t", "text " + i);
          row.append("at", new org.apache.parquet.example.data.simple.NanoTime(2_440_589, i));
          row.append(
              "dec",
              org.apache.parquet.io.api.Binary.fromConstantByteArray(new byte[] {1, (byte) i}));
        }
        row.addGroup("li").addGroup("list").append("element", i);
        writer.write(row);
      }
    }
    return Files.readAllBytes(file);
  }
}
