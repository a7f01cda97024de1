package dev.retier.bench.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
    @Test
    void shouldTellEachKindOnce_whenTheSameIsSaidOften() {
        Complaints complaints = Complaints.of(List.of(
                "02:56:23.801 INFO  agent: node-1 began",
                "02:56:24.801 WARN  agent: node-2 has not answered for 250 ms",
                "02:56:25.801 WARN  agent: node-3 has not answered for 510 ms",
                "02:56:26.801 ERROR agent: the journal is full"));

        assertThat(complaints.count()).isEqualTo(3);
        assertThat(complaints.kinds())
                .containsExactly("WARN  agent: node-N has not answered for N ms", "ERROR agent: the journal is full");
    }
}
