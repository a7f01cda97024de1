package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class QueuePairTest {
    /** Of that size, and never touched. */
    @SuppressWarnings("restricted")
    private static MemorySegment memory(long bytes) {
        return MemorySegment.NULL.reinterpret(bytes);
    }

    @Test
    void shouldRefuseToRegisterMore_thanALengthCanSay() {
        assertThat(QueuePair.length(memory(Integer.MAX_VALUE))).isEqualTo(Integer.MAX_VALUE);
        assertThatThrownBy(() -> QueuePair.length(memory(Integer.MAX_VALUE + 1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2147483648 bytes")
                .hasMessageContaining("in parts");
    }
}
