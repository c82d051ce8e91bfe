package dev.narwhal.lance.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedReaderTest {
  @TempDir Path folder;
  private FaultyObjectStore store = FaultyObjectStore.faultless(LocalObjectStore.at(Path.of("")));

  @BeforeEach
  void write() throws IOException {
    store = FaultyObjectStore.faultless(LocalObjectStore.at(folder));
    store.put("a", bytes("abc"));
  }

  @Test
  void isOpenUntilTheLastUserClosesIt() throws IOException {
    SharedReader reader = SharedReader.open(store, "a");
    reader.lease();
    reader.close();

    assertThat(read(reader)).isEqualTo("abc");

    reader.close();
    assertThatThrownBy(() -> read(reader)).isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void closingItOnceTooOftenTakesItFromNobody() throws IOException {
    SharedReader reader = SharedReader.open(store, "a");
    reader.close();
    reader.close();
    reader.lease();

    assertThat(read(reader)).isEqualTo("abc");
    reader.close();
  }

  @Test
  void aLaterUserOpensItAgainAndOnlyToRead() throws IOException {
    SharedReader reader = SharedReader.open(store, "a");
    reader.close();
    int opened = opens();
    reader.lease();
    assertThat(opens()).isEqualTo(opened);

    assertThat(read(reader)).isEqualTo("abc");
    assertThat(read(reader)).isEqualTo("abc");
    reader.close();

    assertThat(opens()).isEqualTo(opened + 1);
  }

  @Test
  void whatWasReplacedIsNotReadAsWhatWasLearntOfIt() throws IOException {
    SharedReader reader = SharedReader.open(store, "a");
    reader.close();
    store.put("a", bytes("other"));
    reader.lease();

    assertThatThrownBy(() -> read(reader))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("was replaced")
        .hasMessageContaining(folder.resolve("a").toString());
    reader.close();
  }

  private int opens() {
    return (int) store.calls().stream().filter(call -> call.startsWith("open")).count();
  }

  private static String read(ObjectReader reader) throws IOException {
    ByteBuffer target = ByteBuffer.allocate((int) reader.sizeBytes());
    reader.readFully(0, target);
    return new String(target.array(), StandardCharsets.UTF_8);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }
}
