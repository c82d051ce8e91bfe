package dev.narwhal.iceberg.export;

import dev.narwhal.iceberg.deletes.DeletionVectorFile;
import dev.narwhal.iceberg.deletes.PositionDeleteFiles;
import dev.narwhal.iceberg.mapping.TableMapping;
import dev.narwhal.iceberg.source.SourceFragment;
import dev.narwhal.iceberg.table.CreatedFiles;
import dev.narwhal.iceberg.table.InParallel;
import dev.narwhal.lance.deletion.DeletionVector;
import dev.narwhal.puffin.PortableRoaring;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.OutputFileFactory;

/** Writes all files of an export: the fragments side by side, then what deletes rows of them. */
final class FragmentExport {
  private final Table table;
  private final TableMapping mapping;
  private final CreatedFiles created;
  private final Strategy strategy;
  private final String operationId = UUID.randomUUID().toString();

  FragmentExport(Table table, TableMapping mapping, CreatedFiles created, Strategy strategy) {
    this.table = table;
    this.mapping = mapping;
    this.created = created;
    this.strategy = strategy;
  }

  ExportedFiles write(List<? extends SourceFragment> fragments) throws IOException {
    List<ExportedFragment> exported = writeDataFiles(fragments);
    return switch (strategy) {
      case DELETION_VECTORS -> withDeletionVectors(exported);
      case POSITION_DELETES -> withPositionDeletes(exported);
      case COPY_ON_WRITE -> new ExportedFiles(exported, List.of(), 0);
    };
  }

  private List<ExportedFragment> writeDataFiles(List<? extends SourceFragment> fragments)
      throws IOException {
    List<Integer> ordinals = IntStream.range(0, fragments.size()).boxed().toList();
    return InParallel.map(ordinals, i -> writeDataFiles(fragments.get(i), i));
  }

  private ExportedFragment writeDataFiles(SourceFragment fragment, int ordinal) throws IOException {
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, ordinal, 0)
            .format(FileFormat.PARQUET)
            .operationId(operationId)
            .ioSupplier(() -> created)
            .build();
    FragmentWriter writer =
        strategy.keepsDeadRows()
            ? FragmentWriter.ofAllRows(table, mapping, fragment)
            : FragmentWriter.ofLiveRows(table, mapping, fragment, fragment.deletions());
    return new ExportedFragment(fragment, writer.write(files));
  }

  private ExportedFiles withDeletionVectors(List<ExportedFragment> exported) throws IOException {
    if (exported.stream().noneMatch(fragment -> fragment.source().hasDeletions())) {
      return new ExportedFiles(exported, List.of(), 0);
    }
    OutputFileFactory files =
        OutputFileFactory.builderFor(table, 0, 0)
            .format(FileFormat.PUFFIN)
            .operationId(operationId)
            .suffix("deletes")
            .ioSupplier(() -> created)
            .build();
    try (DeletionVectorFile out =
        new DeletionVectorFile(files.newOutputFile().encryptingOutputFile(), table.specs())) {
      for (ExportedFragment fragment : exported) {
        addVectors(fragment, out);
      }
      DeletionVectorFile.Finished finished = out.finish();
      return new ExportedFiles(exported, finished.vectors(), finished.sizeBytes());
    }
  }

  private static void addVectors(ExportedFragment fragment, DeletionVectorFile out)
      throws IOException {
    if (!fragment.source().hasDeletions()) {
      return;
    }
    PortableRoaring whole = fragment.source().portableDeletions();
    for (WrittenFile file : fragment.files()) {
      out.add(file.dataFile(), whole.slice(file.startRow(), file.endRowExclusive()));
    }
  }

  private ExportedFiles withPositionDeletes(List<ExportedFragment> exported) throws IOException {
    try (PositionDeleteFiles out = new PositionDeleteFiles(table, created)) {
      for (ExportedFragment fragment : exported) {
        DeletionVector deletions = fragment.source().deletions();
        for (WrittenFile file : fragment.files()) {
          deletions
              .slice(file.startRow(), file.endRowExclusive())
              .forEach(offset -> out.add(file.dataFile(), Integer.toUnsignedLong(offset)));
        }
      }
      List<DeleteFile> written = out.finish();
      long bytes = written.stream().mapToLong(DeleteFile::fileSizeInBytes).sum();
      return new ExportedFiles(exported, written, bytes);
    }
  }
}
