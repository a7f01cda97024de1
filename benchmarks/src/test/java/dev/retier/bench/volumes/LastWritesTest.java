package dev.retier.bench.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class LastWritesTest {
    private static final int BLOCK = 4096;

    private final LastWrites last = new LastWrites(7, 4 * BLOCK);

    private static ByteBuffer write(LastWrites to, long offset, int bytes) {
        ByteBuffer data = ByteBuffer.allocate(bytes);
        to.write(offset, data);
        return data;
    }

    @Test
    void shouldKnowTheLastWriteOfEachBlock() {
        ByteBuffer both = write(last, BLOCK, 2 * BLOCK);
        ByteBuffer later = write(last, 2 * BLOCK, BLOCK);

        assertThat(last.holds(1, both.slice(0, BLOCK))).isTrue();
        assertThat(last.holds(2, later)).isTrue();
        assertThat(last.holds(2, both.slice(BLOCK, BLOCK))).isFalse();
    }

    @Test
    void shouldTellBlocksAndVolumesApart() {
        ByteBuffer both = write(last, 0, 2 * BLOCK);
        ByteBuffer other = write(new LastWrites(8, 4 * BLOCK), 0, BLOCK);

        assertThat(last.holds(0, both.slice(BLOCK, BLOCK))).isFalse();
        assertThat(last.holds(0, other)).isFalse();
    }

    @Test
    void shouldKnowZeros_beforeTheFirstWriteAndWhereTheyWereMade() {
        ByteBuffer zeros = ByteBuffer.allocate(BLOCK);
        ByteBuffer data = write(last, 0, BLOCK);
        last.zero(0, BLOCK);

        assertThat(last.holds(0, zeros)).isTrue();
        assertThat(last.holds(0, data)).isFalse();
        assertThat(last.holds(3, zeros)).isTrue();
    }

    @Test
    void shouldNotKnowABlockThatWasChangedInPart_untilItIsWrittenAsAWhole() {
        write(last, BLOCK, BLOCK);
        last.zero(BLOCK + 1, 5);
        last.zero(2 * BLOCK, 5);
        write(last, 3 * BLOCK - 512, 512);

        assertThat(last.isKnown(1)).isFalse();
        assertThat(last.isKnown(2)).isFalse();
        assertThat(last.isKnown(3)).isTrue();

        write(last, BLOCK, 2 * BLOCK);

        assertThat(last.isKnown(1)).isTrue();
        assertThat(last.isKnown(2)).isTrue();
    }
}
