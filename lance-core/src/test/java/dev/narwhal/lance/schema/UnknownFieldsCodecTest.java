package dev.narwhal.lance.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UnknownFieldSet;
import dev.narwhal.lance.error.LanceFormatException;
import dev.narwhal.lance.proto.table.DeletionFile;
import org.junit.jupiter.api.Test;

class UnknownFieldsCodecTest {
  @Test
  void keepsFieldsOfNewerWriters() {
    DeletionFile message = withVarint(1000);
    UnknownFields kept = UnknownFieldsCodec.unknownOf(message);
    assertThat(UnknownFieldsCodec.restore(DeletionFile.newBuilder(), kept).build())
        .isEqualTo(message);
  }

  /** One flipped bit in a tag: a fragment would lose its deletion file, and dead rows return. */
  @Test
  void aKnownFieldOfAnotherTypeIsDamageAndNotUnknown() {
    int known = DeletionFile.getDescriptor().findFieldByName("id").getNumber();
    DeletionFile message =
        DeletionFile.newBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(known, UnknownFieldSet.Field.newBuilder().addFixed32(7).build())
                    .build())
            .build();
    assertThatThrownBy(() -> UnknownFieldsCodec.unknownOf(message))
        .isInstanceOf(LanceFormatException.class)
        .hasMessageContaining("DeletionFile.id");
    assertThatThrownBy(() -> UnknownFieldsCodec.keep(message))
        .isInstanceOf(LanceFormatException.class);
  }

  private static DeletionFile withVarint(int number) {
    return DeletionFile.newBuilder()
        .setUnknownFields(
            UnknownFieldSet.newBuilder()
                .addField(number, UnknownFieldSet.Field.newBuilder().addVarint(7).build())
                .build())
        .build();
  }
}
