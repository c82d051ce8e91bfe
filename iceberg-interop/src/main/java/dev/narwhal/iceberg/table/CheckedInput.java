package dev.narwhal.iceberg.table;

import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.encryption.NativeEncryptionInputFile;
import org.apache.iceberg.hadoop.HadoopConfigurable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.apache.iceberg.util.SerializableSupplier;

/**
 * A file of which Iceberg's Parquet reader checks each page by its CRC-32, where the writer gave it
 * one. A flipped bit in a page that still decodes would else be another value. The reader takes the
 * setting from a file's Hadoop configuration alone; options of its builder do not get that far.
 *
 * <p>Source: Parquet format, "Checksumming".
 */
public final class CheckedInput implements InputFile, HadoopConfigurable {
  private static final String VERIFY = "parquet.page.verify-checksum.enabled";

  private final InputFile file;
  private final Configuration configuration;

  private CheckedInput(InputFile file) {
    this.file = file;
    this.configuration =
        file instanceof HadoopConfigurable configured
            ? new Configuration(configured.getConf())
            : new Configuration(false);
    configuration.setBoolean(VERIFY, true);
  }

  /** Encrypted files are handed back as they are: their pages are authenticated. */
  public static InputFile of(InputFile file) {
    return file instanceof NativeEncryptionInputFile ? file : new CheckedInput(file);
  }

  @Override
  public Configuration getConf() {
    return configuration;
  }

  @Override
  public void serializeConfWith(
      Function<Configuration, SerializableSupplier<Configuration>> serializer) {
    throw new UnsupportedOperationException("a file that is read here goes nowhere");
  }

  @Override
  public long getLength() {
    return file.getLength();
  }

  @Override
  public SeekableInputStream newStream() {
    return file.newStream();
  }

  @Override
  public String location() {
    return file.location();
  }

  @Override
  public boolean exists() {
    return file.exists();
  }
}
