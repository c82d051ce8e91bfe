package dev.narwhal.iceberg.rowdelete.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridDecoder;
import org.apache.parquet.io.ParquetDecodingException;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a column that is no list, one after the other. Levels and values are decoded by
 * Parquet's own readers; only values that are stored plainly are handed out as the bytes they are.
 * For one thread.
 */
final class ColumnPages {
  /** Decodes definition levels. */
  private interface Levels {
    int next() throws IOException;
  }

  private final ColumnDescriptor descriptor;
  private @Nullable PageReader reader;
  private @Nullable Dictionary dictionary;

  private Levels levels = () -> 0;

  /** Exactly one of these two is there once a page is. */
  private @Nullable ByteBuffer plain;

  private @Nullable ValuesReader coded;

  /** Rows of the page that were not asked for yet. */
  private int left;

  ColumnPages(ColumnDescriptor descriptor) {
    this.descriptor = descriptor;
  }

  /** Goes to the first page of a row group. */
  void start(PageReadStore rowGroup) {
    reader = rowGroup.getPageReader(descriptor);
    left = 0;
    DictionaryPage page = reader.readDictionaryPage();
    try {
      dictionary = page == null ? null : page.getEncoding().initDictionary(descriptor, page);
    } catch (IOException e) {
      throw new ParquetDecodingException("cannot decode the dictionary of " + descriptor, e);
    }
  }

  /**
   * Goes on by rows of one page.
   *
   * @param most rows wanted, at least one
   * @param defined gets which of them have a value
   * @return how many rows, at least one
   */
  int next(int most, boolean[] defined) {
    while (left == 0) {
      open();
    }
    int count = Math.min(most, left);
    left -= count;
    int present = descriptor.getMaxDefinitionLevel();
    if (present == 0) {
      Arrays.fill(defined, 0, count, true);
      return count;
    }
    try {
      for (int i = 0; i < count; i++) {
        defined[i] = levels.next() == present;
      }
    } catch (IOException e) {
      throw new ParquetDecodingException("cannot decode levels of " + descriptor, e);
    }
    return count;
  }

  /**
   * The next values of the page as they are stored, little-endian; nothing if they are coded.
   *
   * @param bytes of the values
   */
  Optional<ByteBuffer> plain(int bytes) {
    ByteBuffer stored = plain;
    if (stored == null) {
      return Optional.empty();
    }
    if (stored.remaining() < bytes) {
      throw new ParquetDecodingException(
          "a page of " + descriptor + " ends " + (bytes - stored.remaining()) + " bytes early");
    }
    ByteBuffer values = stored.slice(stored.position(), bytes).order(ByteOrder.LITTLE_ENDIAN);
    stored.position(stored.position() + bytes);
    return Optional.of(values);
  }

  /** The reader of the page's values, which are coded. */
  ValuesReader coded() {
    ValuesReader values = coded;
    if (values == null) {
      throw new IllegalStateException("values of " + descriptor + " are stored plainly");
    }
    return values;
  }

  private void open() {
    DataPage page = reader == null ? null : reader.readPage();
    if (page == null) {
      throw new ParquetDecodingException(descriptor + " has fewer values than the file has rows");
    }
    left = page.getValueCount();
    if (left < 0) {
      throw new ParquetDecodingException("a page of " + descriptor + " has " + left + " values");
    }
    try {
      if (page instanceof DataPageV1 first) {
        open(first);
      } else {
        open((DataPageV2) page);
      }
    } catch (IOException e) {
      throw new ParquetDecodingException("cannot decode a page of " + descriptor, e);
    }
  }

  private void open(DataPageV1 page) throws IOException {
    ByteBufferInputStream bytes = page.getBytes().toInputStream();
    ValuesReader repetitions =
        page.getRlEncoding().getValuesReader(descriptor, ValuesType.REPETITION_LEVEL);
    repetitions.initFromPage(left, bytes);
    ValuesReader definitions =
        page.getDlEncoding().getValuesReader(descriptor, ValuesType.DEFINITION_LEVEL);
    definitions.initFromPage(left, bytes);
    levels = definitions::readInteger;
    openValues(page.getValueEncoding(), bytes);
  }

  private void open(DataPageV2 page) throws IOException {
    int width = BytesUtils.getWidthFromMaxInt(descriptor.getMaxDefinitionLevel());
    levels =
        new RunLengthBitPackingHybridDecoder(width, page.getDefinitionLevels().toInputStream())
            ::readInt;
    openValues(page.getDataEncoding(), page.getData().toInputStream());
  }

  private void openValues(Encoding encoding, ByteBufferInputStream bytes) throws IOException {
    plain = null;
    coded = null;
    if (encoding == Encoding.PLAIN && isFixedWidth()) {
      plain = bytes.slice(bytes.available());
      return;
    }
    Dictionary words = dictionary;
    if (encoding.usesDictionary() && words == null) {
      throw new ParquetDecodingException("a page of " + descriptor + " has no dictionary");
    }
    ValuesReader values =
        words != null && encoding.usesDictionary()
            ? encoding.getDictionaryBasedValuesReader(descriptor, ValuesType.VALUES, words)
            : encoding.getValuesReader(descriptor, ValuesType.VALUES);
    values.initFromPage(left, bytes);
    coded = values;
  }

  private boolean isFixedWidth() {
    return switch (descriptor.getPrimitiveType().getPrimitiveTypeName()) {
      case INT32, INT64, FLOAT, DOUBLE -> true;
      default -> false;
    };
  }
}
