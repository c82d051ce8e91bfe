package dev.narwhal.lance.error;

/**
 * A predicate that is well typed but has no value for a row: integer overflow, division by zero, a
 * cast of a value that the target type does not hold. The operation that evaluates the predicate
 * aborts. The message quotes the expression and names the row within the evaluated batch.
 */
public final class PredicateEvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int row;

  /**
   * @param reason what went wrong, with the values
   * @param expression SQL text of the part that failed
   * @param row 0-based row within the evaluated batch
   */
  public PredicateEvaluationException(String reason, String expression, int row) {
    super(reason + " in '" + expression + "' (row " + row + " of the batch)");
    this.row = row;
  }

  private PredicateEvaluationException(String message, int row) {
    super(message);
    this.row = row;
  }

  /** 0-based row within the evaluated batch. */
  public int row() {
    return row;
  }

  /** The same, its message led by the place (a fragment, a version) whose rows were evaluated. */
  public PredicateEvaluationException in(String place) {
    PredicateEvaluationException placed =
        new PredicateEvaluationException(place + ": " + getMessage(), row);
    placed.setStackTrace(getStackTrace());
    return placed;
  }
}
