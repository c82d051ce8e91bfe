package dev.narwhal.lance.manifest;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.fragment.BasePath;
import dev.narwhal.lance.fragment.Fragment;
import dev.narwhal.lance.fragment.FragmentCodec;
import dev.narwhal.lance.proto.table.DataStorageFormat;
import dev.narwhal.lance.schema.LanceField;
import dev.narwhal.lance.schema.LanceSchema;
import dev.narwhal.lance.schema.SchemaCodec;
import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Manifest messages to records and back. The two section offsets belong to the file, not to the
 * record. Source: table format sheet 2.1.
 */
final class ManifestMessageCodec {
  private ManifestMessageCodec() {}

  static Manifest decode(dev.narwhal.lance.proto.table.Manifest message) {
    FeatureFlags flags =
        new FeatureFlags(message.getReaderFeatureFlags(), message.getWriterFeatureFlags());
    flags.requireReadable();
    List<BasePath> basePaths = new ArrayList<>(message.getBasePathsCount());
    for (dev.narwhal.lance.proto.table.BasePath base : message.getBasePathsList()) {
      basePaths.add(FragmentCodec.decode(base));
    }
    LanceSchema schema =
        SchemaCodec.decode(message.getFieldsList(), message.getSchemaMetadataMap());
    requireTree(schema);
    List<Fragment> fragments = FragmentCodec.decode(message.getFragmentsList());
    try {
      return new Manifest(
          message.getVersion(),
          schema,
          message.hasWriterVersion() ? fragments : withoutRowCounts(fragments),
          decode(message.getTimestamp()),
          nonEmpty(message.getTag()),
          flags,
          message.hasMaxFragmentId()
              ? OptionalLong.of(Integer.toUnsignedLong(message.getMaxFragmentId()))
              : OptionalLong.empty(),
          nonEmpty(message.getTransactionFile()),
          message.hasWriterVersion()
              ? Optional.of(decode(message.getWriterVersion()))
              : Optional.empty(),
          message.getNextRowId(),
          message.hasDataFormat()
              ? new DataFormat(
                  message.getDataFormat().getFileFormat(), message.getDataFormat().getVersion())
              : DataFormat.infer(fragments, flags),
          message.getConfigMap(),
          message.getTableMetadataMap(),
          basePaths,
          message.hasBranch() ? Optional.of(message.getBranch()) : Optional.empty(),
          rest(message));
    } catch (IllegalArgumentException e) {
      throw new LanceFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The message without its section offsets. */
  static dev.narwhal.lance.proto.table.Manifest.Builder encode(Manifest manifest) {
    dev.narwhal.lance.proto.table.Manifest.Builder builder =
        UnknownFieldsCodec.restore(
            dev.narwhal.lance.proto.table.Manifest.newBuilder(), manifest.unknown());
    for (LanceField field : manifest.schema().fields()) {
      builder.addFields(SchemaCodec.encode(field));
    }
    manifest
        .schema()
        .metadata()
        .forEach((key, value) -> builder.putSchemaMetadata(key, ByteString.copyFromUtf8(value)));
    builder
        .addAllFragments(FragmentCodec.encode(manifest.fragments()))
        .setVersion(manifest.version())
        .setTimestamp(encode(manifest.timestamp()))
        .setReaderFeatureFlags(manifest.flags().reader())
        .setWriterFeatureFlags(manifest.flags().writer())
        .setNextRowId(manifest.nextRowId())
        .putAllConfig(manifest.config())
        .putAllTableMetadata(manifest.tableMetadata());
    builder
        .getDataFormatBuilder()
        .setFileFormat(manifest.dataFormat().fileFormat())
        .setVersion(manifest.dataFormat().version());
    manifest.tag().ifPresent(builder::setTag);
    manifest.maxFragmentId().ifPresent(id -> builder.setMaxFragmentId((int) id));
    manifest.transactionFile().ifPresent(builder::setTransactionFile);
    manifest.writerVersion().ifPresent(writer -> builder.setWriterVersion(encode(writer)));
    for (BasePath base : manifest.basePaths()) {
      builder.addBasePaths(FragmentCodec.encode(base));
    }
    manifest.branch().ifPresent(builder::setBranch);
    return builder;
  }

  private static UnknownFields rest(dev.narwhal.lance.proto.table.Manifest message) {
    dev.narwhal.lance.proto.table.Manifest.Builder rest =
        dev.narwhal.lance.proto.table.Manifest.newBuilder()
            .setUnknownFields(message.getUnknownFields())
            .setVersionAuxData(message.getVersionAuxData());
    DataStorageFormat format =
        message.getDataFormat().toBuilder().clearFileFormat().clearVersion().build();
    if (format.getSerializedSize() > 0) {
      rest.setDataFormat(format);
    }
    return UnknownFieldsCodec.keep(rest.build());
  }

  /** Writers from before the field existed counted physical rows wrongly: facts 15.1. */
  private static List<Fragment> withoutRowCounts(List<Fragment> fragments) {
    List<Fragment> uncounted = new ArrayList<>(fragments.size());
    for (Fragment fragment : fragments) {
      uncounted.add(
          new Fragment(
              fragment.id(),
              fragment.files(),
              fragment.deletionFile(),
              OptionalLong.empty(),
              fragment.rowIds(),
              fragment.lastUpdatedVersions(),
              fragment.createdVersions(),
              fragment.unknown()));
    }
    return uncounted;
  }

  private static void requireTree(LanceSchema schema) {
    Set<Integer> seen = new HashSet<>();
    for (LanceField field : schema.fields()) {
      if (field.parentId() != -1 && !seen.contains(field.parentId())) {
        throw new LanceFormatException(
            "field "
                + field.name()
                + ": no field before it has the parent's id "
                + field.parentId());
      }
      if (field.id() < 0 || !seen.add(field.id())) {
        throw new LanceFormatException(
            "field " + field.name() + ": id " + field.id() + " is negative or used before");
      }
    }
  }

  private static Optional<String> nonEmpty(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  private static WriterVersion decode(dev.narwhal.lance.proto.table.WriterVersion writer) {
    return new WriterVersion(
        writer.getLibrary(),
        writer.getVersion(),
        writer.hasPrerelease() ? Optional.of(writer.getPrerelease()) : Optional.empty(),
        writer.hasBuildMetadata() ? Optional.of(writer.getBuildMetadata()) : Optional.empty());
  }

  private static dev.narwhal.lance.proto.table.WriterVersion encode(WriterVersion writer) {
    dev.narwhal.lance.proto.table.WriterVersion.Builder builder =
        dev.narwhal.lance.proto.table.WriterVersion.newBuilder()
            .setLibrary(writer.library())
            .setVersion(writer.version());
    writer.prerelease().ifPresent(builder::setPrerelease);
    writer.buildMetadata().ifPresent(builder::setBuildMetadata);
    return builder.build();
  }

  private static Instant decode(Timestamp timestamp) {
    long seconds = timestamp.getSeconds();
    int nanos = timestamp.getNanos();
    if (nanos < 0 || nanos > 999_999_999) {
      throw new LanceFormatException("timestamp has " + nanos + " nanoseconds");
    }
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException e) {
      throw new LanceFormatException("timestamp is out of range: " + seconds + " seconds", e);
    }
  }

  private static Timestamp encode(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }
}
