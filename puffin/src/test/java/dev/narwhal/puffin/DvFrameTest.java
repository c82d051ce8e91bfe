package dev.narwhal.puffin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class DvFrameTest {
  @Test
  void framesVectorAfterVectorInPlace() {
    DvFrame frame = new DvFrame();
    for (int size : new int[] {5, 50_000, 7, 1}) {
      PositionSet set = PositionSet.builder().addRange(3, 3 + size).add(90_000).build();
      ByteBuffer portable = set.toPortable();
      frame.body(portable.remaining()).put(portable);

      assertThat(frame.seal(90_001)).isEqualTo(size + 1);
      assertThat(frame.blob()).isEqualTo(IcebergDvCodec.encode(set));
      assertThat(frame.blob().isReadOnly()).isTrue();
    }
  }

  @Test
  void offersExactlyTheRoomAskedFor() {
    DvFrame frame = new DvFrame();
    assertThat(frame.body(1000).remaining()).isEqualTo(1000);
    assertThat(frame.body(10).remaining()).isEqualTo(10);
    assertThat(frame.body(10).order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(frame.body(0).remaining()).isZero();
    assertThatThrownBy(() -> frame.body(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> frame.body(Integer.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tellsThatThereIsNothingToWrite() {
    DvFrame frame = new DvFrame();
    frame.body(8).put(PositionSet.empty().toPortable());

    assertThat(frame.seal(0)).isZero();
  }

  @Test
  void givesNoBlobUnlessSealed() {
    DvFrame frame = new DvFrame();
    assertThatThrownBy(frame::blob).isInstanceOf(IllegalStateException.class);

    ByteBuffer portable = PositionSet.of(5).toPortable();
    frame.body(portable.remaining()).put(portable);
    assertThatThrownBy(() -> frame.seal(5))
        .isInstanceOf(PuffinFormatException.class)
        .hasMessage("position 5, expected below 5");
    assertThatThrownBy(frame::blob).isInstanceOf(IllegalStateException.class);

    frame.seal(6);
    frame.body(3);
    assertThatThrownBy(frame::blob).isInstanceOf(IllegalStateException.class);
  }
}
