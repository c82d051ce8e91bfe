package dev.narwhal.cli;

import dev.narwhal.iceberg.mapping.Unsupported;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What is done about columns that Iceberg has no type for. */
final class UnsupportedOption {
  @Option(
      names = "--unsupported",
      paramLabel = "POLICY",
      converter = PolicyName.class,
      defaultValue = "fail",
      description =
          "Columns without an Iceberg type: fail (default), drop them, or string, their texts.")
  Unsupported policy = Unsupported.FAIL;

  /** A policy by its name in the contract. */
  static final class PolicyName implements ITypeConverter<Unsupported> {
    @Override
    public Unsupported convert(String value) {
      try {
        return Unsupported.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
