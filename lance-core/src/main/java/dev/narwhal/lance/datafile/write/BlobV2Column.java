package dev.narwhal.lance.datafile.write;

import dev.narwhal.lance.datafile.ColumnMetadata;
import dev.narwhal.lance.datafile.page.ByteRange;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.UnknownFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.jspecify.annotations.Nullable;

/**
 * A column of blobs of the second kind, from 2.2 on. Each value is a buffer of the file, whatever
 * its size; the page has a packed struct of five fields for each. Source: file format sheet 7.2.
 */
final class BlobV2Column implements FieldWriter {
  private static final String DATA = "data";
  private static final String URI = "uri";
  private static final Map<String, String> FILE_METADATA =
      Map.of("lance-encoding:blob", "true", "lance-encoding:packed", "true");

  private final PathNode node;
  private final int pageBytes;
  private final VariableLeaf values = new VariableLeaf(Long.SIZE, false);
  private final BitBuffer valid = new BitBuffer();
  private byte @Nullable [] structs;
  private byte @Nullable [] data;

  BlobV2Column(PathNode node, int pageBytes) {
    this.node = node;
    this.pageBytes = pageBytes;
  }

  /** The schema as the file has it, where such fields have descriptors below them. */
  static LanceSchema inFile(LanceSchema schema) {
    List<LanceField> fields = new ArrayList<>();
    Set<Integer> blobs = new HashSet<>();
    for (LanceField field : schema.fields()) {
      if (field.isBlobV2()) {
        blobs.add(field.id());
        fields.add(
            field(field.id(), field.parentId(), field.name(), "struct", field.nullable(), field));
        String[][] below = {
          {"kind", "uint8"},
          {"position", "uint64"},
          {"size", "uint64"},
          {"blob_id", "uint32"},
          {"blob_uri", "string"}
        };
        for (String[] child : below) {
          fields.add(
              new LanceField(
                  -1, field.id(), child[0], child[1], false, Map.of(), UnknownFields.none()));
        }
      } else if (!blobs.contains(field.parentId())) {
        fields.add(field);
      }
    }
    return new LanceSchema(fields, schema.metadata());
  }

  private static LanceField field(
      int id, int parent, String name, String type, boolean nullable, LanceField table) {
    Map<String, String> metadata = new HashMap<>(table.metadata());
    metadata.keySet().removeIf(key -> key.startsWith("ARROW:extension:"));
    metadata.putAll(FILE_METADATA);
    return new LanceField(id, parent, name, type, nullable, metadata, UnknownFields.none());
  }

  @Override
  public int columns() {
    return 1;
  }

  @Override
  public ColumnMetadata.Kind kind(int column) {
    return ColumnMetadata.Kind.VALUES;
  }

  @Override
  public long priority(long pageRows) {
    return pageRows;
  }

  @Override
  public void bind(FieldVector root, DictionaryProvider dictionaries, long row) {
    StructVector vector = (StructVector) root;
    requireNoUris(vector);
    FieldVector bytes = vector.getChild(DATA);
    structs = Source.validity(vector);
    data = Source.validity(bytes);
    values.bind(bytes);
  }

  /** What lies below a null is nothing, and an empty URI is none. */
  private void requireNoUris(StructVector vector) {
    FieldVector uris = vector.getChild(URI);
    for (int i = 0; uris != null && i < vector.getValueCount(); i++) {
      if (!vector.isNull(i) && !uris.isNull(i) && !uris.getObject(i).toString().isEmpty()) {
        throw new UnsupportedFeatureException(
            "column '" + node.name() + "': blobs outside the dataset, by URI, are not written");
      }
    }
  }

  @Override
  public long sizeBytes(int from, int to) {
    return values.sizeBytes(from, to);
  }

  @Override
  public List<PageTask> append(int from, int to) {
    List<ColumnPage> pages = new ArrayList<>();
    for (int i = from; i < to; i++) {
      boolean isValid =
          (structs == null || BitBuffer.bit(structs, i))
              && (data == null || BitBuffer.bit(data, i));
      valid.add(isValid);
      if (isValid) {
        values.append(i, i + 1);
      } else {
        node.requireNullable();
        values.appendNulls(1);
      }
      if (values.sizeBytes() >= pageBytes) {
        pages.addAll(page());
      }
    }
    return PageTask.done(pages);
  }

  @Override
  public List<PageTask> finish() {
    return PageTask.done(page());
  }

  private List<ColumnPage> page() {
    if (valid.size() == 0) {
      return List.of();
    }
    PageLevels levels = PageLevels.flat(valid).inStruct();
    ColumnPage page =
        levels.validCount() == 0
            ? ColumnPage.of(0, ConstantEncoder.nulls(levels, true))
            : descriptors(levels);
    values.clear();
    valid.clear();
    return List.of(page);
  }

  private ColumnPage descriptors(PageLevels levels) {
    int[] sizes = BlobPages.sizes(values);
    return new ColumnPage(
        0,
        BlobPages.payloads(values),
        places -> FullZipEncoder.packed(levels, descriptors(sizes, places)));
  }

  private PackedLeaf descriptors(int[] sizes, List<ByteRange> places) {
    FixedLeaf kinds = new FixedLeaf(Byte.BYTES);
    FixedLeaf positions = new FixedLeaf(Long.BYTES);
    FixedLeaf lengths = new FixedLeaf(Long.BYTES);
    FixedLeaf ids = new FixedLeaf(Integer.BYTES);
    VariableLeaf uris = new VariableLeaf(Integer.SIZE, true);
    // all of them are in this file, which kind 0 says
    kinds.appendNulls(sizes.length);
    ids.appendNulls(sizes.length);
    uris.appendNulls(sizes.length);
    int next = 0;
    for (int size : sizes) {
      positions.bytes().putLong(size == 0 ? 0 : places.get(next++).position());
      lengths.bytes().putLong(size);
    }
    return new PackedLeaf(node.name(), List.of(kinds, positions, lengths, ids, uris));
  }
}
