package dev.narwhal.conformance;

import dev.narwhal.conformance.TableModel.NewRow;
import dev.narwhal.lance.write.merge.WhenMatched;
import dev.narwhal.lance.write.merge.WhenNotMatched;
import dev.narwhal.lance.write.merge.WhenNotMatchedBySource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A merge by {@code id} of random clauses and a random source of which some keys are the table's.
 *
 * @param source rows in no order, no key twice
 */
record TurnMerge(MergeCase clauses, Schema schema, List<NewRow> source) {
  /** Of all clauses. */
  static TurnMerge some(TurnTable table) throws IOException {
    return some(table, false);
  }

  /** That can be done in place, and has a column to do it to. */
  static TurnMerge someInPlace(TurnTable table) throws IOException {
    return some(table, true);
  }

  private static TurnMerge some(TurnTable table, boolean inPlace) throws IOException {
    Random random = table.random();
    Schema schema = schema(table.schema(), random);
    boolean hasNumber = schema.getFields().stream().anyMatch(one -> one.getName().equals("n"));
    WhenMatched matched =
        switch (random.nextInt(6)) {
          case 0 -> inPlace ? WhenMatched.updateAll() : WhenMatched.delete();
          case 1 -> inPlace ? WhenMatched.updateAll() : WhenMatched.doNothing();
          case 2, 3 ->
              WhenMatched.updateIf(
                  TableModel.UPDATE_CONDITIONS.get(hasNumber && random.nextBoolean() ? 0 : 1));
          default -> WhenMatched.updateAll();
        };
    WhenNotMatched notMatched =
        matched instanceof WhenMatched.DoNothing || random.nextInt(3) > 0
            ? WhenNotMatched.INSERT
            : WhenNotMatched.DO_NOTHING;
    WhenNotMatchedBySource bySource =
        switch (inPlace ? 9 : random.nextInt(10)) {
          case 0 -> WhenNotMatchedBySource.delete();
          case 1, 2 -> WhenNotMatchedBySource.deleteIf(TableModel.DELETE_CONDITION);
          default -> WhenNotMatchedBySource.keep();
        };
    boolean rare = bySource instanceof WhenNotMatchedBySource.Delete;
    List<NewRow> source = new ArrayList<>();
    for (long id : keys(table, rare ? 150 : 40)) {
      source.add(table.row(schema, id));
    }
    Collections.shuffle(source, random);
    return new TurnMerge(
        new MergeCase(List.of("id"), matched, notMatched, bySource), schema, source);
  }

  /** The key and at least one other column, in any order. */
  private static Schema schema(Schema table, Random random) {
    List<Field> fields = new ArrayList<>(table.getFields());
    Collections.shuffle(fields, random);
    int others = 1 + random.nextInt(fields.size() - 1);
    boolean all = random.nextBoolean();
    List<Field> some = new ArrayList<>();
    for (Field field : fields) {
      if (field.getName().equals("id") || all || others-- > 0) {
        some.add(field);
      }
    }
    return new Schema(some);
  }

  private static Set<Long> keys(TurnTable table, int most) {
    Set<Long> keys = new TreeSet<>();
    List<Long> there = table.model().ids();
    Random random = table.random();
    for (int i = random.nextInt(most); i >= 0; i--) {
      boolean known = !there.isEmpty() && random.nextInt(3) > 0;
      keys.add(
          known
              ? there.get(random.nextInt(there.size()))
              : random.nextInt((int) table.model().nextId() + 5));
    }
    return keys;
  }

  /** Has the model do it. */
  void apply(TurnTable table) throws IOException {
    table.model().merge(clauses, source, TurnTable.names(table.schema()), table.newest());
  }

  @Override
  public String toString() {
    return clauses
        + " of "
        + TurnTable.names(schema)
        + " for "
        + source.stream().map(NewRow::id).toList();
  }
}
