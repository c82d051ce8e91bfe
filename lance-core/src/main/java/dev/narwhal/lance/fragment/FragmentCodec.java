package dev.narwhal.lance.fragment;

import com.google.protobuf.ByteString;
import dev.narwhal.lance.deletion.DeletionFile;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.error.UnsupportedFeatureException;
import dev.narwhal.lance.proto.table.DataFragment;
import dev.narwhal.lance.proto.table.ExternalFile;
import dev.narwhal.lance.rowid.StoredSequence;
import dev.narwhal.lance.schema.UnknownFieldsCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Fragment messages to records and back. Zero is unknown for {@code physical_rows}, {@code
 * num_deleted_rows} and {@code file_size_bytes}, as old writers left it. Source: table format sheet
 * 2.2.
 */
public final class FragmentCodec {
  private FragmentCodec() {}

  /**
   * Decodes a list of fragments. Equal lists of field ids, which nearly all are, share one copy.
   *
   * @throws LanceFormatException names the fragment
   */
  public static List<Fragment> decode(List<DataFragment> fragments) {
    Map<List<Integer>, List<Integer>> shared = new HashMap<>();
    List<Fragment> decoded = new ArrayList<>(fragments.size());
    for (DataFragment fragment : fragments) {
      try {
        decoded.add(decode(fragment, shared));
      } catch (IllegalArgumentException e) {
        throw new LanceFormatException(inFragment(fragment) + ": " + e.getMessage(), e);
      } catch (LanceFormatException e) {
        throw e.in(inFragment(fragment));
      } catch (UnsupportedFeatureException e) {
        throw e.in(inFragment(fragment));
      }
    }
    return decoded;
  }

  /** Encodes a list of fragments, in its order. */
  public static List<DataFragment> encode(List<Fragment> fragments) {
    List<DataFragment> encoded = new ArrayList<>(fragments.size());
    for (Fragment fragment : fragments) {
      encoded.add(encode(fragment));
    }
    return encoded;
  }

