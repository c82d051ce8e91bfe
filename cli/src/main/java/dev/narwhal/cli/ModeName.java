package dev.narwhal.cli;

import dev.narwhal.iceberg.rowdelete.plan.DeleteMode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The modes of row-level changes by their names. */
final class ModeName implements ITypeConverter<DeleteMode> {
  @Override
  public DeleteMode convert(String text) {
    try {
      return DeleteMode.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
