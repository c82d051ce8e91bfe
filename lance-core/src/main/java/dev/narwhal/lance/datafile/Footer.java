package dev.narwhal.lance.datafile;

import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.error.LanceFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The last 40 bytes of a data file.
 *
 * <pre>
 * byte   size   order   meaning
 * 0      8      LE      position of the first column metadata message
 * 8      8      LE      position of the column metadata offset table (CMO)
 * 16     8      LE      position of the global buffer offset table (GBO)
 * 24     4      LE      number of global buffers
 * 28     4      LE      number of columns
 * 32     2      LE      major version
 * 34     2      LE      minor version
 * 36     4      -       magic 4C 41 4E 43
 * </pre>
 *
 * <p>Both tables have 16 bytes an entry: u64 position, u64 length. Real Lance finds the CMO table
 * backwards from the GBO table, so a gap between them, where two readers would see two files, is
 * refused. Source: file format sheet 1.2, 1.4.
 *
 * @param columnMetadataStart messages of columns lie between here and the CMO table
 * @param globalBuffers {@code >= 1}: the first is the schema
 */
record Footer(
    FileVersion version,
    long columnMetadataStart,
    ByteRange columnTable,
    ByteRange globalTable,
    int globalBuffers,
    int columns) {
  static final int SIZE_BYTES = 40;
  static final int TABLE_ENTRY_BYTES = 16;

  private static final int MAGIC = 0x434E414C;

  /**
   * @param bytes 40 bytes from the position on
   * @param fileBytes size of the whole file
   */
  static Footer decode(ByteBuffer bytes, long fileBytes) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    int magic = in.getInt(36);
    if (magic != MAGIC) {
      throw new LanceFormatException(
          String.format("magic 0x%08x, expected 0x%08x (LANC, last 4 bytes)", magic, MAGIC));
    }
    int major = Short.toUnsignedInt(in.getShort(32));
    int minor = Short.toUnsignedInt(in.getShort(34));
    // before the rest, which files of the legacy format do not have
    FileVersion version = FileVersion.of(major, minor);
    long globals = Integer.toUnsignedLong(in.getInt(24));
    long columns = Integer.toUnsignedLong(in.getInt(28));
    long end = fileBytes - SIZE_BYTES;
    ByteRange columnTable = table("CMO", in.getLong(8), columns, end);
    ByteRange globalTable = table("GBO", in.getLong(16), globals, end);
    long start = in.getLong(0);
    if (globals == 0) {
      throw new LanceFormatException("no global buffer, expected the schema in the first");
    }
    if (columnTable.end() != globalTable.position()) {
      throw new LanceFormatException(
          "CMO table ends at "
              + columnTable.end()
              + ", expected the start of the GBO table, "
              + globalTable.position());
    }
    if (start < 0 || start > columnTable.position()) {
      throw new LanceFormatException(
          "column metadata starts at "
              + Long.toUnsignedString(start)
              + ", expected at most the CMO position "
              + columnTable.position());
    }
    return new Footer(version, start, columnTable, globalTable, (int) globals, (int) columns);
  }

  /** The 40 bytes. */
  static ByteBuffer encode(
      FileVersion version, long columnMetadataStart, ByteRange columnTable, ByteRange globalTable) {
    ByteBuffer out = ByteBuffer.allocate(SIZE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(columnMetadataStart);
    out.putLong(columnTable.position());
    out.putLong(globalTable.position());
    out.putInt((int) (globalTable.sizeBytes() / TABLE_ENTRY_BYTES));
    out.putInt((int) (columnTable.sizeBytes() / TABLE_ENTRY_BYTES));
    out.putShort((short) version.footerMajor());
    out.putShort((short) version.footerMinor());
    out.putInt(MAGIC);
    return out.flip();
  }

  private static ByteRange table(String name, long position, long entries, long end) {
    if (position < 0 || position > end || entries > (end - position) / TABLE_ENTRY_BYTES) {
      throw new LanceFormatException(
          name
              + " table of "
              + entries
              + " entries at "
              + Long.toUnsignedString(position)
              + " exceeds the "
              + end
              + " bytes before the footer");
    }
    return new ByteRange(position, entries * TABLE_ENTRY_BYTES);
  }
}
