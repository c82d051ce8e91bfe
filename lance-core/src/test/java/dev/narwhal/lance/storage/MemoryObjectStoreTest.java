package dev.narwhal.lance.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class MemoryObjectStoreTest extends ObjectStoreContract {
  @Override
  ObjectStore newStore() {
    return new MemoryObjectStore();
  }

  @Test
  void itsNameIsInMessages() {
    MemoryObjectStore store = new MemoryObjectStore("source");
    assertThat(store.uri()).isEqualTo("memory:source");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.read("data/x"))
        .withMessageContaining("memory:source/data/x");
  }
}
