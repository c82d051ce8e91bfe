package dev.narwhal.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.narwhal.cli.CommandLineTester.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code append} and {@code overwrite}. */
class InsertVerbsTest {
  @TempDir private Path folder;

  @Test
  void aNewDatasetIsMadeOfJsonLines() throws IOException {
    Path rows =
        file(
            "a.jsonl",
            """
            {"id": 1, "x": 1, "t": "a", "f": true, "s": {"m": 1, "n": null}, "l": [1, 2]}
            {"id": 2, "x": 2.5, "t": null, "s": {"n": "q"}, "l": []}

            {"id": 9007199254740993, "l": null}
            """);
    Path table = folder.resolve("t.lance");
    assertThat(run("append", table, "--source", rows).err())
        .contains("no such dataset")
        .contains("--create");
    JsonNode tried = json("append", table, "--source", rows, "--create", "--dry-run");
    assertThat(tried.get("rows").longValue()).isEqualTo(3);
    assertThat(tried.get("version").longValue()).isZero();
    assertThat(table).doesNotExist();
    JsonNode made =
        json("append", table, "--source", rows, "--create", "--stable-row-ids", "--message", "m");
    assertThat(made.fieldNames())
        .toIterable()
        .containsExactly("version", "rows", "fragments", "bytesWritten", "attempts");
    assertThat(made.get("version").longValue()).isEqualTo(1);
    assertThat(made.get("rows").longValue()).isEqualTo(3);
    assertThat(made.get("fragments").longValue()).isEqualTo(1);
    assertThat(rows(table))
        .containsExactly(
            "{\"id\":1,\"x\":1.0,\"t\":\"a\",\"f\":true,\"s\":{\"m\":1,\"n\":null},\"l\":[1,2]}",
            "{\"id\":2,\"x\":2.5,\"t\":null,\"f\":null,\"s\":{\"m\":null,\"n\":\"q\"},\"l\":[]}",
            "{\"id\":9007199254740993,\"x\":null,\"t\":null,\"f\":null,\"s\":null,\"l\":null}");
    JsonNode inspected = json("inspect", table);
    assertThat(inspected.get("stableRowIds").booleanValue()).isTrue();
    assertThat(inspected.get("dataStorageVersion").textValue()).isEqualTo("2.1");
    assertThat(types(inspected))
        .containsExactly(
            "id:int64",
            "x:double",
            "t:string",
            "f:bool",
            "s:struct",
            "m:int64",
            "n:string",
            "l:list",
            "item:int64");
    JsonNode again = json("append", table, "--create", "--source", rows);
    assertThat(again.get("version").longValue()).isEqualTo(2);
    assertThat(rows(table)).hasSize(6);
  }

  /** What {@code rows} prints can be appended again, whatever the types. */
  @ParameterizedTest
  @CsvSource({
    "nested-2.0,json", "nested-2.1,json", "nested-2.2,json", "map-2.2,json", "ints-2.1,json",
    "ints-2.1,csv", "del-nulls,json", "del-nulls,csv", "add-null-column,json", "stable-upsert,csv"
  })
  void whatRowsPrintsCanBeAppended(String name, String format) throws IOException {
    Path table = copy(name);
    String printed = run("rows", table, "--format", format).out();
    Path source = file("again." + (format.equals("csv") ? "csv" : "jsonl"), printed);
    List<String> before = rows(table);
    assertThat(before).isNotEmpty();
    JsonNode appended = json("append", table, "--source", source);
    assertThat(appended.get("rows").intValue()).isEqualTo(before.size());
    List<String> expected = new ArrayList<>(before);
    expected.addAll(before);
    assertThat(rows(table)).isEqualTo(expected);
  }

