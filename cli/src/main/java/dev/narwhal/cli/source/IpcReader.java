package dev.narwhal.cli.source;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;

/** Arrow IPC whose batches are looked at before they are believed, see {@link IpcBatch}. */
final class IpcReader extends ArrowStreamReader {
  private final IpcMessages messages;

  private IpcReader(IpcMessages messages, BufferAllocator allocator) {
    super(messages, allocator, new IpcCompression());
    this.messages = messages;
  }

  /** Opens a file or a stream. */
  static IpcReader open(Path file, BufferAllocator allocator) throws IOException {
    return new IpcReader(IpcMessages.open(file, allocator), allocator);
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    try {
      boolean loaded = super.loadNextBatch();
      if (loaded) {
        requireIndices(getVectorSchemaRoot().getFieldVectors());
      }
      return loaded;
    } catch (IOException | RuntimeException e) {
      messages.releaseBody();
      throw e;
    }
  }

  @Override
  protected void loadRecordBatch(ArrowRecordBatch batch) {
    try (batch) {
      super.loadRecordBatch(IpcBatch.plain(batch, fields(), allocator));
    }
  }

  private List<Field> fields() {
    try {
      return getVectorSchemaRoot().getSchema().getFields();
    } catch (IOException e) {
      throw new IllegalStateException("batches come after the schema", e);
    }
  }

  @Override
  protected void loadDictionary(ArrowDictionaryBatch batch) {
    try (batch) {
      Dictionary dictionary = dictionaries.get(batch.getDictionaryId());
      if (dictionary == null) {
        throw new IllegalArgumentException("no column has a dictionary " + batch.getDictionaryId());
      }
      List<Field> values = List.of(dictionary.getVector().getField());
      super.loadDictionary(
          new ArrowDictionaryBatch(
              batch.getDictionaryId(),
              IpcBatch.plain(batch.getDictionary(), values, allocator),
              batch.isDelta()));
    }
  }

  private void requireIndices(List<FieldVector> vectors) {
    for (FieldVector vector : vectors) {
      DictionaryEncoding encoding = vector.getField().getDictionary();
      if (encoding == null) {
        requireIndices(vector.getChildrenFromFields());
      } else {
        requireIndices(vector, lookup(encoding.getId()).getVector().getValueCount());
      }
    }
  }

  private static void requireIndices(FieldVector indices, int count) {
    BaseIntVector integers = (BaseIntVector) indices;
    for (int i = 0; i < indices.getValueCount(); i++) {
      if (!indices.isNull(i)) {
        long index = integers.getValueAsLong(i);
        if (index < 0 || index >= count) {
          throw new IllegalArgumentException(
              "column '%s': index %d into a dictionary of %d"
                  .formatted(indices.getName(), index, count));
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    super.close();
    // those of a reader that failed while it was opened
    if (dictionaries != null) {
      dictionaries.values().forEach(dictionary -> dictionary.getVector().close());
    }
    messages.close();
  }
}
