package dev.retier.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.view.VolumesSeen;
import dev.retier.link.NodeId;
import dev.retier.volume.connect.TableReader.Outcome;
import dev.retier.volume.table.VolumeTable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class VolumeWatchTest {
    private static final NodeId ONE = new NodeId(1);
    private static final NodeId TWO = new NodeId(2);
    private static final VolumeTable EMPTY = new VolumeTable(1, 1, new VolumeTable.Room(0, 0, 0), 0, List.of());

    private final AtomicReference<Outcome> told = new AtomicReference<>(new Outcome.Read(EMPTY));
    private final CountDownLatch closed = new CountDownLatch(1);

    private final class Told implements VolumeWatch.Source {
        @Override
        public NodeId node() {
            return ONE;
        }

        @Override
        public Outcome read(Duration patience) {
            return told.get();
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    /** It answers nobody until it is let go. */
    private static final class Stuck implements VolumeWatch.Source {
        private final CountDownLatch isLetGo = new CountDownLatch(1);

        @Override
        public NodeId node() {
            return TWO;
        }

        @Override
        public Outcome read(Duration patience) {
            try {
                isLetGo.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return new Outcome.Unread("it did not answer in time");
        }

        @Override
        public void close() {}
    }

    private static VolumesSeen.Server seen(VolumeWatch watch, NodeId node) {
        return Objects.requireNonNull(watch.newest().servers().get(node));
    }

    @Test
    void shouldTellWhatWasReadLast_whileAServerDoesNotAnswer() {
        Stuck stuck = new Stuck();
        try (VolumeWatch watch = new VolumeWatch("a", List.of(new Told(), stuck), () -> Duration.ZERO)) {
            assertThat(watch.newest().holding()).containsExactlyInAnyOrder(ONE, TWO);
            watch.start();
            await().until(() -> watch.newest().holding(), List.of(TWO)::containsAll);
            assertThat(seen(watch, TWO)).isEqualTo(VolumesSeen.Server.UNREAD);
            stuck.isLetGo.countDown();
            await().until(() -> seen(watch, TWO).problem().equals("it did not answer in time"));
            assertThat(watch.newest().holding()).containsExactly(TWO);
        }
    }

    @Test
    void shouldKeepWhatWasRead_whenAServerCannotBeReadAnyMore() throws InterruptedException {
        VolumeWatch watch = new VolumeWatch("a", List.of(new Told()), () -> Duration.ZERO);
        try (watch) {
            watch.start();
            await().until(() -> EMPTY.equals(seen(watch, ONE).table()));
            told.set(new Outcome.Unread("it is not connected"));
            await().until(() -> seen(watch, ONE).problem().equals("it is not connected"));
            assertThat(seen(watch, ONE).table()).isEqualTo(EMPTY);
        }
        closed.await();
    }
}
