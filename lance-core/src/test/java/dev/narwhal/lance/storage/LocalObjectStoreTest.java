package dev.narwhal.lance.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.narwhal.lance.error.UnsupportedFeatureException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalObjectStoreTest extends ObjectStoreContract {
  @TempDir private Path temp;
  private int stores;

  @Override
  ObjectStore newStore() {
    return LocalObjectStore.at(temp.resolve("not/yet/there" + stores++));
  }

  @Test
  void durableStoreKeepsTheContractToo() throws IOException {
    ObjectStore store = LocalObjectStore.at(temp.resolve("d")).durable();
    store.put("a/b", bytes("plain"));
    assertThat(store.putIfAbsent("a/c", bytes("exclusive"))).isTrue();
    assertThat(store.putIfAbsent("a/c", bytes("late"))).isFalse();
    assertThat(text(store.read("a/c"))).isEqualTo("exclusive");
    assertThat(store.list("a")).containsExactlyInAnyOrder("b", "c");
  }

  @Test
  void directoryInsteadOfAFileIsAnErrorThatSaysSo() throws IOException {
    Path root = Files.createDirectories(temp.resolve("r"));
    Files.createDirectories(root.resolve("dir"));
    ObjectStore store = LocalObjectStore.at(root);

    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> store.read("dir"))
        .withMessageContaining("dir: is a directory, not a file");
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> store.delete("dir"))
        .withMessageContaining("is a directory");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> store.put("dir", bytes("x")))
        .withMessageContaining("dir");
    assertThat(store.putIfAbsent("dir", bytes("x"))).isFalse();
    assertThat(store.exists("dir")).isFalse();
    assertThat(root.resolve("dir")).isEmptyDirectory();
    assertThat(root).isDirectoryNotContaining("glob:**.tmp*");
  }

  @Test
  void fileInsteadOfADirectoryIsAnErrorThatSaysSo() throws IOException {
    Path root = Files.createDirectories(temp.resolve("r"));
    Files.writeString(root.resolve("file"), "x");
    ObjectStore store = LocalObjectStore.at(root);

    assertThatExceptionOfType(NotDirectoryException.class)
        .isThrownBy(() -> store.list("file"))
        .withMessageContaining("file");
    assertThat(store.exists("file/below")).isFalse();
    assertThatExceptionOfType(NotDirectoryException.class)
        .isThrownBy(() -> store.put("file/below", bytes("x")))
        .withMessageContaining("file");
    assertThatExceptionOfType(NotDirectoryException.class)
        .isThrownBy(() -> LocalObjectStore.at(root.resolve("file")).list(""));
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void nameThatNoFileCanHaveIsNotThere() throws IOException {
    ObjectStore store = LocalObjectStore.at(temp);
    String name = "n".repeat(256);
    assertThat(store.exists(name)).isFalse();
    assertThat(store.exists("d/".repeat(2100) + "f")).isFalse();
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> store.putIfAbsent(name, bytes("x")));
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aPipeIsNotWaitedFor() throws Exception {
    Path pipe = temp.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

    assertThatExceptionOfType(NotDirectoryException.class)
        .isThrownBy(() -> LocalObjectStore.at(pipe).list(""));
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> LocalObjectStore.at(temp).open("pipe"));
  }

  @Test
  void followsLinksThatLeaveTheRoot() throws IOException {
    Path outside = Files.createDirectories(temp.resolve("outside"));
    Files.writeString(outside.resolve("x"), "linked");
    Path root = Files.createDirectories(temp.resolve("r"));
    Files.createSymbolicLink(root.resolve("data"), outside);

    assertThat(text(LocalObjectStore.at(root).read("data/x"))).isEqualTo("linked");
  }

  @Test
  void danglingLinkUnderTheFinalNameIsNotWrittenThrough() throws IOException {
    Path root = Files.createDirectories(temp.resolve("r"));
    Files.createSymbolicLink(root.resolve("v"), temp.resolve("elsewhere"));

    assertThat(LocalObjectStore.at(root).putIfAbsent("v", bytes("x"))).isFalse();
    assertThat(temp.resolve("elsewhere")).doesNotExist();
  }

  @Test
  void whatACrashLeavesBehindDisturbsNobody() throws IOException {
    Path root = Files.createDirectories(temp.resolve("r/_versions"));
    Files.writeString(root.resolve(".tmp1234"), "torn");
    ObjectStore store = LocalObjectStore.at(temp.resolve("r"));

    assertThat(store.exists("_versions/1.manifest")).isFalse();
    assertThat(store.putIfAbsent("_versions/1.manifest", bytes("whole"))).isTrue();
    assertThat(store.list("_versions")).containsExactlyInAnyOrder(".tmp1234", "1.manifest");
  }

  @Test
  void objectsAreReadableByWhomTheUmaskAllows() throws IOException {
    Path umasked = Files.createFile(temp.resolve("umasked"));
    ObjectStore store = LocalObjectStore.at(temp);
    store.put("put", bytes("x"));
    store.putIfAbsent("absent", bytes("x"));

    for (String name : new String[] {"put", "absent"}) {
      assertThat(Files.getPosixFilePermissions(temp.resolve(name)))
          .isEqualTo(Files.getPosixFilePermissions(umasked))
          .contains(PosixFilePermission.OWNER_READ);
    }
  }

  @Test
  void interruptOfOneReadingThreadLeavesTheOthersTheirReader() throws Exception {
    ObjectStore store = LocalObjectStore.at(temp);
    store.put("a", bytes("12345"));
    try (ObjectReader reader = store.open("a")) {
      CompletableFuture<Throwable> interrupted = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  reader.readFully(0, ByteBuffer.allocate(5));
                  interrupted.complete(new AssertionError("read on in spite of the interrupt"));
                } catch (IOException e) {
                  interrupted.complete(e);
                }
              });
      thread.start();
      assertThat(interrupted.get()).isInstanceOf(ClosedByInterruptException.class);
      thread.join();

      ByteBuffer target = ByteBuffer.allocate(5);
      reader.readFully(0, target);
      assertThat(text(target.flip())).isEqualTo("12345");
    }
  }

  @Test
  void readerRefusesAFileThatWasReplacedBehindItsBack() throws Exception {
    ObjectStore store = LocalObjectStore.at(temp);
    store.put("a", bytes("12345"));
    try (ObjectReader reader = store.open("a")) {
      Thread thread =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                assertThatExceptionOfType(ClosedByInterruptException.class)
                    .isThrownBy(() -> reader.readFully(0, ByteBuffer.allocate(5)));
              });
      thread.start();
      thread.join();
      store.put("a", bytes("123456"));

      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> reader.readFully(0, ByteBuffer.allocate(5)))
          .withMessageContaining("was replaced");
    }
  }

  @Test
  void interruptedWriterLeavesNothing() throws Exception {
    ObjectStore store = LocalObjectStore.at(temp.resolve("w"));
    CompletableFuture<Throwable> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              try {
                store.putIfAbsent("v/1", bytes("x"));
                result.complete(new AssertionError("wrote in spite of the interrupt"));
              } catch (IOException e) {
                result.complete(e);
              }
            });
    thread.start();
    assertThat(result.get()).isInstanceOf(ClosedByInterruptException.class);
    thread.join();
    assertThat(store.list("v")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/data/t, /data/t",
    "file:/data/t, /data/t",
    "file:///data/t, /data/t",
    "FILE://localhost/data/t/, /data/t",
    "file:///data/a%20b, /data/a b",
    "/data/x/../t, /data/t",
    "/data/a:b, /data/a:b"
  })
  void understandsPathsAndFileUris(String text, String path) {
    assertThat(LocalObjectStore.at(text).root()).isEqualTo(Path.of(path));
  }

  @Test
  void resolvesRelativePathsAgainstTheWorkingDirectory() {
    assertThat(LocalObjectStore.at("some/table").root())
        .isEqualTo(Path.of("some/table").toAbsolutePath());
  }

  @Test
  void itsUriLeadsBackToIt() {
    LocalObjectStore store = LocalObjectStore.at(temp.resolve("a b"));
    assertThat(store.uri()).startsWith("file:///").endsWith("/a%20b");
    assertThat(LocalObjectStore.at(store.uri()).root()).isEqualTo(store.root());
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3://bucket/t", "gs://b/t", "hdfs://host/t"})
  void refusesOtherStorageByName(String uri) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> LocalObjectStore.at(uri))
        .withMessageContaining(uri)
        .withMessageContaining("local path");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"file:relative", "file://host/t", "file:///a b", "file:///a?q", "file:", ""})
  void refusesFileUrisThatNameNoLocalPath(String uri) {
    assertThatIllegalArgumentException().isThrownBy(() -> LocalObjectStore.at(uri));
  }
}
