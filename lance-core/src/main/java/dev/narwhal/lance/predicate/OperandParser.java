package dev.narwhal.lance.predicate;

import dev.narwhal.lance.predicate.Expression.Literal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what stands between operators.
 *
 * <pre>
 * operand = { - } primary { [index] | ::type }
 * primary = number | string | X'..' | TRUE | FALSE | NULL | DATE '..' | TIMESTAMP '..' | TIME '..'
 *         | ( or ) | [ or, .. ] | [TRY_]CAST(or AS type) | EXTRACT(part FROM or)
 *         | CASE .. END in values | function(or, ..) | CURRENT_DATE | CURRENT_TIMESTAMP | name { . name }
 * </pre>
 */
final class OperandParser {
  private static final Map<String, Literal> CONSTANTS =
      Map.of("true", Literal.TRUE, "false", Literal.FALSE, "null", Literal.NULL);
  private static final Set<String> TEMPORAL = Set.of("date", "timestamp", "datetime", "time");
  private static final Set<String> ZERO_ARGUMENT = Set.of("current_date", "current_timestamp");
  private static final Set<String> QUANTIFIERS = Set.of("any", "all", "some");

  private final Tokens tokens;
  private final Binder binder;
  private final Parser parser;
  private final Parser.Dialect dialect;

  OperandParser(Tokens tokens, Binder binder, Parser parser, Parser.Dialect dialect) {
    this.tokens = tokens;
    this.binder = binder;
    this.parser = parser;
    this.dialect = dialect;
  }

  /** One name of a dotted path. */
  record Name(String text, boolean quoted) {}

  Term operand() {
    if (tokens.peek().isSymbol("+")) {
      throw tokens.error("unary plus is not supported: leave it out", tokens.peek());
    }
    int minuses = 0;
    while (tokens.acceptSymbol("-")) {
      minuses++;
    }
    Term term = postfix(primary());
    for (int i = 0; i < minuses; i++) {
      term = Term.above(binder.negate(term.expression()), term);
    }
    return term;
  }

  private Term postfix(Term primary) {
    Term term = primary;
    while (true) {
      if (tokens.acceptSymbol("::")) {
        term = Term.above(binder.cast(term.expression(), type()), term);
      } else if (tokens.acceptSymbol("[")) {
        Term index = parser.nested();
        tokens.expectSymbol("]");
        term =
            Term.above(binder.element(term.expression(), index.expression()), List.of(term, index));
      } else if (tokens.acceptSymbol(".")) {
        throw tokens.unexpected(
            "an operator: members are named as in a.b.c, each plain or in back" + " quotes");
      } else {
        return term;
      }
    }
  }

  private Term primary() {
    Token token = tokens.peek();
    return switch (token.kind()) {
      case NUMBER -> Term.leaf(Literals.number(tokens.next().text()));
      case STRING -> Term.leaf(Literal.of(tokens.next().text(), ValueType.STRING));
      case HEX -> Term.leaf(hex(tokens.next()));
      case QUOTED_NAME -> path();
      case WORD -> word(token);
      case SYMBOL -> symbol(token);
      case END -> throw tokens.unexpected("a value");
    };
  }

  private Term symbol(Token token) {
    if (tokens.acceptSymbol("(")) {
      if (tokens.peek().isWord("select")) {
        throw tokens.error("subqueries are not supported", token);
      }
      Term term = parser.nested();
      if (tokens.peek().isSymbol(",")) {
        throw tokens.error("tuples are not supported: compare one value at a time", token);
      }
      tokens.expectSymbol(")");
      return term;
    }
    if (tokens.acceptSymbol("[")) {
      List<Term> items = parser.list("]");
      return Term.above(binder.list(Term.expressions(items)), items);
    }
    throw tokens.unexpected("a value");
  }