  @Test
  void csvTellsTypesAndNulls() throws IOException {
    Path rows =
        file(
            "a.csv",
            "\uFEFFid,x,t,f,\"a, b\"\r\n1,1,a,true,\"say \"\"hi\"\"\r\nthere\"\r\n"
                + "2,2.5,\"\",FALSE,\r\n-3,,NaN,,x");
    Path table = folder.resolve("t.lance");
    json("append", table, "--create", "--source", rows);
    assertThat(types(json("inspect", table)))
        .containsExactly("id:int64", "x:double", "t:string", "f:bool", "a, b:string");
    assertThat(rows(table))
        .containsExactly(
            "{\"id\":1,\"x\":1.0,\"t\":\"a\",\"f\":true,\"a, b\":\"say \\\"hi\\\"\\r\\nthere\"}",
            "{\"id\":2,\"x\":2.5,\"t\":\"\",\"f\":false,\"a, b\":null}",
            "{\"id\":-3,\"x\":null,\"t\":\"NaN\",\"f\":null,\"a, b\":\"x\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jsonl", "csv"})
  void integersOf64BitsStayTheIntegersTheyAre(String format) throws IOException {
    String[] ids = {
      "1234567890123456789", "1234567890123456787", "9223372036854775807", "-9223372036854775808"
    };
    Path table = folder.resolve("t.lance");
    json("append", table, "--create", "--source", numbers(format, ids));
    assertThat(types(json("inspect", table))).containsExactly("n:int64");
    assertThat(rows(table))
        .containsExactlyElementsOf(Stream.of(ids).map(id -> "{\"n\":" + id + '}').toList());
  }

  @ParameterizedTest
  @CsvSource({
    "18446744073709551615 1, line 2, beyond int64",
    "1 -9223372036854775809, line 3, beyond int64",
    "0.5 9007199254740993, line 3, a double keeps",
  })
  void csvIntegersThatNoTypeHoldsAreNotRounded(String values, String line, String message)
      throws IOException {
    Path table = folder.resolve("t.lance");
    Path rows = numbers("csv", values.split(" ", -1));
    assertThat(run("append", table, "--create", "--source", rows).err())
        .contains("a.csv: column 'n': ")
        .contains(line)
        .contains(message)
        .contains("name its type by --schema");
    assertThat(table).doesNotExist();
    Path schema = file("s.json", "{\"fields\": [{\"name\": \"n\", \"type\": \"string\"}]}");
    json("append", table, "--create", "--source", rows, "--schema", schema);
    assertThat(rows(table)).contains("{\"n\":\"" + values.split(" ", -1)[0] + "\"}");
  }

  @Test
  void anIntegerOfManyDigitsAmongTextIsText() throws IOException {
    Path table = folder.resolve("t.lance");
    json(
        "append", table, "--create", "--source", numbers("csv", "12345678901234567890123", "none"));
    assertThat(rows(table))
        .containsExactly("{\"n\":\"12345678901234567890123\"}", "{\"n\":\"none\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "halffloat, jsonl",
    "float, jsonl",
    "double, jsonl",
    "halffloat, csv",
    "float, csv",
    "double, csv"
  })
  void negativeZeroKeepsItsSign(String type, String format) throws IOException {
    Path schema = file("s.json", "{\"fields\": [{\"name\": \"n\", \"type\": \"" + type + "\"}]}");
    Path table = folder.resolve("t.lance");
    Path rows = numbers(format, "-0.0", "0.0", "-0", "-0e5");
    json("append", table, "--create", "--schema", schema, "--source", rows);
    assertThat(rows(table))
        .containsExactly("{\"n\":-0.0}", "{\"n\":0.0}", "{\"n\":-0.0}", "{\"n\":-0.0}");
  }

