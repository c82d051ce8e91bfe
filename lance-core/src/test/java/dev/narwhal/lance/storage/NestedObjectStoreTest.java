package dev.narwhal.lance.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NestedObjectStoreTest extends ObjectStoreContract {
  @Override
  ObjectStore newStore() {
    return new NestedObjectStore(new MemoryObjectStore(), "tree/exp");
  }

  @Test
  void itsObjectsLieBelowTheDirectory() throws IOException {
    MemoryObjectStore outer = new MemoryObjectStore();
    ObjectStore branch = new NestedObjectStore(outer, "tree/exp");
    branch.put("data/x", bytes("1"));
    outer.put("data/y", bytes("2"));

    assertThat(text(outer.read("tree/exp/data/x"))).isEqualTo("1");
    assertThat(branch.list("data")).containsExactly("x");
    assertThat(branch.uri()).isEqualTo("memory:memory/tree/exp");
  }

  @Test
  void itsDirectoryCannotLeaveTheOuterStore() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NestedObjectStore(new MemoryObjectStore(), "tree/../.."));
  }
}
