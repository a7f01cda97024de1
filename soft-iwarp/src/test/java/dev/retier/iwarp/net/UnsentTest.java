package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What TCP did not take at once leaves as the peer reads, whoever has posted it. */
@SuppressWarnings("NullAway.Init") // set by connect
class UnsentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private LonePair lone;
    private SocketQueuePair pair;

    @BeforeEach
    void connect() throws Exception {
        lone = new LonePair("unsent-test");
        pair = lone.pair;
    }

    @AfterEach
    void close() throws IOException {
        lone.close();
    }

    @Test
    void shouldSendTheRest_whenTheLoopSleeps() throws Exception {
        lone.loop.awaitSelection();
        lone.postMuch();
        assertThat(lone.readMuch()).isEqualTo(LonePair.MUCH_BYTES);
    }

    @Test
    void shouldSendTheRest_whenThePollerGoesAway() throws Exception {
        lone.leaveToPoller();
        assertThat(pair.polls().isParked()).isTrue();
        lone.postMuch();
        assertThat(pair.polls().left()).isTrue();
        assertThat(pair.unpark(false)).as("the loop has it again").isTrue();
        assertThat(lone.readMuch()).isEqualTo(LonePair.MUCH_BYTES);
    }

    @Test
    void shouldKnowThatThereIsARest_untilTcpHasTakenIt() throws Exception {
        assertThat(pair.polls().hasUnsent()).isFalse();
        lone.postMuch();
        assertThat(pair.polls().hasUnsent()).isTrue();
        lone.readMuch();
        await().atMost(PATIENCE).until(() -> !pair.polls().hasUnsent());
    }
}
