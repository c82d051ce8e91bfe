package dev.narwhal.lance.predicate;

import dev.narwhal.lance.error.InvalidPredicateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads a WHERE text, or that of a value. The structure (AND, OR, NOT, IS, parentheses, lists,
 * calls) is read here, chains in loops and nesting to a bounded depth; what lies between is a flat
 * run of operands and operators, whose grammar is JSqlParser's ({@link FlatExpression}). So no
 * text, however long or nested, makes JSqlParser back-track or recurse without end, and none of its
 * reserved words or quoting rules reaches a column's name.
 *
 * <pre>
 * or        = and { OR and }
 * and       = not { AND not }
 * not       = { NOT } flat { IS [NOT] (NULL | TRUE | FALSE) }
 * flat      = operand { operator operand }       operators, [NOT] LIKE, ILIKE, BETWEEN x AND y, IN (..)
 * operand                                         see {@link OperandParser}
 * </pre>
 */
final class Parser {
  /** Characters of a text. An IN list of 100,000 numbers has about 700,000. */
  static final int MAX_LENGTH = 8 << 20;

  /** Parentheses, brackets and calls within each other. */
  static final int MAX_NESTING = 100;

  private static final Set<String> OPERATORS =
      Set.of("=", "==", "!=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "||");

  private static final Set<String> REFUSED_SYMBOLS =
      Set.of(
          "~", "!~", "~*", "!~*", "&", "|", "^", "<<", ">>", "->", "->>", "@>", "<@", "&&", "<=>",
          ":=", "!", "?", "@", "#");

  private static final Set<String> REFUSED_WORDS =
      Set.of(
          "similar",
          "rlike",
          "regexp",
          "xor",
          "div",
          "collate",
          "over",
          "at",
          "glob",
          "match",
          "overlaps",
          "filter");

  private final Tokens tokens;
  private final Binder binder;
  private final OperandParser operands;
  private int nesting;

  private Parser(String text, Scope scope, Dialect dialect) {
    this.tokens = new Tokens(text);
    this.binder = new Binder(scope);
    this.operands = new OperandParser(tokens, binder, this, dialect);
  }

  /** What a text may hold. */
  enum Dialect {
    /** Real Lance's filters. */
    CONDITION,
    /** With CASE, which real Lance takes nowhere. */
    VALUE
  }

  /** The boolean expression that a text stands for. */
  static Expression parse(String text, Scope scope) {
    Parser parser = new Parser(checked(text), scope, Dialect.CONDITION);
    return parser.binder.predicate(parser.whole("a condition, or true"));
  }

  /** The value that a text stands for, in its own type. */
  static Expression parseValue(String text, Scope scope) {
    return new Parser(checked(text), scope, Dialect.VALUE).whole("a value, or NULL");
  }

  /** The value that a text stands for, in a column's type. */
  static Expression parseValue(String text, Scope scope, ValueType target) {
    Parser parser = new Parser(checked(text), scope, Dialect.VALUE);
    return Projection.converted(parser.whole("a value, or NULL"), target, parser.binder);
  }

  private static String checked(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new InvalidPredicateException(
          "the predicate has "
              + text.length()
              + " characters, at most "
              + MAX_LENGTH
              + " are read");
    }
    return text;
  }

  private Expression whole(String wanted) {
    if (tokens.peek().kind() == Token.Kind.END) {
      throw new InvalidPredicateException("the predicate is empty: write " + wanted);
    }
    Term term = or();
    tokens.acceptSymbol(";");
    if (tokens.peek().kind() != Token.Kind.END) {
      throw tokens.unexpected("AND, OR or the end");
    }
    return term.expression();
  }

  /** An expression within parentheses or the like: what {@code open} began. */
  Term nested() {
    if (++nesting > MAX_NESTING) {
      throw new InvalidPredicateException(
          "parentheses and calls are nested more than " + MAX_NESTING + " deep");
    }
    Term term = or();
    nesting--;
    return term;
  }

  /** Expressions between commas, up to and with {@code close}; none if it is there at once. */
  List<Term> list(String close) {
    List<Term> items = new ArrayList<>();
    if (tokens.acceptSymbol(close)) {
      return items;
    }
    do {
      items.add(nested());
    } while (tokens.acceptSymbol(","));
    tokens.expectSymbol(close);
    return items;
  }

  private Term or() {
    Term first = and();
    if (!tokens.peek().isWord("or")) {
      return first;
    }
    List<Term> terms = new ArrayList<>(List.of(first));
    while (tokens.acceptWord("or")) {
      terms.add(and());
    }
    return Term.above(binder.or(Term.expressions(terms)), terms);
  }