  private Term word(Token token) {
    String word = token.text().toLowerCase(Locale.ROOT);
    Token after = tokens.peek(1);
    Literal constant = CONSTANTS.get(word);
    if (constant != null) {
      tokens.next();
      return Term.leaf(constant);
    }
    if (Words.isReserved(word)) {
      throw tokens.unexpected("a value");
    }
    if (TEMPORAL.contains(word) && (after.kind() == Token.Kind.STRING || precisionFollows())) {
      return temporal();
    }
    if (word.equals("case") && startsCase(after)) {
      if (dialect == Parser.Dialect.VALUE) {
        return choice();
      }
      throw tokens.error("CASE is not supported: write the condition with AND and OR", token);
    }
    if (word.equals("interval") && startsOperand(after)) {
      throw tokens.error(
          "INTERVAL is not supported: compare with a date or timestamp literal", token);
    }
    if (after.isSymbol("(")) {
      return call(word);
    }
    if (ZERO_ARGUMENT.contains(word) && !binder.hasColumn(token.text())) {
      tokens.next();
      return Term.leaf(binder.call(word, List.of()));
    }
    return path();
  }

  /** {@code CASE [operand] { WHEN or THEN or } [ELSE or] END}. */
  private Term choice() {
    tokens.next();
    List<Term> parts = new ArrayList<>();
    Optional<Term> operand =
        tokens.peek().isWord("when") ? Optional.empty() : Optional.of(parser.nested());
    operand.ifPresent(parts::add);
    List<Expression> conditions = new ArrayList<>();
    List<Expression> results = new ArrayList<>();
    while (tokens.acceptWord("when")) {
      Term condition = parser.nested();
      parts.add(condition);
      conditions.add(
          operand
              .map(
                  o ->
                      binder.comparison(
                          ComparisonOperator.EQ, o.expression(), condition.expression()))
              .orElse(condition.expression()));
      if (!tokens.acceptWord("then")) {
        throw tokens.unexpected("THEN");
      }
      Term result = parser.nested();
      parts.add(result);
      results.add(result.expression());
    }
    if (conditions.isEmpty()) {
      throw tokens.unexpected("WHEN");
    }
    Term otherwise = tokens.acceptWord("else") ? parser.nested() : Term.leaf(Literal.NULL);
    parts.add(otherwise);
    if (!tokens.acceptWord("end")) {
      throw tokens.unexpected("WHEN, ELSE or END");
    }
    Expression choice = binder.choice(conditions, results, otherwise.expression());
    // the comparison with the operand is a node between
    return Term.above(choice, Term.above(choice, parts));
  }

  private boolean startsCase(Token after) {
    return startsOperand(after)
        || (dialect == Parser.Dialect.VALUE && (after.isSymbol("(") || after.isSymbol("-")));
  }

  private static boolean startsOperand(Token token) {
    return switch (token.kind()) {
      case NUMBER, STRING, HEX, QUOTED_NAME -> true;
      case WORD -> !Words.isReserved(token.text()) || token.isWord("not");
      case SYMBOL, END -> false;
    };
  }

  /** {@code timestamp(3) '..'}. */
  private boolean precisionFollows() {
    return tokens.peek(1).isSymbol("(")
        && tokens.peek(2).kind() == Token.Kind.NUMBER
        && tokens.peek(3).isSymbol(")")
        && tokens.peek(4).kind() == Token.Kind.STRING;
  }

  private Term temporal() {
    Token word = tokens.peek();
    if (word.isWord("time") && precisionFollows()) {
      throw tokens.error("TIME takes no precision", word);
    }
    boolean date = word.isWord("date");
    boolean time = word.isWord("time");
    ValueType type = type();
    Token text = tokens.next();
    try {
      return Term.leaf(Literals.temporal(text.text(), date, time, type));
    } catch (IllegalArgumentException e) {
      throw tokens.error("'" + text.text() + "' " + e.getMessage(), text);
    }
  }

