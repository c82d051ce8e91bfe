package dev.narwhal.conformance.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.apache.spark.sql.SparkSession;

/**
 * A Spark session that runs one SQL statement after the other. Requests are lines on the standard
 * input, a statement in Base64 each. An answer is a line {@code ok NANOS ROWS}, with the time that
 * the statement took, and then as many lines as it has rows, each a JSON object in Base64; or a
 * line {@code error TEXT}, the text in Base64. Everything that Spark prints goes to the standard
 * error.
 */
public final class SparkServer {
  private SparkServer() {}

  /**
   * @param arguments the warehouse's folder; tables are {@code w.NAMESPACE.NAME}, in the layout of
   *     Hadoop tables
   */
  public static void main(String[] arguments) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (SparkSession spark = session(arguments[0])) {
      answers.println("ready");
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        answer(spark, decoded(line), answers);
        answers.flush();
      }
    }
  }

  private static SparkSession session(String warehouse) {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", warehouse)
        .config("spark.sql.jsonGenerator.ignoreNullFields", "false")
        .config(
            "spark.sql.extensions",
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
        .config("spark.sql.catalog.w", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.w.type", "hadoop")
        .config("spark.sql.catalog.w.warehouse", warehouse)
        // the other side commits as well: a kept table would be an old one
        .config("spark.sql.catalog.w.cache-enabled", "false")
        .getOrCreate();
  }

  private static void answer(SparkSession spark, String sql, PrintStream answers) {
    try {
      long start = System.nanoTime();
      List<String> rows = spark.sql(sql).toJSON().collectAsList();
      answers.println("ok " + (System.nanoTime() - start) + " " + rows.size());
      rows.forEach(row -> answers.println(encoded(row)));
    } catch (Exception e) {
      answers.println("error " + encoded(String.valueOf(e)));
    }
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String line) {
    return new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8);
  }
}
