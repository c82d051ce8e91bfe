package dev.narwhal.iceberg.mapping;

/**
 * A field that did not become its counterpart in Iceberg, by {@link Unsupported} policy.
 *
 * @param column path of the field, as in {@code a.element.b}
 * @param reason why not, with column and type
 */
public record Exemption(String column, String reason) {}
