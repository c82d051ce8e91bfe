package dev.narwhal.iceberg.mapping;

import java.util.List;
import org.apache.iceberg.types.Types;

/**
 * A field of a dataset and what it becomes.
 *
 * @param source the field
 * @param position of the source among the children of its parent's vector
 * @param target the Iceberg field; its ids are provisional
 * @param rendered whether the target is a string that has the text of the values
 * @param children what is below the target: the fields of a struct, the element of a list, key and
 *     value of a map
 */
public record MappedField(
    SourceField source,
    int position,
    Types.NestedField target,
    boolean rendered,
    List<MappedField> children) {
  public MappedField {
    children = List.copyOf(children);
  }
}