  private Literal hex(Token token) {
    try {
      byte[] bytes = HexFormat.of().parseHex(token.text());
      return Literal.of(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), ValueType.BINARY);
    } catch (IllegalArgumentException e) {
      throw tokens.error(
          "X'" + token.text() + "' is not a whole number of bytes in hexadecimal digits", token);
    }
  }

  private Term call(String word) {
    Token name = tokens.next();
    tokens.expectSymbol("(");
    if (word.equals("cast") || word.equals("try_cast")) {
      return castCall(word.equals("try_cast"));
    }
    if (word.equals("extract")) {
      return extract();
    }
    if (word.equals("exists") || tokens.peek().isWord("select")) {
      throw tokens.error("subqueries are not supported", name);
    }
    if (QUANTIFIERS.contains(word)) {
      throw tokens.error(
          "'" + name.text() + "' is not supported: use IN, or array_has(list, value)", name);
    }
    Binder.requireFunction(word);
    if (tokens.peek().isWord("distinct") || tokens.peek().isSymbol("*")) {
      throw tokens.error("aggregates are not supported: '" + name.text() + "(..)'", name);
    }
    List<Term> arguments = new ArrayList<>();
    if (!tokens.acceptSymbol(")")) {
      do {
        arguments.add(parser.nested());
      } while (tokens.acceptSymbol(","));
      if (tokens.peek().isWord("from") || tokens.peek().isWord("for")) {
        throw tokens.error(
            name.text() + "(.. FROM ..) is not supported: separate the arguments with commas",
            name);
      }
      tokens.expectSymbol(")");
    }
    return Term.above(binder.call(word, Term.expressions(arguments)), arguments);
  }

  private Term castCall(boolean lenient) {
    Term operand = parser.nested();
    if (!tokens.acceptWord("as")) {
      throw tokens.unexpected("AS and a type");
    }
    ValueType type = type();
    tokens.expectSymbol(")");
    Expression cast =
        lenient
            ? binder.tryCast(operand.expression(), type)
            : binder.cast(operand.expression(), type);
    return Term.above(cast, operand);
  }

  private Term extract() {
    Token part = tokens.next();
    if (!tokens.acceptWord("from")) {
      throw tokens.unexpected("FROM: extract(year FROM x)");
    }
    Term operand = parser.nested();
    tokens.expectSymbol(")");
    Expression name = Literal.of(part.text(), ValueType.STRING);
    return Term.above(binder.call("date_part", List.of(name, operand.expression())), operand);
  }

  /** A type's name with its arguments. */
  private ValueType type() {
    Token first = tokens.peek();
    if (first.kind() != Token.Kind.WORD) {
      throw tokens.unexpected("a type");
    }
    tokens.next();
    List<Integer> arguments = new ArrayList<>();
    if (tokens.peek().isSymbol("(")) {
      tokens.next();
      do {
        Token number = tokens.next();
        if (number.kind() != Token.Kind.NUMBER || !number.text().matches("[0-9]{1,4}")) {
          throw tokens.error("'" + number.text() + "' is not an argument of a type", number);
        }
        arguments.add(Integer.parseInt(number.text()));
      } while (tokens.acceptSymbol(","));
      tokens.expectSymbol(")");
    }
    String name = first.text();
    if (TypeNames.continues(name, tokens.peek().text())) {
      name += " " + tokens.next().text();
    }
    return TypeNames.parse(name, arguments);
  }

  private Term path() {
    Token first = tokens.peek();
    List<Name> names = new ArrayList<>();
    do {
      Token token = tokens.peek();
      if (!token.isName() || (!names.isEmpty() && token.kind() == Token.Kind.STRING)) {
        throw tokens.unexpected("the name of a member, plain or in back quotes");
      }
      tokens.next();
      names.add(new Name(token.text(), token.kind() == Token.Kind.QUOTED_NAME));
    } while (tokens.acceptSymbol("."));
    if (tokens.peek().isSymbol("(")) {
      throw tokens.error("unknown function '" + tokens.since(first) + "'", first);
    }
    return Term.leaf(binder.column(names));
  }
}
