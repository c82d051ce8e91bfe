package dev.narwhal.lance.predicate;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A typed expression over the columns of a schema. Operands have been brought to one type by
 * explicit {@link Cast}s and converted {@link Literal}s; constants have been folded. Three-valued:
 * each node may be null at a row unless it says otherwise. Values are immutable and equal by
 * content; {@code toString()} is SQL that parses to the same.
 *
 * <p>Depth is bounded (see {@link Predicate}), so that a recursive visitor is safe.
 */
public sealed interface Expression {

  ValueType type();

  <R> R accept(Visitor<R> visitor);

  /**
   * A column, or a member within struct columns. Null where the member or any struct around it is.
   *
   * @param path names as in the schema, outermost first; never empty
   */
  record ColumnRef(List<String> path, ValueType type) implements Expression {
    public ColumnRef {
      path = List.copyOf(path);
    }

    /** Name of the top-level column. */
    public String column() {
      return path.get(0);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.columnRef(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /**
   * A constant.
   *
   * <table>
   * <caption>Class of the value by kind of type</caption>
   * <tr><td>BOOLEAN</td><td>{@link Boolean}</td></tr>
   * <tr><td>INTEGER</td><td>{@link Long}; of uint64 the 64 bits</td></tr>
   * <tr><td>DATE, TIME, TIMESTAMP, DURATION</td><td>{@link Long} in the type's unit, instants in UTC</td></tr>
   * <tr><td>FLOAT</td><td>{@link Double}, exact for the type's width</td></tr>
   * <tr><td>DECIMAL</td><td>{@link java.math.BigDecimal} with the type's scale</td></tr>
   * <tr><td>STRING</td><td>{@link String}</td></tr>
   * <tr><td>BINARY</td><td>{@link ByteBuffer}, read-only</td></tr>
   * <tr><td>LIST</td><td>{@link List} of these; a null item is an empty {@link Optional}</td></tr>
   * </table>
   *
   * @param value empty for null
   */
  record Literal(Optional<Object> value, ValueType type) implements Expression {
    static final Literal TRUE = of(true, ValueType.BOOLEAN);
    static final Literal FALSE = of(false, ValueType.BOOLEAN);
    static final Literal NULL = ofNull(ValueType.NULL);
    static final Literal UNKNOWN = ofNull(ValueType.BOOLEAN);

    static Literal of(Object value, ValueType type) {
      return new Literal(Optional.of(value), type);
    }

    static Literal ofNull(ValueType type) {
      return new Literal(Optional.empty(), type);
    }

    public boolean isNull() {
      return value.isEmpty();
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.literal(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /**
   * Null if an operand is; else by value: floats in total order ({@code -0.0 < 0.0}, NaN equals
   * itself and is above infinity), uint64 unsigned, strings and binaries by unsigned bytes. Both
   * operands have one type, but for the width of their offsets and the scale of decimals.
   */
  record Comparison(ComparisonOperator operator, Expression left, Expression right)
      implements Expression {

    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.comparison(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /** {@code operand >= low AND operand <= high}, the operand evaluated once; as a comparison. */
  record Between(Expression operand, Expression low, Expression high) implements Expression {
    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.between(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /** False if a term is, else null if a term is, else true. Two terms or more, none an And. */
  record And(List<Expression> terms) implements Expression {
    public And {
      terms = List.copyOf(terms);
    }

    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.and(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /** True if a term is, else null if a term is, else false. Two terms or more, none an Or. */
  record Or(List<Expression> terms) implements Expression {
    public Or {
      terms = List.copyOf(terms);
    }

    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.or(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /** Null stays null. */
  record Not(Expression operand) implements Expression {
    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.not(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /** Never null itself. {@code IS NOT NULL} is a {@link Not} around it. */
  record IsNull(Expression operand) implements Expression {
    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.isNull(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /**
   * {@code IS TRUE} or {@code IS FALSE} of a boolean. Never null itself. {@code IS NOT TRUE} is a
   * {@link Not} around it.
   */
  record IsBoolean(Expression operand, boolean expected) implements Expression {
    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.isBoolean(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /**
   * Null if the operand is; true if it equals a value; else null if a value is null; else false.
   *
   * @param values of the operand's type, distinct, in the order of the text; not empty
   */
  record In(Expression operand, List<Literal> values) implements Expression {
    public In {
      values = List.copyOf(values);
    }

    /** Whether one of the values is null, so that the result is never false. */
    public boolean hasNull() {
      for (Literal value : values) {
        if (value.isNull()) {
          return true;
        }
      }
      return false;
    }

    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.in(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /**
   * {@code %} any characters, {@code _} one, a backslash takes the next one literally (at the end
   * of the pattern, itself).
   *
   * @param ignoreCase ILIKE: compares the characters' simple case foldings
   */
  record Like(Expression operand, Expression pattern, boolean ignoreCase) implements Expression {
    @Override
    public ValueType type() {
      return ValueType.BOOLEAN;
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.like(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /**
   * Arithmetic of two operands of the type {@code type}, or decimals. A null operand gives null;
   * overflow, and division by zero of integers and decimals, is a {@link
   * dev.narwhal.lance.error.PredicateEvaluationException}.
   */
  record Arithmetic(ArithmeticOperator operator, Expression left, Expression right, ValueType type)
      implements Expression {

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.arithmetic(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /** A conversion, written by the user or needed to bring operands to one type. */
  record Cast(Expression operand, ValueType type) implements Expression {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.cast(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /** A conversion that gives null where it has no value. */
  record TryCast(Expression operand, ValueType type) implements Expression {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.tryCast(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /**
   * The result of the first branch whose condition is true. A branch is evaluated only where it is
   * taken.
   *
   * @param branches at least one, their results of type {@code type}
   * @param otherwise where no condition is true, of type {@code type}
   */
  record Case(List<Branch> branches, Expression otherwise, ValueType type) implements Expression {
    /** WHEN condition THEN result. */
    record Branch(Expression condition, Expression result) {}

    public Case {
      branches = List.copyOf(branches);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.choice(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /**
   * A call. {@code ||} is {@code string_concat}, unary minus {@code negate}, {@code x[i]} {@code
   * array_element}.
   *
   * @param name canonical name: {@code character_length} for each of its aliases
   * @param arguments converted to the types that the function takes
   */
  record FunctionCall(String name, List<Expression> arguments, ValueType type)
      implements Expression {
    public FunctionCall {
      arguments = List.copyOf(arguments);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.functionCall(this);
    }

    @Override
    public String toString() {
      return SqlText.of(this);
    }
  }

  /** One method for each variant. */
  interface Visitor<R> {
    R columnRef(ColumnRef column);

    R literal(Literal literal);

    R comparison(Comparison comparison);

    R between(Between between);

    R and(And and);

    R or(Or or);

    R not(Not not);

    R isNull(IsNull isNull);

    R isBoolean(IsBoolean isBoolean);

    R in(In in);

    R like(Like like);

    R arithmetic(Arithmetic arithmetic);

    R cast(Cast cast);

    R tryCast(TryCast cast);

    R choice(Case choice);

    R functionCall(FunctionCall call);
  }
}