  private Term and() {
    Term first = not();
    if (!tokens.peek().isWord("and")) {
      return first;
    }
    List<Term> terms = new ArrayList<>(List.of(first));
    while (tokens.acceptWord("and")) {
      terms.add(not());
    }
    return Term.above(binder.and(Term.expressions(terms)), terms);
  }

  private Term not() {
    int count = 0;
    while (tokens.acceptWord("not")) {
      count++;
    }
    Term term = flat();
    while (tokens.acceptWord("is")) {
      term = is(term);
    }
    if (count == 0) {
      return term;
    }
    // An even number of NOTs changes nothing, but the operand must be boolean all the same.
    Expression negated = binder.not(term.expression());
    return count % 2 == 1 ? Term.above(negated, term) : term;
  }

  private Term is(Term term) {
    boolean negated = tokens.acceptWord("not");
    Expression operand = term.expression();
    Expression test;
    if (tokens.acceptWord("null")) {
      test = binder.isNull(operand);
    } else if (tokens.acceptWord("true")) {
      test = binder.isBoolean(operand, true);
    } else if (tokens.acceptWord("false")) {
      test = binder.isBoolean(operand, false);
    } else {
      throw tokens.unexpected("NULL, TRUE or FALSE after " + (negated ? "IS NOT" : "IS"));
    }
    return negated ? Term.above(binder.not(test), Term.above(test, term)) : Term.above(test, term);
  }

  private Term flat() {
    Token first = tokens.peek();
    FlatExpression flat = new FlatExpression(binder);
    flat.operand(operands.operand());
    int openBetweens = 0;
    while (true) {
      Token token = tokens.peek();
      if (token.kind() == Token.Kind.SYMBOL && OPERATORS.contains(token.text())) {
        tokens.next();
        flat.operator(token.text().equals("==") ? "=" : token.text());
        flat.operand(operands.operand());
      } else if (openBetweens > 0 && tokens.acceptWord("and")) {
        openBetweens--;
        flat.operator("AND");
        flat.operand(operands.operand());
      } else if (isMatch(token.isWord("not") ? tokens.peek(1) : token)) {
        openBetweens += match(flat);
      } else {
        refuse(token);
        break;
      }
    }
    if (openBetweens > 0) {
      throw tokens.unexpected("the AND of BETWEEN");
    }
    return flat.bind(() -> tokens.since(first));
  }

  private static boolean isMatch(Token token) {
    return token.isWord("in")
        || token.isWord("like")
        || token.isWord("ilike")
        || token.isWord("between");
  }

  /** Reads {@code [NOT] IN (..)}, LIKE, ILIKE or BETWEEN's begin; 1 if an AND is to follow. */
  private int match(FlatExpression flat) {
    if (tokens.acceptWord("not")) {
      flat.operator("NOT");
    }
    Token word = tokens.next();
    flat.operator(word.text().toUpperCase(Locale.ROOT));
    if (word.isWord("in")) {
      flat.list(inList());
      return 0;
    }
    flat.operand(operands.operand());
    if (word.isWord("between")) {
      return 1;
    }
    if (tokens.acceptWord("escape")) {
      Token escape = tokens.next();
      if (escape.kind() != Token.Kind.STRING || !escape.text().equals("\\")) {
        throw tokens.error("ESCAPE takes nothing but the backslash, '\\'", escape);
      }
    }
    return 0;
  }

  private List<Term> inList() {
    Token open = tokens.peek();
    if (!tokens.acceptSymbol("(")) {
      throw tokens.unexpected("'(' and a list of values after IN");
    }
    if (tokens.peek().isWord("select")) {
      throw tokens.error("subqueries are not supported: IN takes a list of values", open);
    }
    List<Term> items = list(")");
    if (items.isEmpty()) {
      throw tokens.error("IN () has no value: write at least one", open);
    }
    return items;
  }

  private void refuse(Token token) {
    if (token.kind() == Token.Kind.SYMBOL && REFUSED_SYMBOLS.contains(token.text())) {
      throw tokens.error(
          "operator '"
              + token.text()
              + "' is not supported: accepted are "
              + "= != <> < <= > >= + - * / % || LIKE ILIKE IN BETWEEN IS; regexp_like(x, p) "
              + "matches a regular expression",
          token);
    }
    if (token.kind() == Token.Kind.WORD
        && REFUSED_WORDS.contains(token.text().toLowerCase(Locale.ROOT))) {
      throw tokens.error(
          "'"
              + token.text()
              + "' is not supported: accepted are LIKE, ILIKE, IN, BETWEEN and IS"
              + " [NOT] NULL, TRUE, FALSE",
          token);
    }
  }
}
