package dev.narwhal.lance.write.update;

import static java.util.Objects.requireNonNull;

import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.lance.fragment.Fragment;
import java.util.List;

/**
 * A fragment of which some columns lie in a new file; no commit knows it yet.
 *
 * @param fragment as it is to be
 * @param offsets of the rows that have new values
 * @param fieldIds of the fields that are in the new file
 */
public record PatchedFragment(Fragment fragment, DeletionVector offsets, List<Integer> fieldIds) {
  public PatchedFragment {
    requireNonNull(fragment, "fragment");
    requireNonNull(offsets, "offsets");
    fieldIds = List.copyOf(fieldIds);
  }
}
