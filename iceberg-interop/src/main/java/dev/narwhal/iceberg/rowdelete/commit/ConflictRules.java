package dev.narwhal.iceberg.rowdelete.commit;

import dev.narwhal.iceberg.rowdelete.plan.RowDelete;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.IsolationLevel;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.StructLikeWrapper;

/**
 * Which commits that came between a change cannot live with. Files are compared by their own names
 * and partitions, never by the change's condition: a vector for a file that the condition rules out
 * is a vector for that file.
 *
 * <pre>
 * of the other commit               change only deletes      change adds or rewrites rows
 * removes the data file, a delete   its rows are gone        conflict
 * removes the data file, else       conflict                 conflict
 * deletes rows of it by position,
 *   and adds no data files          united                   united unless a row is in both;
 *                                                            conflict if the file is rewritten
 *   and adds data files             conflict                 conflict
 * deletes by equality in its reach  lives on               conflict
 * adds rows that may match          conflict if serializable, unless they only moved
 * </pre>
 *
 * <p>A change that only writes the same deletes anew cannot live with any change of deletes.
 */
final class ConflictRules {
  private final Change change;
  private final Validation validation;
  private final Map<Integer, PartitionSpec> specs;

  ConflictRules(Change change, Validation validation, Map<Integer, PartitionSpec> specs) {
    this.change = change;
    this.validation = validation;
    this.specs = specs;
  }

  /** Checks what concerns no single file of the change. */
  void check(ConcurrentCommit other) {
    if (change.isMaintenance()
        && !(other.removed().isEmpty()
            && other.addedDeletes().isEmpty()
            && other.removedDeletes().isEmpty())) {
      throw conflict(other, "all delete files", "it changed what is deleted");
    }
    if (validation.isolation() == IsolationLevel.SERIALIZABLE && !other.isReplace()) {
      for (DataFile file : other.added()) {
        if (validation.mayMatch().test(file)) {
          throw conflict(other, file.location(), "it added a data file that may match");
        }
      }
    }
    if (!change.isPureDelete()) {
      for (DeleteFile delete : other.addedDeletes(FileContent.EQUALITY_DELETES)) {
        for (RowDelete file : change.touched()) {
          if (reaches(delete, file.dataFile())) {
            throw conflict(
                other, file.dataFile().location(), "it deletes by equality, maybe from this file");
          }
        }
      }
    }
  }

  /** Checks a data file of the change that the commit removed. */
  void checkRemoved(ConcurrentCommit other, RowDelete file) {
    if (!change.isPureDelete() || other.isReplace() || !other.isPureDelete()) {
      throw conflict(other, file.dataFile().location(), "it removed or replaced this file");
    }
  }

  /**
   * Checks a data file of the change from which the commit deleted rows by position.
   *
   * @param overlaps whether some of the rows are the change's own
   */
  void checkDeletedFrom(ConcurrentCommit other, RowDelete file, boolean overlaps) {
    String location = file.dataFile().location();
    if (!other.isPureDelete()) {
      throw conflict(
          other, location, "it deleted rows of this file that may live on with other values");
    }
    if (change.rewritten().contains(file)) {
      throw conflict(other, location, "it deleted rows of this file, which was rewritten");
    }
    if (overlaps && !change.isPureDelete()) {
      throw conflict(other, location, "it deleted rows that were updated");
    }
  }

  /** Whether a delete file that names no data file may delete from this one. */
  boolean reaches(DeleteFile delete, DataFile file) {
    PartitionSpec spec = spec(delete.specId());
    if (delete.content() == FileContent.EQUALITY_DELETES && spec.isUnpartitioned()) {
      return true;
    }
    return delete.specId() == file.specId()
        && StructLikeWrapper.forType(spec.partitionType())
            .set(delete.partition())
            .equals(StructLikeWrapper.forType(spec.partitionType()).set(file.partition()));
  }

  private PartitionSpec spec(int id) {
    PartitionSpec spec = specs.get(id);
    if (spec == null) {
      throw new IllegalStateException("unknown partition spec " + id);
    }
    return spec;
  }

  private ValidationException conflict(ConcurrentCommit other, String file, String reason) {
    return new ValidationException(
        "%s conflicts with %s: %s (%s); nothing was committed, run it again",
        validation.what(), other.text(), reason, file);
  }
}
