package dev.narwhal.lance.transaction;

/** The variants of {@link Operation}, in the order of the columns of {@link ConflictRules}. */
enum OperationKind {
  APPEND,
  DELETE,
  UPDATE,
  REWRITE,
  MERGE,
  PROJECT,
  DATA_REPLACEMENT,
  OVERWRITE,
  RESTORE,
  RESERVE_FRAGMENTS,
  UPDATE_CONFIG,
  CREATE_INDEX,
  UPDATE_MEM_WAL_STATE,
  UPDATE_BASES,
  CLONE,
  OPAQUE;

  static OperationKind of(Operation operation) {
    return operation.accept(new Kinds());
  }

  private static final class Kinds implements Operation.Visitor<OperationKind> {
    @Override
    public OperationKind append(Operation.Append operation) {
      return APPEND;
    }

    @Override
    public OperationKind delete(Operation.Delete operation) {
      return DELETE;
    }

    @Override
    public OperationKind overwrite(Operation.Overwrite operation) {
      return OVERWRITE;
    }

    @Override
    public OperationKind createIndex(Operation.CreateIndex operation) {
      return CREATE_INDEX;
    }

    @Override
    public OperationKind rewrite(Operation.Rewrite operation) {
      return REWRITE;
    }

    @Override
    public OperationKind merge(Operation.Merge operation) {
      return MERGE;
    }

    @Override
    public OperationKind restore(Operation.Restore operation) {
      return RESTORE;
    }

    @Override
    public OperationKind reserveFragments(Operation.ReserveFragments operation) {
      return RESERVE_FRAGMENTS;
    }

    @Override
    public OperationKind update(Operation.Update operation) {
      return UPDATE;
    }

    @Override
    public OperationKind project(Operation.Project operation) {
      return PROJECT;
    }

    @Override
    public OperationKind updateConfig(Operation.UpdateConfig operation) {
      return UPDATE_CONFIG;
    }

    @Override
    public OperationKind dataReplacement(Operation.DataReplacement operation) {
      return DATA_REPLACEMENT;
    }

    @Override
    public OperationKind clone(Operation.Clone operation) {
      return CLONE;
    }

    @Override
    public OperationKind updateBases(Operation.UpdateBases operation) {
      return UPDATE_BASES;
    }

    @Override
    public OperationKind updateMemWalState(Operation.UpdateMemWalState operation) {
      return UPDATE_MEM_WAL_STATE;
    }

    @Override
    public OperationKind opaque(Operation.Opaque operation) {
      return OPAQUE;
    }
  }
}
