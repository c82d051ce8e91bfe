package dev.narwhal.lance.predicate;

/** A compiled expression. Safe for use by many threads at once. */
interface Node {
  Values evaluate(Batch batch);

  /** A compiled boolean expression. */
  interface Condition extends Node {
    @Override
    Truth evaluate(Batch batch);
  }
}
