package dev.narwhal.lance.transaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.manifest.LanceFixture;
import dev.narwhal.lance.manifest.ManifestCodec;
import dev.narwhal.lance.manifest.ManifestFile;
import dev.narwhal.lance.proto.table.BasePath;
import dev.narwhal.lance.proto.table.DataFile;
import dev.narwhal.lance.proto.table.DataFragment;
import dev.narwhal.lance.proto.table.MergedGeneration;
import dev.narwhal.lance.proto.table.Transaction.Clone;
import dev.narwhal.lance.proto.table.Transaction.CreateIndex;
import dev.narwhal.lance.proto.table.Transaction.DataReplacement;
import dev.narwhal.lance.proto.table.Transaction.KeyExistenceFilter;
import dev.narwhal.lance.proto.table.Transaction.ReserveFragments;
import dev.narwhal.lance.proto.table.Transaction.Restore;
import dev.narwhal.lance.proto.table.Transaction.Rewrite;
import dev.narwhal.lance.proto.table.Transaction.UInt32List;
import dev.narwhal.lance.proto.table.Transaction.Update;
import dev.narwhal.lance.proto.table.Transaction.UpdateBases;
import dev.narwhal.lance.proto.table.Transaction.UpdateConfig;
import dev.narwhal.lance.proto.table.Transaction.UpdateMap;
import dev.narwhal.lance.proto.table.Transaction.UpdateMemWalState;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.storage.MemoryObjectStore;
import dev.narwhal.lance.storage.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransactionCodecTest {
  private static final UnknownFieldSet NEWER =
      UnknownFieldSet.newBuilder()
          .addField(
              900,
              UnknownFieldSet.Field.newBuilder()
                  .addLengthDelimited(ByteString.copyFromUtf8("newer"))
                  .build())
          .build();

  static Stream<LanceFixture> fixtures() throws IOException {
    return LanceFixture.all().stream();
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void decodesToWhatLanceSaysAndEncodesToTheSameMessage(LanceFixture fixture) throws IOException {
    for (LanceFixture.Version version : fixture.versions()) {
      ObjectStore store = fixture.store();
      String file = version.manifest().get("file").textValue();
      String root = file.substring(0, file.indexOf("_versions"));
      ManifestFile manifest = ManifestCodec.decode(store.read(file));
      ByteBuffer inline = manifest.transaction().orElseThrow();
      Transaction transaction = TransactionCodec.decode(inline);

      assertThat(transaction.operation().name())
          .as(version.label())
          .isEqualTo(version.manifest().get("operation").textValue());
      assertThat(transaction.readVersion())
          .as(version.label())
          .isEqualTo(version.manifest().get("read_version").longValue());
      assertThat(transaction.fileName())
          .isEqualTo(version.manifest().get("transaction_file").textValue());
      // the same message, not always the same bytes: Lance writes maps in random order
      assertThat(
              TransactionCodec.decode(store.read(root + "_transactions/" + transaction.fileName())))
          .as(version.label())
          .isEqualTo(transaction);
      ByteBuffer encoded = TransactionCodec.encode(transaction);
      assertThat(dev.narwhal.lance.proto.table.Transaction.parseFrom(encoded))
          .as(version.label())
          .isEqualTo(dev.narwhal.lance.proto.table.Transaction.parseFrom(inline));
      assertThat(encoded.remaining()).isEqualTo(inline.remaining());
      assertThat(TransactionCodec.decode(encoded)).isEqualTo(transaction);
    }
  }

  static Stream<Arguments> operations() {
    DataFragment fragment = DataFragment.newBuilder().setId(3).setPhysicalRows(5).build();
    dev.narwhal.lance.proto.table.UUID uuid =
        dev.narwhal
            .lance
            .proto
            .table
            .UUID
            .newBuilder()
            .setUuid(ByteString.copyFrom(new byte[16]))
            .build();
    return Stream.of(
        Arguments.of(
            "CreateIndex",
            message()
                .setCreateIndex(
                    CreateIndex.newBuilder()
                        .addRemovedIndices(
                            dev.narwhal.lance.proto.table.IndexMetadata.newBuilder()
                                .setUuid(uuid)
                                .setName("i")
                                .setUnknownFields(NEWER))
                        .setUnknownFields(NEWER))),
        Arguments.of(
            "Rewrite",
            message()
                .setRewrite(
                    Rewrite.newBuilder()
                        .addGroups(
                            Rewrite.RewriteGroup.newBuilder()
                                .addOldFragments(fragment)
                                .addNewFragments(fragment)
                                .setUnknownFields(NEWER))
                        .addOldFragments(fragment)
                        .addRewrittenIndices(
                            Rewrite.RewrittenIndex.newBuilder()
                                .setOldId(uuid)
                                .setNewId(uuid)
                                .setNewIndexVersion(-1)
                                .setUnknownFields(NEWER))
                        .setUnknownFields(NEWER))),
        Arguments.of("Restore", message().setRestore(Restore.newBuilder().setVersion(-1))),
        Arguments.of(
            "ReserveFragments",
            message().setReserveFragments(ReserveFragments.newBuilder().setNumFragments(-1))),
        Arguments.of(
            "Update",
            message()
                .setUpdate(
                    Update.newBuilder()
                        .addRemovedFragmentIds(7)
                        .addUpdatedFragments(fragment)
                        .addNewFragments(fragment)
                        .addFieldsModified(-1)
                        .addMergedGenerations(MergedGeneration.newBuilder().setGeneration(3))
                        .addFieldsForPreservingFragBitmap(4)
                        .setUpdateMode(Update.UpdateMode.REWRITE_COLUMNS)
                        .setInsertedRows(
                            KeyExistenceFilter.newBuilder()
                                .addFieldIds(1)
                                .setExact(
                                    KeyExistenceFilter.ExactKeySetFilter.newBuilder()
                                        .addKeyHashes(9)))
                        .putUpdatedFragmentOffsets(3, UInt32List.newBuilder().addValues(-1).build())
                        .putUpdatedFragmentOffsetBitmaps(3, ByteString.copyFromUtf8("roaring"))
                        .setUnknownFields(NEWER))),
        Arguments.of("Update", message().setUpdate(Update.newBuilder().setUpdateModeValue(9))),
        Arguments.of(
            "UpdateConfig",
            message()
                .setUpdateConfig(
                    UpdateConfig.newBuilder()
                        .putUpsertValues("a", "1")
                        .addDeleteKeys("b")
                        .putSchemaMetadata("c", "2")
                        .putFieldMetadata(
                            -1,
                            UpdateConfig.FieldMetadataUpdate.newBuilder()
                                .putMetadata("d", "3")
                                .build())
                        .setConfigUpdates(
                            UpdateMap.newBuilder()
                                .setReplace(true)
                                .addUpdateEntries(
                                    UpdateMap.Entry.newBuilder().setKey("e").setValue(""))
                                .addUpdateEntries(UpdateMap.Entry.newBuilder().setKey("f")))
                        .setTableMetadataUpdates(UpdateMap.newBuilder())
                        .setSchemaMetadataUpdates(UpdateMap.newBuilder())
                        .putFieldMetadataUpdates(-1, UpdateMap.getDefaultInstance())
                        .setUnknownFields(NEWER))),
        Arguments.of(
            "DataReplacement",
            message()
                .setDataReplacement(
                    DataReplacement.newBuilder()
                        .addReplacements(
                            DataReplacement.Group.newBuilder()
                                .setFragmentId(3)
                                .setNewFile(
                                    DataFile.newBuilder()
                                        .setPath("x")
                                        .setFileMajorVersion(2)
                                        .setUnknownFields(NEWER)))
                        .setUnknownFields(NEWER))),
        Arguments.of(
            "Clone",
            message()
                .setClone(
                    Clone.newBuilder()
                        .setIsShallow(true)
                        .setRefName("")
                        .setRefVersion(2)
                        .setRefPath("p")
                        .setBranchName("b")
                        .setUnknownFields(NEWER))),
        Arguments.of(
            "UpdateBases",
            message()
                .setUpdateBases(
                    UpdateBases.newBuilder()
                        .addNewBases(BasePath.newBuilder().setId(-1).setPath("p"))
                        .setUnknownFields(NEWER))),
        Arguments.of(
            "UpdateMemWalState",
            message()
                .setUpdateMemWalState(
                    UpdateMemWalState.newBuilder()
                        .addMergedGenerations(MergedGeneration.newBuilder().setGeneration(3))
                        .setUnknownFields(NEWER))),
        Arguments.of("DataOverlay", message().setUnknownFields(operation(115))),
        Arguments.of("Operation 116", message().setUnknownFields(operation(116))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void everyOperationIsCarriedWithoutLoss(
      String name, dev.narwhal.lance.proto.table.Transaction.Builder message) throws IOException {
    Transaction transaction =
        TransactionCodec.decode(ByteBuffer.wrap(message.build().toByteArray()));
    assertThat(transaction.operation().name()).isEqualTo(name);
    assertThat(transaction.tag()).contains("nightly");
    assertThat(transaction.properties()).containsEntry(Transaction.MESSAGE, "why");
    assertThat(
            dev.narwhal.lance.proto.table.Transaction.parseFrom(
                TransactionCodec.encode(transaction)))
        .isEqualTo(
            dev.narwhal.lance.proto.table.Transaction.parseFrom(message.build().toByteArray()));
  }

  @Test
  void rewriteOfOldWritersIsASingleGroup() {
    DataFragment fragment = DataFragment.newBuilder().setId(3).setPhysicalRows(5).build();
    Transaction transaction =
        TransactionCodec.decode(
            ByteBuffer.wrap(
                message()
                    .setRewrite(
                        Rewrite.newBuilder()
                            .addOldFragments(fragment)
                            .addOldFragments(fragment.toBuilder().setId(4))
                            .addNewFragments(fragment.toBuilder().setId(5)))
                    .build()
                    .toByteArray()));
    Operation.Rewrite rewrite = (Operation.Rewrite) transaction.operation();
    assertThat(rewrite.groups()).hasSize(1);
    assertThat(rewrite.groups().get(0).oldFragments()).hasSize(2);
    assertThat(rewrite.groups().get(0).newFragments()).hasSize(1);
    assertThat(rewrite.unknown()).isEqualTo(UnknownFields.none());
  }

  @Test
  void transactionWithoutAnOperationIsAnError() {
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> TransactionCodec.decode(ByteBuffer.wrap(message().build().toByteArray())))
        .withMessageContaining("no operation");
  }

  @Test
  void everyTruncationAndFlippedBitIsATypedErrorOrOtherContent() throws IOException {
    ObjectStore store = LanceFixture.named("index-compact-remap").store();
    for (String name : store.list("_transactions")) {
      byte[] bytes = new byte[store.read("_transactions/" + name).remaining()];
      store.read("_transactions/" + name).get(bytes);
      for (int length = 0; length < bytes.length; length++) {
        decodesOrFailsByType(ByteBuffer.wrap(bytes, 0, length));
      }
      for (int i = 0; i < bytes.length * 8; i++) {
        bytes[i / 8] ^= (byte) (1 << (i % 8));
        decodesOrFailsByType(ByteBuffer.wrap(bytes));
        bytes[i / 8] ^= (byte) (1 << (i % 8));
      }
    }
  }

  @Test
  void newTransactionsHaveUuidsOfTheirOwn() {
    Operation operation = new Operation.Restore(1, UnknownFields.none());
    Transaction one = Transaction.of(7, operation, Map.of(Transaction.MESSAGE, "m"));
    assertThat(one.uuid()).isNotEqualTo(Transaction.of(7, operation).uuid());
    assertThat(one.fileName()).matches("7-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.txn");
    assertThat(TransactionCodec.decode(TransactionCodec.encode(one))).isEqualTo(one);
  }

  @Test
  void uuidThatIsAPathIsNotWritten() {
    Transaction hostile =
        new Transaction(
            1,
            "/../../x",
            Optional.empty(),
            Map.of(),
            new Operation.Restore(1, UnknownFields.none()),
            UnknownFields.none());
    MemoryObjectStore store = new MemoryObjectStore();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TransactionStore(store).write(hostile));
    assertThat(store.list("")).isEmpty();
  }

  @Test
  void transactionIsReadFromItsFileWhenTheManifestHasNone() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    MemoryObjectStore store = fixture.copy();
    ManifestFile file = ManifestCodec.decode(store.read("_versions/18446744073709551613.manifest"));
    ManifestFile old = ManifestFile.of(file.manifest(), file.indices());
    TransactionStore transactions = new TransactionStore(store);

    assertThat(transactions.read(old)).isPresent().isEqualTo(transactions.read(file));
    String path = "_transactions/" + file.manifest().transactionFile().orElseThrow();
    store.put(path, ByteBuffer.wrap("garbage".getBytes(UTF_8)));
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> transactions.read(old))
        .withMessageContaining(path);
    store.delete(path);
    assertThat(transactions.read(old)).isEmpty();
    assertThat(
            transactions.read(
                ManifestFile.of(
                    file.manifest().toDraft().withoutTransactionFile().build(), List.of())))
        .isEmpty();
  }

  @Test
  void damagedInlineTransactionNamesItsVersion() throws IOException {
    LanceFixture fixture = LanceFixture.named("del-sparse");
    ManifestFile file =
        ManifestCodec.decode(fixture.store().read("_versions/18446744073709551613.manifest"));
    ManifestFile damaged =
        ManifestFile.of(file.manifest(), List.of(), ByteBuffer.wrap(new byte[] {1, 2}));
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> new TransactionStore(fixture.store()).read(damaged))
        .withMessageContaining("transaction of version 2");
  }

  private static void decodesOrFailsByType(ByteBuffer bytes) {
    try {
      TransactionCodec.decode(bytes);
    } catch (LanceFormatException | UnsupportedFeatureException e) {
      assertThat(e.getMessage()).isNotBlank();
    } catch (RuntimeException e) {
      fail("untyped", e);
    }
  }

  private static dev.narwhal.lance.proto.table.Transaction.Builder message() {
    return dev.narwhal.lance.proto.table.Transaction.newBuilder()
        .setReadVersion(6)
        .setUuid("d918be0f-f80f-4d23-a2be-54cd1b05eedf")
        .setTag("nightly")
        .putTransactionProperties(Transaction.MESSAGE, "why");
  }

  private static UnknownFieldSet operation(int number) {
    return UnknownFieldSet.newBuilder()
        .addField(
            number,
            UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8("x"))
                .build())
        .mergeFrom(NEWER)
        .build();
  }
}