  /** Fault F2: a few characters that stand for a number of a hundred million digits. */
  @ParameterizedTest
  @CsvSource({
    "decimal:128:10:2, 1e99999999, expected a decimal of 10 digits",
    "decimal:128:10:2, 1e-99999999, expected a decimal of 10 digits",
    "decimal:256:76:0, 1e2147483646, expected a decimal of 76 digits",
    "decimal:128:10:2, 1e99999999999, expected a decimal of 10 digits",
    "int64, 1e99999999, 'expected int64, a whole number'",
    "uint8, 1e-99999999, 'expected uint8, a whole number'",
    "double, 1e99999999, expected a float64",
    "float, 1e99999999, expected a float32",
    "halffloat, 1e99999999, expected a float16",
    "date32:day, 1e99999999, expected a date",
    "timestamp:us:-, 1e99999999, expected a timestamp",
  })
  void numbersOfManyDigitsAreRefusedAtOnce(String type, String number, String message)
      throws IOException {
    Path schema = file("s.json", "{\"fields\": [{\"name\": \"n\", \"type\": \"" + type + "\"}]}");
    Path table = folder.resolve("t.lance");
    for (String format : List.of("jsonl", "csv")) {
      Path rows = numbers(format, number);
      assertThat(run("append", table, "--create", "--schema", schema, "--source", rows).err())
          .contains("column 'n': ")
          .contains(number)
          .contains(message);
    }
  }

  @Test
  void decimalsMayBeWrittenWithAnExponent() throws IOException {
    Path schema =
        file("s.json", "{\"fields\": [{\"name\": \"n\", \"type\": \"decimal:128:10:2\"}]}");
    Path table = folder.resolve("t.lance");
    for (String format : List.of("jsonl", "csv")) {
      Path rows = numbers(format, "1e7", "250e-1", "1.5000", "0e99999999", "-99999999.99");
      json("append", table, "--create", "--schema", schema, "--source", rows);
      assertThat(rows(table))
          .containsExactly(
              "{\"n\":10000000.00}",
              "{\"n\":25.00}",
              "{\"n\":1.50}",
              "{\"n\":0.00}",
              "{\"n\":-99999999.99}");
      table = folder.resolve("u.lance");
    }
  }

  /** Fault F4. */
  @Test
  void anEmptyLineIsARowWhereThereIsOneColumn() throws IOException {
    Path table = folder.resolve("t.lance");
    Path rows = file("a.csv", "\r\nx\r\n1\r\n\r\n\r\n3\r\n");
    json("append", table, "--create", "--source", rows);
    List<String> expected = List.of("{\"x\":1}", "{\"x\":null}", "{\"x\":null}", "{\"x\":3}");
    assertThat(rows(table)).isEqualTo(expected);
    Path again = file("b.csv", run("rows", table, "--format", "csv").out());
    json("overwrite", table, "--source", again);
    assertThat(rows(table)).isEqualTo(expected);
    json("overwrite", table, "--infer-schema", "--source", file("c.csv", "x\n\"\"\n\na"));
    assertThat(rows(table)).containsExactly("{\"x\":\"\"}", "{\"x\":null}", "{\"x\":\"a\"}");
    json("overwrite", table, "--infer-schema", "--source", file("c.csv", "x,y\n1,2\n\n3,4\n\n"));
    assertThat(rows(table)).containsExactly("{\"x\":1,\"y\":2}", "{\"x\":3,\"y\":4}");
  }

  @Test
  void jsonDocumentsKeepTheirNumbers() throws IOException {
    Path schema = file("s.json", "{\"fields\": [{\"name\": \"j\", \"type\": \"json\"}]}");
    Path table = folder.resolve("t.lance");
    Path rows =
        file("a.jsonl", "{\"j\":{\"a\":[1.5,null,true,\"\\u00e4\"],\"b\":{}}}\n{\"j\":7}\n");
    json(
        "append",
        table,
        "--create",
        "--schema",
        schema,
        "--source",
        rows,
        "--data-storage-version",
        "2.2");
    assertThat(rows(table))
        .containsExactly(
            "{\"j\":\"{\\\"a\\\":[1.5,null,true,\\\"\u00e4\\\"],\\\"b\\\":{}}\"}", "{\"j\":\"7\"}");
  }

