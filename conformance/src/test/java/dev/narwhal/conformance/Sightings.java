package dev.narwhal.conformance;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Invented whale sightings, in the order in which they were reported: the rows of the sample.
 *
 * <p>The same rows each time, row by row from one seed.
 */
final class Sightings {
  private static final long SEED = 20_261_130L;
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final LocalDate FIRST_DAY = LocalDate.of(2014, 5, 1);
  private static final int SONG_SIZE = 4;

  private static final List<String> SPECIES =
      List.of(
          "minke whale",
          "humpback whale",
          "beluga",
          "fin whale",
          "narwhal",
          "orca",
          "bowhead whale",
          "sperm whale",
          "blue whale");
  private static final List<String> REGIONS =
      List.of(
          "Baffin Bay",
          "Davis Strait",
          "Disko Bay",
          "Fram Strait",
          "Greenland Sea",
          "Hudson Strait",
          "Lancaster Sound",
          "Scoresby Sund");
  private static final List<String> DOING =
      List.of(
          "feeding at the surface",
          "travelling in a loose line",
          "logging, little wind",
          "breaching twice",
          "lobtailing",
          "diving for about ten minutes",
          "close to the ice edge",
          "following a trawler");
  private static final List<String> REMARK =
      List.of(
          "seen from the bridge",
          "heard before it was seen",
          "photographs of the fluke taken",
          "fog came in soon after",
          "scar behind the blowhole",
          "calf stayed on the left side",
          "tusk clearly visible",
          "moved off when the engine started");

  private final Random random = new Random(SEED);
  private long nextId = 1;
  private long observedMicros = FIRST_DAY.toEpochDay() * MICROS_PER_DAY;

  static Schema schema() {
    return new Schema(
        List.of(
            field("sighting_id", new ArrowType.Int(64, true), false),
            field("observed_at", new ArrowType.Timestamp(TimeUnit.MICROSECOND, null), false),
            field("observed_on", new ArrowType.Date(DateUnit.DAY), false),
            field("species", new ArrowType.Utf8(), false),
            field("region", new ArrowType.Utf8(), true),
            field("group_size", new ArrowType.Int(32, true), false),
            field("calves", new ArrowType.Int(32, true), true),
            field("confirmed", new ArrowType.Bool(), true),
            compressed("water_celsius", float64()),
            field("distance_km", new ArrowType.Decimal(8, 3, 128), true),
            field("note", new ArrowType.Utf8(), true),
            new Field(
                "song",
                FieldType.nullable(new ArrowType.FixedSizeList(SONG_SIZE)),
                List.of(
                    field(
                        "item",
                        new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
                        true)))));
  }

  /** Fills {@code batch} with the next {@code rows} sightings. */
  void next(VectorSchemaRoot batch, int rows) {
    batch.getFieldVectors().forEach(FieldVector::allocateNew);
    for (int row = 0; row < rows; row++) {
      next(batch, row, random.nextInt(SPECIES.size() * (SPECIES.size() + 1) / 2));
    }
    batch.setRowCount(rows);
  }

  private void next(VectorSchemaRoot batch, int row, int rank) {
    int species = skewed(rank);
    observedMicros += (long) (random.nextDouble() * random.nextDouble() * 7_200_000_000L);
    boolean song = random.nextInt(10) < 7;
    ((BigIntVector) batch.getVector("sighting_id")).setSafe(row, nextId++);
    ((TimeStampMicroVector) batch.getVector("observed_at"))
        .setSafe(row, observedMicros / 1_000_000 * 1_000_000);
    ((DateDayVector) batch.getVector("observed_on"))
        .setSafe(row, (int) (observedMicros / MICROS_PER_DAY));
    text(batch, "species", row, SPECIES.get(species));
    if (random.nextInt(40) > 0) {
      text(batch, "region", row, REGIONS.get(random.nextInt(REGIONS.size())));
    }
    int group = 1 + (int) (random.nextDouble() * random.nextDouble() * 24);
    ((IntVector) batch.getVector("group_size")).setSafe(row, group);
    if (group > 1) {
      ((IntVector) batch.getVector("calves")).setSafe(row, random.nextInt(group) / 3);
    }
    int checked = random.nextInt(100);
    if (checked < 90) {
      ((BitVector) batch.getVector("confirmed")).setSafe(row, checked < 7 ? 0 : 1);
    }
    if (random.nextInt(25) > 0) {
      ((Float8Vector) batch.getVector("water_celsius"))
          .setSafe(row, Math.round(10 * (3 + 2.5 * random.nextGaussian())) / 10.0);
    }
    if (random.nextInt(10) > 0) {
      ((DecimalVector) batch.getVector("distance_km"))
          .setSafe(row, BigDecimal.valueOf(125L * (1 + random.nextInt(90)), 3));
    }
    if (random.nextInt(10) == 0) {
      text(batch, "note", row, note());
    }
    song((FixedSizeListVector) batch.getVector("song"), row, species, song);
  }

  private void song(FixedSizeListVector songs, int row, int species, boolean heard) {
    Float4Vector items = (Float4Vector) songs.getDataVector();
    if (heard) {
      songs.setNotNull(row);
    } else {
      songs.setNull(row);
    }
    for (int i = 0; i < SONG_SIZE; i++) {
      float value = heard ? (float) (Math.cos(species + i) + 0.1 * random.nextGaussian()) : 0;
      items.setSafe(row * SONG_SIZE + i, value);
    }
  }

  private String note() {
    String note = DOING.get(random.nextInt(DOING.size()));
    if (random.nextBoolean()) {
      note += "; " + REMARK.get(random.nextInt(REMARK.size()));
    }
    return note + ", bearing " + random.nextInt(360) + "°";
  }

  /** Index 0 for the most ranks, the last index for one. */
  private static int skewed(int rank) {
    int index = 0;
    for (int width = SPECIES.size(); rank >= width; width--) {
      rank -= width;
      index++;
    }
    return index;
  }

  private static void text(VectorSchemaRoot batch, String column, int row, String value) {
    ((VarCharVector) batch.getVector(column)).setSafe(row, value.getBytes(StandardCharsets.UTF_8));
  }

  private static ArrowType float64() {
    return new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
  }

  /** A column for which the writer is asked to use zstd. */
  private static Field compressed(String name, ArrowType type) {
    Map<String, String> metadata = Map.of("lance-encoding:compression", "zstd");
    return new Field(name, new FieldType(true, type, null, metadata), null);
  }

  private static Field field(String name, ArrowType type, boolean nullable) {
    return new Field(name, new FieldType(nullable, type, null), null);
  }
}
