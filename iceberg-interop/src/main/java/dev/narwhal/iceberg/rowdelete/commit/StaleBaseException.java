package dev.narwhal.iceberg.rowdelete.commit;

import org.apache.iceberg.exceptions.ValidationException;

/** Another commit came between; Iceberg has cleaned up its own attempt. */
final class StaleBaseException extends ValidationException {
  private static final long serialVersionUID = 1L;

  StaleBaseException() {
    super("another commit came between");
  }
}