  /** One column {@code n}. */
  private Path numbers(String format, String... values) throws IOException {
    StringBuilder text = new StringBuilder(format.equals("csv") ? "n\n" : "");
    for (String value : values) {
      text.append(format.equals("csv") ? value : "{\"n\":" + value + '}').append('\n');
    }
    return file("a." + format, text.toString());
  }

  @Test
  void aSchemaFileGivesTypes() throws IOException {
    Path schema =
        file(
            "s.json",
            """
            {"fields": [
              {"name": "id", "type": "int32", "nullable": false},
              {"name": "d", "type": "decimal:128:10:2"},
              {"name": "at", "type": "timestamp:us:UTC"},
              {"name": "v", "type": "fixed_size_list:float:2"},
              {"name": "j", "type": "json"},
              {"name": "b", "type": "binary"},
              {"name": "m", "type": "list", "fields": [{"name": "item", "type": "string"}]},
              {"name": "none", "type": "string"}
            ], "metadata": {"k": "v"}}
            """);
    Path rows =
        file(
            "a.jsonl",
            """
            {"id":1,"d":1.50,"at":"2026-01-31T10:00:00+01:00","v":[1,0.5],"j":{"a":[1]},"b":"AQI="}
            {"id":2,"m":["x",null]}
            """);
    Path table = folder.resolve("t.lance");
    json(
        "append",
        table,
        "--create",
        "--schema",
        schema,
        "--source",
        rows,
        "--data-storage-version",
        "2.2");
    assertThat(rows(table))
        .containsExactly(
            "{\"id\":1,\"d\":1.50,\"at\":\"2026-01-31T09:00:00Z\",\"v\":[1.0,0.5],"
                + "\"j\":\"{\\\"a\\\":[1]}\",\"b\":\"AQI=\",\"m\":null,\"none\":null}",
            "{\"id\":2,\"d\":null,\"at\":null,\"v\":null,\"j\":null,\"b\":null,"
                + "\"m\":[\"x\",null],\"none\":null}");
    assertThat(json("inspect", table).get("dataStorageVersion").textValue()).isEqualTo("2.2");
    assertThat(run("append", table, "--schema", schema, "--source", rows).err())
        .contains("has a schema already");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\":1,\"n\":300} | line 2, column 'n': 300, expected an integer in [-128, 127]",
        "{\"id\":1,\"n\":1.5} | line 2, column 'n': 1.5, expected int8, a whole number",
        "{\"id\":1,\"n\":\"1\"} | line 2, column 'n': \"1\", expected int8, a whole number",
        "{\"n\":1} | line 2, column 'id': no value, but it cannot be null",
        "{\"id\":null} | line 2, column 'id': no value, but it cannot be null",
        "{\"id\":1,\"d\":\"2026-02-30\"} | line 2, column 'd': \"2026-02-30\", expected a date",
        "{\"id\":1,\"d\":\"soon\"} | line 2, column 'd': \"soon\", expected a date such as",
        "{\"id\":1,\"s\":{\"x\":\"a\"}} | line 2, column 's.x': \"a\", expected int64",
        "{\"id\":1,\"s\":{\"y\":1}} | line 2, column 's': no member is called 'y'",
        "{\"id\":1,\"s\":[]} | line 2, column 's': [], expected an object",
        "{\"id\":1,\"b\":\"\\ud800\"} | line 2, column 'b': \"?\", expected bytes as base64",
        "{\"id\":1,\"u\":\"x\\ud800y\"} | line 2, column 'u': text with \\ud800 alone, half of",
        "{\"id\":1,\"f\":NaN} | line 2: Non-standard token 'NaN'; NaN and the infinities are text",
        "{\"id\":1,\"z\":1} | line 2: no column is called 'z'",
        "{\"id\":1,\"id\":2} | line 2: two members are called 'id'",
        "{\"id\":1,\"v\":[1]} | line 2, column 'v': an array of 1, expected one of 2",
        "{\"id\":1,\"f\":1e300} | line 2, column 'f': 1e300, expected a float32",
        "{\"id\":1,\"p\":1.234} | line 2, column 'p': 1.234, expected a decimal of 4 digits",
        "{\"id\":1,\"p\":123.4} | line 2, column 'p': 123.4, expected a decimal of 4 digits",
        "{\"id\":1,\"t\":\"2026-01-01T00:00:00Z\"} | line 2, column 't': \"2026-01-01T00:00:00Z\"",
        "{\"id\":1,\"t\":\"2026-01-01T00:00:00.0001\"} | expected a timestamp such as",
        "{\"id\":1,\"b\":\"***\"} | line 2, column 'b': \"***\", expected bytes as base64",
        "{\"id\":1 | line 3: Unexpected end-of-input",
        "[1] | line 2: an array, expected an object",
      })
  void aBadValueIsRefusedWithItsLine(String line, String message) throws IOException {
    Path table = folder.resolve("t.lance");
    Path schema =
        file(
            "s.json",
            """
            {"fields": [
              {"name": "id", "type": "int32", "nullable": false},
              {"name": "n", "type": "int8"}, {"name": "d", "type": "date32:day"},
              {"name": "s", "type": "struct", "fields": [{"name": "x", "type": "int64"}]},
              {"name": "v", "type": "fixed_size_list:float:2"}, {"name": "f", "type": "float"},
              {"name": "p", "type": "decimal:128:4:2"}, {"name": "t", "type": "timestamp:ms:-"},
              {"name": "b", "type": "binary"}, {"name": "u", "type": "string"}
            ]}
            """);
    Path good = file("good.jsonl", "{\"id\": 7}\n");
    json("append", table, "--create", "--schema", schema, "--source", good);
    Path bad = file("bad.jsonl", "{\"id\": 8}\n" + line + "\n");
    Result result = run("append", table, "--source", bad);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("bad.jsonl")
        .contains(message)
        .doesNotContainIgnoringCase("feature");
    assertThat(json("inspect", table).get("version").longValue()).isEqualTo(1);
    try (Stream<Path> files = Files.list(table.resolve("data"))) {
      assertThat(files).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\":1},{\"a\":\"x\"} | line 2, column 'a': text, where there was an integer before",
        "{\"a\":{\"b\":1}},{\"a\":{\"b\":[]}} | line 2, column 'a.b': an array, where there was",
        "{\"a\":null},{\"b\":1} | column 'a': null in all rows, which tells no type; name its type",
        "{\"a\":18446744073709551615} | column 'a': 18446744073709551615 on line 1 is beyond int64",
        "{\"a\":1},{\"a\":-9223372036854775809} | -9223372036854775809 on line 2 is beyond int64",
        "{\"a\":[1]},{\"a\":[9007199254740993,0.5]} | column 'a': 9007199254740993 on line 2 has",
        "{\"a\":{\"b\":9223372036854775808}} | column 'a.b': 9223372036854775808 on line 1",
        "{\"a\":[]},{\"a\":[null]} | column 'a': no array has an item",
        "{},{} | no row tells which columns there are",
      })
  void valuesThatTellNoSchemaAreRefused(String lines, String message) throws IOException {
    Path rows = file("a.jsonl", lines.replace("},{", "}\n{") + '\n');
    Path table = folder.resolve("t.lance");
    Result result = run("append", table, "--create", "--source", rows);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains(message);
    assertThat(table).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,a;1,2 | a column without a name, or two with one: a",
        "a,;1,2 | a column without a name",
        "id,n;1 | line 2: 1 fields, the first line has 2",
        "id,n;1,\"x | line 2: a quote is not closed",
        "id,n;1,\"x\"y | line 2: text after a closing quote",
        "id,n;1,x | line 2, column 'n': \"x\", expected int64, a whole number",
        "id,z;1,1 | column 'z' is not in the table",
        "n;1 | column 'id' is missing",
      })
  void badCsvIsRefused(String lines, String message) throws IOException {
    Path table = folder.resolve("t.lance");
    Path schema =
        file(
            "s.json",
            """
            {"fields": [{"name": "id", "type": "int64", "nullable": false},
                        {"name": "n", "type": "int64"}]}
            """);
    Path good = file("good.csv", "n,id\n,7\n");
    json("append", table, "--create", "--schema", schema, "--source", good);
    Result result = run("append", table, "--source", file("a.csv", lines.replace(';', '\n')));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains(message);
    assertThat(json("inspect", table).get("version").longValue()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"\":1}", "{\"s\":{\"\":1}}", "{\"a`b\":1}", "{\"a\\u0000\":1}"})
  void namesThatRealLanceCannotScanAreRefused(String line) throws IOException {
    Path table = folder.resolve("t.lance");
    Result result = run("append", table, "--create", "--source", file("a.jsonl", line));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("name");
    assertThat(table).doesNotExist();
  }

  @Test
  void overwriteKeepsTheSchemaUnlessToldOtherwise() throws IOException {
    Path table = copy("ints-2.1");
    String before = run("rows", table, "--limit", "3").out();
    Path rows = file("a.jsonl", before);
    JsonNode schema = json("inspect", table).get("schema");
    JsonNode tried = json("overwrite", table, "--source", rows, "--dry-run");
    assertThat(tried.get("rows").longValue()).isEqualTo(3);
    long version = tried.get("version").longValue();
    JsonNode done = json("overwrite", table, "--source", rows);
    assertThat(done.get("version").longValue()).isEqualTo(version + 1);
    assertThat(String.join("\n", rows(table)) + "\n").isEqualTo(before);
    assertThat(json("inspect", table).get("schema")).isEqualTo(schema);
    Path other = file("b.csv", "q\n1\n");
    assertThat(run("overwrite", table, "--source", other).err())
        .contains("the file has columns [q]")
        .contains("--infer-schema");
    json("overwrite", table, "--source", other, "--infer-schema");
    assertThat(rows(table)).containsExactly("{\"q\":1}");
  }

  @Test
  void optionsThatCannotBeHonouredAreRefused() throws IOException {
    Path table = copy("ints-2.1");
    Path rows = file("a.jsonl", run("rows", table, "--limit", "3").out());
    assertThat(run("append", table, "--source", rows, "--stable-row-ids").err())
        .contains("no stable row ids");
    assertThat(run("append", table, "--source", rows, "--data-storage-version", "2.0").err())
        .contains("2.0");
    for (String version : List.of("x", "2.3", "3.0")) {
      Result result = run("append", table, "--source", rows, "--data-storage-version", version);
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains("2.0, 2.1 or 2.2: '" + version + "'");
    }
    for (String limit : List.of("--max-rows-per-file", "--max-bytes-per-file")) {
      Result result = run("append", table, "--source", rows, limit, "0");
      assertThat(result.code()).isEqualTo(2);
      assertThat(result.err()).contains(" of a file must be ");
    }
    assertThat(run("append", table, "--source", folder).err()).contains("a directory");
    assertThat(run("append", table, "--source", "-").err()).contains("standard input");
    assertThat(run("append", table, "--source", file("a.txt", "")).err()).contains(".jsonl");
    assertThat(run("append", table, "--source", folder.resolve("no.jsonl")).err())
        .contains("no.jsonl");
    assertThat(run("append", table).code()).isEqualTo(2);
    assertThat(
            json("append", table, "--source", rows, "--max-rows-per-file", "2")
                .get("fragments")
                .longValue())
        .isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{\"fields\": [{\"name\": \"a\"}]}",
        "{\"fields\": [{\"name\": \"a\", \"type\": \"int65\"}]}",
        "{\"fields\": [{\"name\": \"a\", \"type\": \"int64\", \"null\": true}]}",
        "{\"fields\": [{\"name\": \"a\", \"type\": \"int64\", \"nullable\": 1}]}",
        "{\"fields\": [{\"name\": \"a\", \"type\": \"list\"}]}",
        "{\"fields\": [{\"name\": \"a\", \"type\": \"struct\"}]}",
        "{\"fields\": [{\"name\": \"a\", \"type\": \"dict:string:int32:false\"}]}",
        "{\"fields\": [{\"name\": \"a\", \"type\": \"int64\"}]} {}",
        "{\"fields\": [], \"fields\": []}",
        "{\"fields\": [], \"x\": 1}",
        "{\"fields\": ",
      })
  void aBadSchemaFileIsRefused(String json) throws IOException {
    Path schema = file("s.json", json);
    Path rows = file("a.jsonl", "{\"a\": 1}\n");
    Path table = folder.resolve("t.lance");
    Result result = run("append", table, "--create", "--schema", schema, "--source", rows);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).startsWith("error: ").contains("s.json");
    assertThat(table).doesNotExist();
  }

  @Test
  void columnsAreAdded() throws IOException {
    Path table = folder.resolve("t.lance");
    json("append", table, "--create", "--source", file("a.jsonl", "{\"id\":1}\n{\"id\":2}\n"));
    JsonNode tried =
        json("add-column", table, "--name", "twice", "--expression", "id * 2", "--dry-run");
    assertThat(tried.get("version").longValue()).isEqualTo(1);
    JsonNode done = json("add-column", table, "--name", "twice", "--expression", "id * 2");
    assertThat(done.get("version").longValue()).isEqualTo(2);
    assertThat(
            run("add-column", table, "--name", "t", "--type", "string", "--expression", "id").out())
        .isEqualTo("column t added: done; version 3.\n");
    json("add-column", table, "--name", "n", "--type", "fixed_size_list:float:2");
    assertThat(rows(table))
        .containsExactly(
            "{\"id\":1,\"twice\":2,\"t\":\"1\",\"n\":null}",
            "{\"id\":2,\"twice\":4,\"t\":\"2\",\"n\":null}");
    assertThat(run("add-column", table, "--name", "n", "--type", "int8").err())
        .contains("there is a column 'n' already");
    assertThat(run("add-column", table, "--name", "q", "--type", "int7").err()).contains("int7");
    assertThat(run("add-column", table, "--name", "q", "--expression", "nope + 1").err())
        .contains("nope");
    assertThat(run("add-column", table, "--name", "q").code()).isEqualTo(2);
    assertThat(run("add-column", table, "--name", "", "--type", "int8").err())
        .contains("a column without a name");
    assertThat(run("add-column", table, "--name", "a`b", "--expression", "id").err())
        .contains("no '`'");
    assertThat(run("add-column", table, "--name", "q", "--type", "dict:string:int8:false").err())
        .contains("a dictionary comes with");
    json("drop-column", table, "--name", "twice");
    assertThat(rows(table).get(0)).doesNotContain("twice");
  }

  private static List<String> types(JsonNode inspected) {
    List<String> types = new ArrayList<>();
    for (JsonNode field : inspected.get("schema")) {
      types.add(field.get("name").textValue() + ':' + field.get("type").textValue());
    }
    return types;
  }

  private static List<String> rows(Path table) {
    return run("rows", table).out().lines().toList();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text, UTF_8);
  }

  private Path copy(String name) throws IOException {
    Path from =
        CommandLineTester.root()
            .resolve("lance-core/src/test/resources/fixtures/lance/" + name + "/ds");
    Path to = folder.resolve(name);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
    return to;
  }

  private static Result run(Object... args) {
    return CommandLineTester.run(args);
  }

  private static JsonNode json(Object... args) throws IOException {
    Object[] all = new Object[args.length + 1];
    System.arraycopy(args, 0, all, 0, args.length);
    all[args.length] = "--json";
    Result result = run(all);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return result.json();
  }
}