  /** Decodes one data file, which may stand alone in a transaction. */
  public static DataFile decode(dev.narwhal.lance.proto.table.DataFile file) {
    try {
      return decode(file, new HashMap<>());
    } catch (IllegalArgumentException e) {
      throw new LanceFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  public static dev.narwhal.lance.proto.table.DataFile encode(DataFile file) {
    dev.narwhal.lance.proto.table.DataFile.Builder builder =
        UnknownFieldsCodec.restore(
                dev.narwhal.lance.proto.table.DataFile.newBuilder(), file.unknown())
            .setPath(file.path())
            .addAllFields(file.fields())
            .addAllColumnIndices(file.columnIndices())
            .setFileMajorVersion(file.majorVersion())
            .setFileMinorVersion(file.minorVersion())
            .setFileSizeBytes(file.sizeBytes().orElse(0));
    file.baseId().ifPresent(builder::setBaseId);
    return builder.build();
  }

  public static BasePath decode(dev.narwhal.lance.proto.table.BasePath base) {
    try {
      return new BasePath(
          base.getId(),
          base.hasName() ? Optional.of(base.getName()) : Optional.empty(),
          base.getIsDatasetRoot(),
          base.getPath(),
          UnknownFieldsCodec.unknownOf(base));
    } catch (IllegalArgumentException e) {
      throw new LanceFormatException(String.valueOf(e.getMessage()), e);
    }
  }

  public static dev.narwhal.lance.proto.table.BasePath encode(BasePath base) {
    dev.narwhal.lance.proto.table.BasePath.Builder builder =
        UnknownFieldsCodec.restore(
                dev.narwhal.lance.proto.table.BasePath.newBuilder(), base.unknown())
            .setId(base.id())
            .setIsDatasetRoot(base.datasetRoot())
            .setPath(base.path());
    base.name().ifPresent(builder::setName);
    return builder.build();
  }

  private static String inFragment(DataFragment fragment) {
    return "fragment " + Long.toUnsignedString(fragment.getId());
  }

  private static Fragment decode(DataFragment fragment, Map<List<Integer>, List<Integer>> shared) {
    List<DataFile> files = new ArrayList<>(fragment.getFilesCount());
    for (dev.narwhal.lance.proto.table.DataFile file : fragment.getFilesList()) {
      files.add(decode(file, shared));
    }
    return new Fragment(
        fragment.getId(),
        files,
        fragment.hasDeletionFile()
            ? Optional.of(decode(fragment.getDeletionFile()))
            : Optional.empty(),
        known(fragment.getPhysicalRows()),
        switch (fragment.getRowIdSequenceCase()) {
          case INLINE_ROW_IDS -> inline(fragment.getInlineRowIds());
          case EXTERNAL_ROW_IDS -> external(fragment.getExternalRowIds());
          case ROWIDSEQUENCE_NOT_SET -> Optional.empty();
        },
        switch (fragment.getLastUpdatedAtVersionSequenceCase()) {
          case INLINE_LAST_UPDATED_AT_VERSIONS -> inline(fragment.getInlineLastUpdatedAtVersions());
          case EXTERNAL_LAST_UPDATED_AT_VERSIONS ->
              external(fragment.getExternalLastUpdatedAtVersions());
          case LASTUPDATEDATVERSIONSEQUENCE_NOT_SET -> Optional.empty();
        },
        switch (fragment.getCreatedAtVersionSequenceCase()) {
          case INLINE_CREATED_AT_VERSIONS -> inline(fragment.getInlineCreatedAtVersions());
          case EXTERNAL_CREATED_AT_VERSIONS -> external(fragment.getExternalCreatedAtVersions());
          case CREATEDATVERSIONSEQUENCE_NOT_SET -> Optional.empty();
        },
        UnknownFieldsCodec.unknownOf(fragment));
  }

  private static DataFile decode(
      dev.narwhal.lance.proto.table.DataFile file, Map<List<Integer>, List<Integer>> shared) {
    return new DataFile(
        file.getPath(),
        shared.computeIfAbsent(file.getFieldsList(), List::copyOf),
        shared.computeIfAbsent(file.getColumnIndicesList(), List::copyOf),
        file.getFileMajorVersion(),
        file.getFileMinorVersion(),
        known(file.getFileSizeBytes()),
        file.hasBaseId() ? OptionalInt.of(file.getBaseId()) : OptionalInt.empty(),
        UnknownFieldsCodec.unknownOf(file));
  }

  private static DeletionFile decode(dev.narwhal.lance.proto.table.DeletionFile file) {
    DeletionFile.Encoding encoding =
        switch (file.getFileType()) {
          case ARROW_ARRAY -> DeletionFile.Encoding.ARRAY;
          case BITMAP -> DeletionFile.Encoding.BITMAP;
          case UNRECOGNIZED ->
              throw new UnsupportedFeatureException(
                  "deletion file type "
                      + file.getFileTypeValue()
                      + " is not known; a newer Lance wrote it");
        };
    return new DeletionFile(
        encoding,
        file.getReadVersion(),
        file.getId(),
        known(file.getNumDeletedRows()),
        file.hasBaseId() ? OptionalInt.of(file.getBaseId()) : OptionalInt.empty(),
        UnknownFieldsCodec.unknownOf(file));
  }

  private static DataFragment encode(Fragment fragment) {
    DataFragment.Builder builder =
        UnknownFieldsCodec.restore(DataFragment.newBuilder(), fragment.unknown())
            .setId(fragment.id())
            .setPhysicalRows(fragment.physicalRows().orElse(0));
    for (DataFile file : fragment.files()) {
      builder.addFiles(encode(file));
    }
    fragment.deletionFile().ifPresent(file -> builder.setDeletionFile(encode(file)));
    fragment
        .rowIds()
        .ifPresent(
            stored -> {
              if (stored instanceof StoredSequence.Inline inline) {
                builder.setInlineRowIds(bytes(inline));
              } else {
                builder.setExternalRowIds(slice((StoredSequence.External) stored));
              }
            });
    fragment
        .lastUpdatedVersions()
        .ifPresent(
            stored -> {
              if (stored instanceof StoredSequence.Inline inline) {
                builder.setInlineLastUpdatedAtVersions(bytes(inline));
              } else {
                builder.setExternalLastUpdatedAtVersions(slice((StoredSequence.External) stored));
              }
            });
    fragment
        .createdVersions()
        .ifPresent(
            stored -> {
              if (stored instanceof StoredSequence.Inline inline) {
                builder.setInlineCreatedAtVersions(bytes(inline));
              } else {
                builder.setExternalCreatedAtVersions(slice((StoredSequence.External) stored));
              }
            });
    return builder.build();
  }

  private static dev.narwhal.lance.proto.table.DeletionFile encode(DeletionFile file) {
    dev.narwhal.lance.proto.table.DeletionFile.Builder builder =
        UnknownFieldsCodec.restore(
                dev.narwhal.lance.proto.table.DeletionFile.newBuilder(), file.unknown())
            .setFileType(
                switch (file.encoding()) {
                  case ARRAY ->
                      dev.narwhal.lance.proto.table.DeletionFile.DeletionFileType.ARROW_ARRAY;
                  case BITMAP -> dev.narwhal.lance.proto.table.DeletionFile.DeletionFileType.BITMAP;
                })
            .setReadVersion(file.readVersion())
            .setId(file.id())
            .setNumDeletedRows(file.deletedRows().orElse(0));
    file.baseId().ifPresent(builder::setBaseId);
    return builder.build();
  }

  private static OptionalLong known(long value) {
    return value == 0 ? OptionalLong.empty() : OptionalLong.of(value);
  }

  private static Optional<StoredSequence> inline(ByteString message) {
    return Optional.of(StoredSequence.Inline.of(message.asReadOnlyByteBuffer()));
  }

  private static Optional<StoredSequence> external(ExternalFile file) {
    return Optional.of(
        new StoredSequence.External(file.getPath(), file.getOffset(), file.getSize()));
  }

  private static ByteString bytes(StoredSequence.Inline inline) {
    return ByteString.copyFrom(inline.bytes());
  }

  private static ExternalFile slice(StoredSequence.External external) {
    return ExternalFile.newBuilder()
        .setPath(external.path())
        .setOffset(external.offset())
        .setSize(external.sizeBytes())
        .build();
  }
}
