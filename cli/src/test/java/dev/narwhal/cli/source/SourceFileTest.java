package dev.narwhal.cli.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.write.RowSource;
import io.airlift.compress.zstd.ZstdCompressor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.AbstractCompressionCodec;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parquet and Arrow; what JSON and CSV give is shown by the verbs. */
class SourceFileTest {
  private static final MessageType PARQUET =
      MessageTypeParser.parseMessageType(
          """
          message m {
            required int32 i;
            optional int64 l;
            optional int32 u8 (INTEGER(8,false));
            optional int64 u64 (INTEGER(64,false));
            optional float f;
            optional double d;
            optional boolean b;
            optional binary t (STRING);
            optional binary y;
            optional fixed_len_byte_array(3) x;
            optional int32 day (DATE);
            optional int32 ms (TIME(MILLIS,false));
            optional int64 at (TIMESTAMP(MICROS,true));
            optional int64 local (TIMESTAMP(MILLIS,false));
            optional int96 old;
            optional int32 dec (DECIMAL(9,2));
            optional fixed_len_byte_array(9) big (DECIMAL(20,3));
            optional group s { optional int32 m; required binary n (STRING); }
            optional group li (LIST) { repeated group list { optional int64 element; } }
            optional group legacy (LIST) { repeated int32 array; }
            optional group map (MAP) {
              repeated group key_value { required binary key (STRING); optional int32 value; }
            }
            repeated int32 rep;
          }
          """);

  @TempDir private Path folder;
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @Test
  void parquetOfAllTypes() throws IOException {
    SimpleGroup full = new SimpleGroup(PARQUET);
    full.append("i", -7).append("l", 1L << 40).append("u8", 200).append("u64", -1L);
    full.append("f", 0.5f).append("d", 0.1).append("b", true).append("t", "text");
    full.append("y", Binary.fromConstantByteArray(new byte[] {1, 2}));
    full.append("x", Binary.fromConstantByteArray(new byte[] {1, 2, 3}));
    full.append("day", 20_000).append("ms", 3_600_000).append("at", 1_700_000_000_000_001L);
    full.append("local", 1_700_000_000_001L);
    full.append("old", new NanoTime(2_440_589, 5));
    full.append("dec", 12345);
    byte[] big = {0, 0, 0, 0, 0, 0, 0, 3, (byte) 0xE9};
    full.append("big", Binary.fromConstantByteArray(big));
    full.addGroup("s").append("n", "member");
    Group list = full.addGroup("li");
    list.addGroup("list").append("element", 5L);
    list.addGroup("list");
    full.addGroup("legacy").append("array", 1).append("array", 2);
    full.addGroup("map").addGroup("key_value").append("key", "k").append("value", 9);
    full.append("rep", 3).append("rep", 4);
    SimpleGroup empty = new SimpleGroup(PARQUET);
    empty.append("i", 1);
    Path file = folder.resolve("a.parquet");
    write(file, List.of(full, empty));
    try (RowSource source = SourceFile.at(file).open(allocator)) {
      assertThat(source.next()).isTrue();
      VectorSchemaRoot batch = source.batch();
      List<String> values = new ArrayList<>();
      for (FieldVector vector : batch.getFieldVectors()) {
        values.add(vector.getName() + '=' + text(vector.getObject(0)));
        boolean required = vector.getName().equals("i") || vector.getName().equals("rep");
        assertThat(vector.isNull(1)).as(vector.getName()).isEqualTo(!required);
      }
      assertThat(values)
          .containsExactly(
              "i=-7",
              "l=1099511627776",
              "u8=-56",
              "u64=-1",
              "f=0.5",
              "d=0.1",
              "b=true",
              "t=text",
              "y=[1, 2]",
              "x=[1, 2, 3]",
              "day=20000",
              "ms=1970-01-01T01:00",
              "at=1700000000000001",
              "local=2023-11-14T22:13:20.001",
              "old=86400000000005",
              "dec=123.45",
              "big=1.001",
              "s={\"n\":\"member\"}",
              "li=[5,null]",
              "legacy=[1,2]",
              "map=[{\"key\":\"k\",\"value\":9}]",
              "rep=[3,4]");
      assertThat(source.next()).isFalse();
    }
  }

  @Test
  void parquetTakesTheTablesTypesWhereNothingIsLost() throws IOException {
    SimpleGroup row = new SimpleGroup(PARQUET);
    row.append("i", 300).append("f", 0.5f).append("d", 0.1).append("day", 1);
    Path file = folder.resolve("a.parquet");
    write(file, List.of(row));
    Field wide = Field.notNullable("i", new ArrowType.Int(64, true));
    Field at = Field.nullable("day", new ArrowType.Timestamp(TimeUnit.MILLISECOND, null));
    try (RowSource source = SourceFile.at(file).open(new Schema(List.of(wide, at)), allocator)) {
      assertThat(source.next()).isTrue();
      assertThat(((BigIntVector) source.batch().getVector("i")).get(0)).isEqualTo(300);
      assertThat(source.batch().getVector("day").getObject(0)).hasToString("1970-01-02T00:00");
    }
    for (Map.Entry<Field, String> bad :
        Map.of(
                Field.notNullable("i", new ArrowType.Int(8, true)),
                "row 1, column 'i': 300, expected an integer in [-128, 127]",
                Field.nullable("d", SINGLE),
                "row 1, column 'd': 0.1, expected a float32",
                Field.notNullable("l", new ArrowType.Int(64, true)),
                "row 1, column 'l': no value, but it cannot be null",
                Field.nullable("i", new ArrowType.Utf8()),
                "row 1, column 'i': 300, expected text")
            .entrySet()) {
      try (RowSource source =
          SourceFile.at(file).open(new Schema(List.of(bad.getKey())), allocator)) {
        assertThatIllegalArgumentException()
            .isThrownBy(source::next)
            .withMessageContaining("a.parquet")
            .withMessageContaining(bad.getValue());
      }
    }
  }

