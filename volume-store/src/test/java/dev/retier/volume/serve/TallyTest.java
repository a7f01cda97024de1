package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.Metric;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TallyTest {
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

    private final List<String> heard = new ArrayList<>();
    private final Tally tally = new Tally(new ServerListener() {
        @Override
        public void answered(Operation operation, Duration took) {
            heard.add(operation + " " + took.toNanos());
        }

        @Override
        public void quiesced(Duration waited) {
            heard.add("quiesced " + waited.toNanos());
        }
    });

    private static Request request(Operation operation, int volume) {
        return new Request(operation, 0, 4096, 0, volume, 1, 1);
    }

    private Map<Metric, Long> counted() {
        Map<Metric, Long> all = new java.util.HashMap<>(tally.counted());
        all.values().removeIf(count -> count == 0);
        return all;
    }

    @Test
    void shouldCountWhatWasDone_andOfWhichVolume() {
        tally.answered(request(Operation.READ, 1), Status.DONE, 100, 5);
        tally.answered(request(Operation.WRITE, 1), Status.DONE, 0, 6);
        tally.answered(request(Operation.WRITE, 2), Status.DONE, 0, 7);
        tally.answered(request(Operation.FLUSH, 2), Status.DONE, 0, 8);
        tally.forced(3);
        tally.quiesced(9);

        assertThat(counted())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        VolumeMetric.READ_BYTES,
                        100L,
                        VolumeMetric.WRITTEN_BYTES,
                        8192L,
                        VolumeMetric.FORCES,
                        1L,
                        VolumeMetric.FORCED_FLUSHES,
                        3L));
        assertThat(tally.uses(Set.of(1, 2)))
                .containsOnly(Map.entry(1, new Tally.Use(2, 4196)), Map.entry(2, new Tally.Use(1, 4096)));
        assertThat(heard).containsExactly("READ 5", "WRITE 6", "WRITE 7", "FLUSH 8", "quiesced 9");
    }

    @Test
    void shouldCountWhatWasRefused_asNothingElse() {
        tally.answered(request(Operation.READ, 1), Status.FENCED, 100, 5);
        tally.answered(request(Operation.WRITE, 1), Status.NO_SPACE, 0, 5);

        assertThat(counted())
                .containsExactlyInAnyOrderEntriesOf(Map.of(VolumeMetric.REFUSED, 2L, VolumeMetric.FENCED, 1L));
        assertThat(tally.uses(Set.of(1))).isEmpty();
    }

    @Test
    void shouldForgetVolumesThatAreGone_andKnowWhichAreDamaged() {
        tally.answered(request(Operation.READ, 1), Status.DONE, 1, 1);
        tally.damaged(2, 5);

        assertThat(tally.damage(1).isThere()).isFalse();
        assertThat(tally.damage(2).isThere()).isTrue();
        assertThat(counted()).containsEntry(VolumeMetric.CHECKSUM_ERRORS_ON_DISK, 1L);
        assertThat(tally.uses(Set.of(1))).containsOnlyKeys(1);
        assertThat(tally.damage(2).isThere()).as("it is gone").isFalse();
    }

    @Test
    @Timeout(10)
    void shouldHaveNews_whenVolumesComeOrChangeHands() throws InterruptedException {
        tally.answered(request(Operation.ATTACH, 1), Status.HELD, 0, 1);
        tally.answered(request(Operation.READ, 1), Status.DONE, 0, 1);
        long begin = System.nanoTime();
        tally.awaitNews(20_000_000);
        assertThat(System.nanoTime() - begin).as("nothing was told").isGreaterThanOrEqualTo(20_000_000);

        for (Operation operation : List.of(Operation.CREATE, Operation.ATTACH, Operation.DELETE, Operation.DETACH)) {
            tally.answered(request(operation, 1), Status.DONE, 0, 1);
            tally.awaitNews(HOUR_NANOS);
        }
    }
}
