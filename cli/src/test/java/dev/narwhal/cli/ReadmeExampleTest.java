package dev.narwhal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.narwhal.lance.Dataset;
import dev.narwhal.lance.scan.BatchReader;
import dev.narwhal.lance.write.DeleteResult;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** The library example of the README compiles, and is the same there. */
class ReadmeExampleTest {
  static void example() throws IOException {
    // begin
    try (BufferAllocator allocator = new RootAllocator()) {
      Dataset dataset = Dataset.open("/tmp/s.lance", allocator);
      DeleteResult result = dataset.delete("confirmed = FALSE");
      System.out.println(result.deletedRows() + " rows deleted in version " + result.version());
      Dataset after = dataset.latest();
      try (BatchReader rows = after.read()) {
        while (rows.next()) {
          System.out.println(rows.batch().getRowCount() + " rows");
        }
      }
    }
    // end
  }

  @Test
  void readmeHasTheSameCode() throws IOException {
    String source =
        Files.readString(
            CommandLineTester.root()
                .resolve("cli/src/test/java/dev/narwhal/cli/ReadmeExampleTest.java"));
    int begin = source.indexOf("// begin\n") + "// begin\n".length();
    String code = source.substring(begin, source.indexOf("    // end\n"));
    assertThat(Files.readString(CommandLineTester.root().resolve("README.md")))
        .contains("```java\n" + code.stripTrailing().stripIndent() + "\n```");
  }
}