  private static final ArrowType SINGLE =
      new ArrowType.FloatingPoint(org.apache.arrow.vector.types.FloatingPointPrecision.SINGLE);

  @Test
  void damagedFilesAreRefused() throws IOException {
    for (String name : List.of("a.parquet", "a.arrow", "a.arrows")) {
      Path file = Files.write(folder.resolve(name), new byte[] {'P', 'A', 'R', '1', 9, 9, 9, 9});
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> SourceFile.at(file).open(allocator).close())
          .withMessageContaining(name);
    }
  }

  @ParameterizedTest
  @CsvSource({"arrow,NO_COMPRESSION", "arrow,ZSTD", "arrows,NO_COMPRESSION", "feather,ZSTD"})
  void arrowFilesAndStreams(String extension, CodecType codec) throws IOException {
    Path file = folder.resolve("a." + extension);
    Schema schema =
        new Schema(
            List.of(
                Field.notNullable("id", new ArrowType.Int(64, true)),
                Field.nullable("t", new ArrowType.Utf8())));
    DictionaryProvider none = new DictionaryProvider.MapDictionaryProvider();
    try (VectorSchemaRoot batch = VectorSchemaRoot.create(schema, allocator);
        OutputStream out = Files.newOutputStream(file)) {
      batch.allocateNew();
      for (int i = 0; i < 5000; i++) {
        ((BigIntVector) batch.getVector(0)).setSafe(i, i / 10);
        ((VarCharVector) batch.getVector(1)).setSafe(i, ("text " + i % 7).getBytes());
      }
      batch.setRowCount(5000);
      if (extension.equals("arrows")) {
        try (ArrowStreamWriter writer = new ArrowStreamWriter(batch, none, out)) {
          writer.writeBatch();
          writer.writeBatch();
          writer.end();
        }
      } else {
        try (ArrowFileWriter writer =
            new ArrowFileWriter(
                batch,
                none,
                Channels.newChannel(out),
                Map.of(),
                IpcOption.DEFAULT,
                new Compressing(),
                codec)) {
          writer.writeBatch();
          writer.writeBatch();
          writer.end();
        }
      }
    }
    long rows = 0;
    try (RowSource source = SourceFile.at(file).open(allocator)) {
      assertThat(source.schema()).isEqualTo(schema);
      while (source.next()) {
        assertThat(((BigIntVector) source.batch().getVector(0)).get(4999)).isEqualTo(499);
        assertThat(source.batch().getVector(1).getObject(4999)).hasToString("text 1");
        rows += source.batch().getRowCount();
      }
    }
    assertThat(rows).isEqualTo(10_000);
  }

  /** What our reading codec leaves out. */
  private static final class Compressing implements CompressionCodec.Factory {
    @Override
    public CompressionCodec createCodec(CodecType type) {
      return type == CodecType.ZSTD ? new Zstd() : new IpcCompression().createCodec(type);
    }

    @Override
    public CompressionCodec createCodec(CodecType type, int level) {
      return createCodec(type);
    }
  }

  private static final class Zstd extends AbstractCompressionCodec {
    @Override
    public CodecType getCodecType() {
      return CodecType.ZSTD;
    }

    @Override
    protected ArrowBuf doCompress(BufferAllocator allocator, ArrowBuf buffer) {
      byte[] in = new byte[(int) buffer.writerIndex()];
      buffer.getBytes(0, in);
      ZstdCompressor compressor = new ZstdCompressor();
      byte[] out = new byte[compressor.maxCompressedLength(in.length)];
      int size = compressor.compress(in, 0, in.length, out, 0, out.length);
      ArrowBuf result = allocator.buffer(8 + size);
      result.setLong(0, in.length);
      result.setBytes(8, out, 0, size);
      result.writerIndex(8L + size);
      return result;
    }

    @Override
    protected ArrowBuf doDecompress(BufferAllocator allocator, ArrowBuf buffer) {
      throw new UnsupportedOperationException();
    }
  }

  private static void write(Path file, List<SimpleGroup> rows) throws IOException {
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withConf(new PlainParquetConfiguration())
            .withType(PARQUET)
            .build()) {
      for (SimpleGroup row : rows) {
        writer.write(row);
      }
    }
  }

  private static String text(Object value) {
    return value instanceof byte[] bytes ? java.util.Arrays.toString(bytes) : String.valueOf(value);
  }
}
