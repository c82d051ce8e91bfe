/**
 * The WHERE dialect of Lance: text becomes a typed tree over an Arrow schema ({@link
 * dev.narwhal.lance.predicate.Expression}), and that a mask of a batch's rows ({@link
 * dev.narwhal.lance.predicate.Predicate}) or a column of values ({@link
 * dev.narwhal.lance.predicate.Projection}).
 *
 * <pre>
 * Lexer, Tokens             text to tokens: quoting, comments
 * Parser, OperandParser     tokens to structure; FlatExpression asks JSqlParser for precedence
 * Scope, Names              which columns there are, and which one a name means
 * Binder                    types: Alignment, ArithmeticRules, CallRules, CastFunctions
 * Folding, Alternatives     constants, and one IN of many comparisons
 * Evaluator and *Nodes      the tree to nodes that turn a Batch into Values
 * Loading, Storing          columns as Values, and the way back
 * ColumnTypes               the type of a column made from an expression
 * </pre>
 *
 * <p>What real Lance 7.0.0 answers to some 640 filters is in the golden file {@code
 * lance-7.0.0/filters.tsv}; {@code ObservedFiltersTest} lists where Narwhal differs and why. In
 * short: it refuses ambiguous names, never wraps around, never fails for a row whose result is
 * known, and takes exact decimals, text for dates and times, and a few functions more.
 */
@NullMarked
package dev.narwhal.lance.predicate;

import org.jspecify.annotations.NullMarked;
