package dev.narwhal.lance.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.protobuf.UnknownFieldSet;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.proto.file.Field;
import dev.narwhal.lance.proto.table.BasePath;
import dev.narwhal.lance.proto.table.DataFile;
import dev.narwhal.lance.proto.table.DataFragment;
import dev.narwhal.lance.proto.table.DataStorageFormat;
import dev.narwhal.lance.proto.table.DeletionFile;
import dev.narwhal.lance.proto.table.ExternalFile;
import dev.narwhal.lance.proto.table.WriterVersion;
import dev.narwhal.lance.rowid.StoredSequence;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestCodecTest {
  @Test
  void readsFromTheBuffersPositionAndLeavesIt() throws IOException {
    ByteBuffer bytes = latest("del-sparse");
    ByteBuffer shifted = ByteBuffer.allocate(bytes.remaining() + 8);
    shifted.position(3).put(bytes.duplicate()).flip().position(3);

    assertThat(ManifestCodec.decode(shifted)).isEqualTo(ManifestCodec.decode(bytes));
    assertThat(shifted.position()).isEqualTo(3);
  }

  @Test
  void transactionSectionAtPositionZeroIsASection() throws IOException {
    ByteBuffer bytes = latest("del-sparse");
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    assertThat(ManifestCodec.decode(bytes).transaction()).contains(in.slice(4, in.getInt(0)));
  }

  @Test
  void fileWithoutTransactionStaysWithout() throws IOException {
    ManifestFile with = ManifestCodec.decode(latest("index-btree-delete"));
    ManifestFile without = ManifestFile.of(with.manifest(), with.indices());
    ManifestFile decoded = ManifestCodec.decode(ManifestCodec.encode(without));
    assertThat(decoded).isEqualTo(without).isNotEqualTo(with);
    assertThat(decoded.transaction()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | has 0 bytes, at least 20 are expected; a crashed writer",
        "0000000000000000 00000200 4c414e43 | has 16 bytes, at least 20",
        "00000000 0000000000000000 00000200 4c414e44 | magic is 4c414e44, expected 4c414e43",
        "00000000 0100000000000000 00000200 4c414e43 | manifest position is 1, expected at most 0",
        "00000000 ffffffffffffffff 00000200 4c414e43 | manifest position is 18446744073709551615",
        "01000000 0000000000000000 00000200 4c414e43 | manifest length is 1, expected 0",
        "ffffffff 0000000000000000 00000200 4c414e43 | manifest length is 4294967295, expected 0",
        "00000000 0000000000000000 00000200 4c414e43 | version must be at least 1",
      })
  void namesWhatIsWrongWithTheLayout(String hex, String message) {
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> ManifestCodec.decode(hex(hex)))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"01000200", "00000300", "00000000"})
  void refusesOtherFooterVersions(String version) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () -> ManifestCodec.decode(hex("00000000 0000000000000000" + version + "4c414e43")))
        .withMessageContaining("0.2 is");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, 1L << 40, 1_000_000})
  void sectionsMustLieBeforeTheManifest(long position) {
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> decode(small().setIndexSection(position)))
        .withMessageContaining("index section");
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> decode(small().setTransactionSection(position)))
        .withMessageContaining("transaction section");
  }

  interface Damage extends UnaryOperator<dev.narwhal.lance.proto.table.Manifest.Builder> {}

  static Stream<Arguments> damages() {
    return Stream.of(
        damaged("two fragments have the id 0", m -> m.addFragments(fragment(0))),
        damaged(
            "fragment id must be in [0, 2^32): 4294967296",
            m -> m.addFragments(fragment(1L << 32))),
        damaged("fragment id", m -> m.addFragments(fragment(-1))),
        damaged(
            "fragment 1: fragment 1: physical rows must be in [1, 2^32]: 4294967297",
            m -> m.addFragments(fragment(1).setPhysicalRows((1L << 32) + 1))),
        damaged(
            "6 deleted rows of 5 physical rows",
            m -> m.addFragments(fragment(1).setPhysicalRows(5).setDeletionFile(deletion(6)))),
        damaged(
            "deletedRows must be in [1, 2^32-1]",
            m -> m.addFragments(fragment(1).setDeletionFile(deletion(1L << 32)))),
        damaged(
            "readVersion must be at least 1",
            m ->
                m.addFragments(
                    fragment(1).setDeletionFile(deletion(1).toBuilder().setReadVersion(0)))),
        damaged("\"..\" and could leave its root", m -> m.addFragments(file("../../x.lance"))),
        damaged("absolute", m -> m.addFragments(file("/etc/passwd"))),
        damaged("backslash", m -> m.addFragments(file("..\\x.lance"))),
        damaged("path is empty", m -> m.addFragments(file(""))),
        damaged(
            "has 1 fields but 2 column indices",
            m ->
                m.addFragments(
                    fragment(1)
                        .addFiles(
                            DataFile.newBuilder()
                                .setPath("x")
                                .addFields(0)
                                .addColumnIndices(0)
                                .addColumnIndices(1)
                                .setFileMajorVersion(2)))),
        damaged(
            "legacy data file x: field 1 after 2",
            m ->
                m.addFragments(
                    fragment(1)
                        .addFiles(DataFile.newBuilder().setPath("x").addFields(2).addFields(1)))),
        damaged(
            "no field can have id -3",
            m ->
                m.addFragments(
                    fragment(1)
                        .addFiles(
                            DataFile.newBuilder().setPath("x").addFields(-3).addColumnIndices(0)))),
        damaged(
            "1 of 2 fragments have row ids",
            m -> m.addFragments(fragment(1).setInlineRowIds(ByteString.EMPTY))),
        damaged(
            "could leave its root",
            m ->
                m.addFragments(
                    fragment(1).setExternalRowIds(ExternalFile.newBuilder().setPath("../../ids")))),
        damaged(
            "no slice of 18446744073709551615 bytes",
            m ->
                m.addFragments(
                    fragment(1)
                        .setExternalRowIds(ExternalFile.newBuilder().setPath("ids").setSize(-1)))),
        damaged("two base paths have the id 3", m -> m.addBasePaths(base(3)).addBasePaths(base(3))),
        damaged(
            "base path 3 has an empty path", m -> m.addBasePaths(base(3).toBuilder().setPath(""))),
        damaged("name \"../x.txn\"", m -> m.setTransactionFile("../x.txn")),
        damaged("\"..\"", m -> m.setTransactionFile("..")),
        damaged("id 0 is negative or used before", m -> m.addFields(field(0, -1))),
        damaged("id -1 is negative or used before", m -> m.addFields(field(-1, -1))),
        damaged("no field before it has the parent's id 9", m -> m.addFields(field(1, 9))),
        damaged("nanoseconds", m -> m.setTimestamp(Timestamp.newBuilder().setNanos(1_000_000_000))),
        damaged(
            "out of range",
            m -> m.setTimestamp(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("damages")
  void rejectsWhatNoManifestMaySay(String message, Damage damage) {
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> decode(damage.apply(small())))
        .withMessageContaining(message);
  }

  @Test
  void refusesToReadWithUnknownFlagsAndReadsWithUnknownWriterFlags() {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> decode(small().setReaderFeatureFlags(64)))
        .withMessageContaining("0x40");
    assertThat(decode(small().setWriterFeatureFlags(64)).manifest().flags().writer()).isEqualTo(64);
  }

  @Test
  void refusesUnknownDeletionFileTypesByNumber() {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () ->
                decode(
                    small()
                        .addFragments(
                            fragment(1)
                                .setDeletionFile(deletion(1).toBuilder().setFileTypeValue(7)))))
        .withMessageContaining("fragment 1")
        .withMessageContaining("type 7");
  }

  @Test
  void zeroMeansUnknownForTheCountsThatOldWritersLeftOut() {
    Fragment fragment =
        decode(
                small()
                    .clearFragments()
                    .addFragments(
                        DataFragment.newBuilder()
                            .addFiles(DataFile.newBuilder().setPath("x").setFileMajorVersion(2))
                            .setDeletionFile(DeletionFile.newBuilder().setReadVersion(1))))
            .manifest()
            .fragments()
            .get(0);
    assertThat(fragment.physicalRows()).isEmpty();
    assertThat(fragment.files().get(0).sizeBytes()).isEmpty();
    assertThat(fragment.deletionFile().orElseThrow().deletedRows()).isEmpty();
    assertThat(fragment.deletedRows()).isEmpty();
    assertThat(fragment.liveRows()).isEmpty();
  }

  @Test
  void rowCountsWithoutAWriterVersionAreNotTrusted() {
    Manifest manifest = decode(small().clearWriterVersion()).manifest();
    assertThat(manifest.fragments().get(0).physicalRows()).isEmpty();
    assertThat(manifest.liveRows()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0.1", "0, 2, 0.1", "0, 3, 2.0", "2, 0, 2.0", "2, 1, 2.1", "2, 2, 2.2"})
  void missingDataFormatIsThatOfTheFiles(int major, int minor, String version) {
    DataFile.Builder file =
        DataFile.newBuilder()
            .setPath("x")
            .addFields(0)
            .addColumnIndices(0)
            .setFileMajorVersion(major)
            .setFileMinorVersion(minor);
    assertThat(
            decode(
                    small()
                        .clearDataFormat()
                        .clearFragments()
                        .addFragments(fragment(0).addFiles(file)))
                .manifest()
                .dataFormat())
        .isEqualTo(new DataFormat("lance", version));
  }

  @ParameterizedTest
  @CsvSource({"0, 0.1", "4, 2.0", "5, 2.0"})
  void missingDataFormatWithoutFilesIsWhatTheOldFlagSays(long writerFlags, String version) {
    assertThat(
            decode(small().clearDataFormat().clearFragments().setWriterFeatureFlags(writerFlags))
                .manifest()
                .dataFormat()
                .version())
        .isEqualTo(version);
  }

  @Test
  void fieldsOfNewerWritersSurviveARewrite() throws IOException {
    UnknownFieldSet unknown =
        UnknownFieldSet.newBuilder()
            .addField(
                900,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8("newer"))
                    .build())
            .build();
    dev.narwhal.lance.proto.table.Manifest message =
        small()
            .setUnknownFields(unknown)
            .setDataFormat(
                DataStorageFormat.newBuilder()
                    .setFileFormat("lance")
                    .setVersion("2.1")
                    .setUnknownFields(unknown))
            .addBasePaths(base(0).toBuilder().setUnknownFields(unknown))
            .addFields(field(1, 0).toBuilder().setUnknownFields(unknown).setNullable(true))
            .addFragments(
                fragment(1)
                    .setUnknownFields(unknown)
                    .setDeletionFile(deletion(1).toBuilder().setUnknownFields(unknown))
                    .addFiles(
                        DataFile.newBuilder()
                            .setPath("x")
                            .setFileMajorVersion(2)
                            .setBaseId(0)
                            .setUnknownFields(unknown)))
            .build();
    ByteBuffer file = file(message);
    assertThat(ManifestCodec.encode(ManifestCodec.decode(file))).isEqualTo(file);
  }

  @Test
  void externalSequencesSurviveARewrite() {
    ExternalFile external =
        ExternalFile.newBuilder().setPath("_rowids/1").setOffset(3).setSize(4).build();
    ByteBuffer file =
        file(
            small()
                .clearFragments()
                .addFragments(
                    fragment(0)
                        .setExternalRowIds(external)
                        .setExternalCreatedAtVersions(external)
                        .setExternalLastUpdatedAtVersions(external))
                .build());
    ManifestFile decoded = ManifestCodec.decode(file);
    assertThat(decoded.manifest().fragments().get(0).rowIds())
        .contains(new StoredSequence.External("_rowids/1", 3, 4));
    assertThat(ManifestCodec.encode(decoded)).isEqualTo(file);
  }

  @Test
  void mapsAreWrittenInTheOrderOfTheirKeys() {
    ManifestFile one = decode(small().putConfig("b", "2").putConfig("a", "1").putConfig("c", "3"));
    ManifestFile other =
        decode(small().putConfig("c", "3").putConfig("a", "1").putConfig("b", "2"));
    assertThat(ManifestCodec.encode(one)).isEqualTo(ManifestCodec.encode(other));
  }

  @Test
  void refusesToRewriteWhatLiesOutsideTheSections() {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> ManifestCodec.encode(decode(small().setVersionAuxData(7))))
        .withMessageContaining("auxiliary version data");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () ->
                ManifestCodec.encode(
                    decode(
                        small()
                            .setDataFormat(
                                DataStorageFormat.newBuilder()
                                    .setFileFormat("lance")
                                    .setVersion("0.1"))
                            .addFields(
                                field(1, -1).toBuilder()
                                    .setLogicalType("dict:string:int8:false")))))
        .withMessageContaining("dictionaries");
  }

  @Test
  void filesLieWhereTheirBasePathSays() {
    Manifest manifest =
        decode(
                small()
                    .addBasePaths(base(0))
                    .addBasePaths(base(1).toBuilder().setIsDatasetRoot(false)))
            .manifest();
    assertThat(manifest.locate(dataFile("x")).path()).isEqualTo("data/x");
    assertThat(manifest.locate(dataFile("x")).base()).isEmpty();
    assertThat(manifest.locate(dataFile("x", 0)).path()).isEqualTo("data/x");
    assertThat(manifest.locate(dataFile("x", 0)).base()).contains(manifest.basePaths().get(0));
    assertThat(manifest.locate(dataFile("x", 1)).path()).isEqualTo("x");
    assertThat(manifest.locate(dataFile("x", 1)).base()).contains(manifest.basePaths().get(1));
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(() -> manifest.locate(dataFile("x", 2)))
        .withMessageContaining("base path 2, which version 1 does not register");
  }

  @Test
  void deletionFilesLieOnlyUnderDatasetRoots() {
    Manifest manifest =
        decode(
                small()
                    .addBasePaths(base(0).toBuilder().setIsDatasetRoot(false))
                    .addFragments(
                        fragment(1).setDeletionFile(deletion(1).toBuilder().setBaseId(0))))
            .manifest();
    assertThatExceptionOfType(LanceFormatException.class)
        .isThrownBy(
            () -> manifest.locate(1, manifest.fragments().get(1).deletionFile().orElseThrow()))
        .withMessageContaining("is no dataset root");
  }

  private static dev.narwhal.lance.proto.table.Manifest.Builder small() {
    return dev.narwhal.lance.proto.table.Manifest.newBuilder()
        .setVersion(1)
        .addFields(field(0, -1))
        .addFragments(fragment(0))
        .setTimestamp(Timestamp.newBuilder().setSeconds(1))
        .setWriterVersion(WriterVersion.newBuilder().setLibrary("lance").setVersion("7.0.0"))
        .setDataFormat(DataStorageFormat.newBuilder().setFileFormat("lance").setVersion("2.1"));
  }

  private static Field field(int id, int parent) {
    return Field.newBuilder()
        .setId(id)
        .setParentId(parent)
        .setName("f" + id)
        .setLogicalType("int64")
        .build();
  }

  private static DataFragment.Builder fragment(long id) {
    return DataFragment.newBuilder().setId(id).setPhysicalRows(10);
  }

  private static DataFragment file(String path) {
    return fragment(1).addFiles(DataFile.newBuilder().setPath(path).setFileMajorVersion(2)).build();
  }

  private static DeletionFile deletion(long rows) {
    return DeletionFile.newBuilder().setReadVersion(1).setId(5).setNumDeletedRows(rows).build();
  }

  private static BasePath base(int id) {
    return BasePath.newBuilder().setId(id).setIsDatasetRoot(true).setPath("elsewhere").build();
  }

  private static dev.narwhal.lance.fragment.DataFile dataFile(String path) {
    return dev.narwhal.lance.fragment.FragmentCodec.decode(
        DataFile.newBuilder().setPath(path).setFileMajorVersion(2).build());
  }

  private static dev.narwhal.lance.fragment.DataFile dataFile(String path, int base) {
    return dev.narwhal.lance.fragment.FragmentCodec.decode(
        DataFile.newBuilder().setPath(path).setFileMajorVersion(2).setBaseId(base).build());
  }

  private static Arguments damaged(String message, Damage damage) {
    return Arguments.of(message, damage);
  }

  private static ManifestFile decode(dev.narwhal.lance.proto.table.Manifest.Builder manifest) {
    return ManifestCodec.decode(file(manifest.build()));
  }

  private static ByteBuffer file(dev.narwhal.lance.proto.table.Manifest manifest) {
    byte[] message = manifest.toByteArray();
    ByteBuffer file = ByteBuffer.allocate(message.length + 20).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(message.length).put(message).putLong(0).putShort((short) 0).putShort((short) 2);
    return file.put(new byte[] {'L', 'A', 'N', 'C'}).flip();
  }

  private static ByteBuffer latest(String fixture) throws IOException {
    LanceFixture loaded = LanceFixture.named(fixture);
    ManifestLocation latest = new ManifestStore(loaded.store()).latest();
    return loaded.store().read(latest.path());
  }

  private static ByteBuffer hex(String hex) {
    return ByteBuffer.wrap(java.util.HexFormat.of().parseHex(hex.replace(" ", "")));
  }
}
