package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.array.ArrayNode;
import dev.narwhal.lance.datafile.array.ArrayNodeCodec;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/**
 * A struct of 2.0: a header, of one page, and its fields. That a struct is null is not stored; so
 * that none is lost, it is refused. Source: file format sheet 2.6.
 */
final class ArrayStructWriter implements ArrayNodeWriter {
  private final int column;
  private final String name;
  private final List<ArrayNodeWriter> fields;
  private long slots;

  ArrayStructWriter(int column, String name, List<ArrayNodeWriter> fields) {
    this.column = column;
    this.name = name;
    this.fields = List.copyOf(fields);
  }

  @Override
  public void bind(FieldVector vector, DictionaryProvider dictionaries) {
    if (Source.validity(vector) != null) {
      throw new IllegalArgumentException(
          "column '"
              + name
              + "': a null struct, which data files of version 2.0 cannot store; 2.1 can");
    }
    List<FieldVector> children = vector.getChildrenFromFields();
    for (int i = 0; i < fields.size(); i++) {
      fields.get(i).bind(children.get(i), dictionaries);
    }
  }

  @Override
  public boolean needsPage() {
    return fields.stream().anyMatch(ArrayNodeWriter::needsPage);
  }

  @Override
  public void append(int from, int to) {
    slots += to - from;
    fields.forEach(field -> field.append(from, to));
  }

  @Override
  public long sizeBytes() {
    return fields.stream().mapToLong(ArrayNodeWriter::sizeBytes).max().orElse(0);
  }

  @Override
  public long sizeBytes(int from, int to) {
    return fields.stream().mapToLong(field -> field.sizeBytes(from, to)).max().orElse(0);
  }

  @Override
  public void endPages(List<ColumnPage> target) {
    fields.forEach(field -> field.endPages(target));
  }

  @Override
  public void finish(List<ColumnPage> target) {
    EncodedPage header =
        new EncodedPage(slots, ArrayNodeCodec.encode(new ArrayNode.StructHeader()), List.of());
    target.add(ColumnPage.of(column, header));
    fields.forEach(field -> field.finish(target));
  }
}
