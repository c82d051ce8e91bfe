package dev.narwhal.conformance;

import dev.narwhal.lance.schema.UnknownFields;
import dev.narwhal.lance.transaction.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Changes of a table's configuration. */
final class Configs {
  private Configs() {}

  static Operation set(String key, String value) {
    Operation.UpdateMap map =
        new Operation.UpdateMap(
            List.of(new Operation.UpdateMap.Entry(key, Optional.of(value))), false);
    return new Operation.UpdateConfig(
        Map.of(),
        List.of(),
        Map.of(),
        Map.of(),
        Optional.of(map),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        UnknownFields.none());
  }
}
