package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.ColumnRef;
import dev.narwhal.lance.predicate.Expression.FunctionCall;
import dev.narwhal.lance.predicate.Expression.Like;
import dev.narwhal.lance.predicate.Expression.Literal;
import java.util.Optional;
import java.util.Set;

/** Matching of strings: constants against a column's bytes where they are. */
final class TextNodes {
  private static final Set<String> AFFIXES = Set.of("starts_with", "ends_with", "contains");

  private TextNodes() {}

  /** Whether a column's bytes are, or begin with, a constant. */
  static Node.Condition match(ColumnRef ref, byte[] constant, boolean prefix) {
    BytePattern pattern = new BytePattern(constant);
    return batch -> {
      ByteColumn column = ByteColumn.of(Column.find(ref, batch), ref.type());
      return Truth.of(column.match(pattern, prefix), column.valid());
    };
  }

  static Node.Condition like(Like like) {
    if (!(like.pattern() instanceof Literal literal)) {
      return likeRows(like);
    }
    LikeMatcher matcher =
        new LikeMatcher((String) literal.value().orElseThrow(), like.ignoreCase());
    if (like.operand() instanceof ColumnRef ref && (matcher.isExact() || matcher.isPrefix())) {
      return match(ref, matcher.literal(), matcher.isPrefix());
    }
    return matching(Evaluator.node(like.operand()), matcher);
  }

  private static Node.Condition matching(Node operand, LikeMatcher matcher) {
    return batch -> {
      ByteValues values = (ByteValues) operand.evaluate(batch);
      long[] asked = Bits.and(values.valid(), batch.active());
      return Truth.of(matcher.match(values, asked), values.valid());
    };
  }

  /** A pattern for each row. */
  private static Node.Condition likeRows(Like like) {
    Node operand = Evaluator.node(like.operand());
    Node pattern = Evaluator.node(like.pattern());
    return batch -> {
      Values texts = operand.evaluate(batch);
      Values patterns = pattern.evaluate(batch);
      long[] valid = Bits.and(texts.valid(), patterns.valid());
      long[] matches = new long[valid.length];
      for (int row = 0; row < batch.rows(); row++) {
        if (Bits.get(valid, row) && Bits.get(batch.active(), row)) {
          LikeMatcher matcher = new LikeMatcher((String) patterns.get(row), like.ignoreCase());
          String text = (String) texts.get(row);
          byte[] bytes = GeneralFunctions.utf8(like.ignoreCase() ? LikeMatcher.fold(text) : text);
          if (matcher.matches(bytes, 0, bytes.length)) {
            Bits.set(matches, row);
          }
        }
      }
      return Truth.of(matches, valid);
    };
  }

  /** {@code starts_with}, {@code ends_with} and {@code contains} of a constant, as a pattern. */
  static Optional<Node.Condition> affix(FunctionCall call) {
    String before = call.name().equals("starts_with") ? "" : "%";
    String after = call.name().equals("ends_with") ? "" : "%";
    if (!AFFIXES.contains(call.name()) || !(call.arguments().get(1) instanceof Literal literal)) {
      return Optional.empty();
    }
    return literal
        .value()
        .map(
            text -> {
              String escaped =
                  ((String) text).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
              Literal pattern = Literal.of(before + escaped + after, ValueType.STRING);
              return like(new Like(call.arguments().get(0), pattern, false));
            });
  }
}
