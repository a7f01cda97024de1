package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.state.SlotReading;
import dev.retier.state.StateMetric;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.Logged;
import dev.retier.testsupport.verbs.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SlotReaderTest {
    private static final NodeId TWO = new NodeId(2);
    private static final NodeId THREE = new NodeId(3);
    private static final int LOAD_AT = 64;

    private final MemoryCell cell = new MemoryCell();
    private final List<NodeId> observed = new ArrayList<>();
    private final SlotReader reader = new SlotReader(cell.local, cell.sessions(), (node, _) -> observed.add(node));

    SlotReaderTest() throws IOException {
        cell.local.memory().publish(MemoryCell.LOAD);
        cell.memories.values().forEach(memory -> memory.publish(MemoryCell.LOAD));
    }

    @Test
    void shouldKnowAll_whenAllPublish() {
        assertThat(reader.look().values()).hasSize(4).allMatch(SlotReading.Known.class::isInstance);
        assertThat(observed).containsExactlyInAnyOrder(MemoryCell.SELF, TWO, THREE, new NodeId(4));
    }

    @Test
    void shouldSayStale_whenAHeartbeatStandsLongerThanTheBound() {
        reader.look();
        cell.nowNanos += MemoryCell.STALE.toNanos();
        assertThat(known(TWO).ageNanos()).isEqualTo(MemoryCell.STALE.toNanos());
        cell.memory(3).publish(MemoryCell.LOAD);

        cell.nowNanos++;

        assertThat(reader.look().get(TWO)).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.STALE));
        assertThat(known(THREE).ageNanos()).isZero();
        cell.memory(2).publish(MemoryCell.LOAD);
        assertThat(known(TWO).heartbeat()).isEqualTo(2);
    }

    @Test
    void shouldSayNotConnected_whenThereIsNoSession() {
        cell.disconnect(2);

        assertThat(reader.look().get(TWO)).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED));
        assertThat(reader.look().get(THREE)).isInstanceOf(SlotReading.Known.class);
    }

    @Test
    void shouldSayTimedOutAndGoOn_whenAnAnswerIsLate() {
        cell.world.hold(Kind.READ);
        assertThat(reader.look().get(TWO)).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.TIMED_OUT));
        assertThat(cell.count(StateMetric.READS_MISSED)).isEqualTo(3);

        cell.world.release();

        assertThat(reader.look().get(TWO)).isInstanceOf(SlotReading.Known.class);
    }

    @Test
    void shouldTryThriceAndSayTorn_whenTheChecksumNeverHolds() {
        cell.slot(2).set(SlotLayout.WORD_LAYOUT, LOAD_AT, 1);

        assertThat(reader.look().get(TWO)).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.TORN));
        assertThat(cell.count(StateMetric.READS_TORN)).isEqualTo(3);
        assertThat(observed.stream().filter(TWO::equals)).hasSize(3);
        assertThat(observed.stream().filter(THREE::equals)).hasSize(1);
    }

    @Test
    void shouldTryNoMore_whenTheDeadlineOfTheLookHasPassed() throws IOException {
        MemoryCell timed = new MemoryCell(MemoryCell.LEASE, false);
        timed.memory(2).publish(MemoryCell.LOAD);
        timed.slot(2).set(SlotLayout.WORD_LAYOUT, LOAD_AT, 1);
        long deadlineNanos = MemoryCell.LEASE.dividedBy(6).toNanos();
        SlotReader slow = new SlotReader(
                timed.local, timed.sessions(), (node, _) -> timed.nowNanos += TWO.equals(node) ? deadlineNanos : 0);

        assertThat(slow.look().get(TWO)).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.TIMED_OUT));
        assertThat(timed.count(StateMetric.READS_TORN)).isEqualTo(1);
    }

    @Test
    void shouldCountEachAndTellOnce_whenTheRoleWordIsNone() {
        cell.slot(2).set(SlotLayout.WORD_LAYOUT, SlotLayout.ROLE_OFFSET, 0);
        try (Logged logged = new Logged()) {
            for (int look = 0; look < 3; look++) {
                assertThat(reader.look().get(TWO)).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.MALFORMED));
            }
            assertThat(logged.warnings())
                    .containsExactly("node-1 cannot use the slot of node-2: phase bits 0 name no phase");
        }
        assertThat(cell.count(StateMetric.SLOTS_MALFORMED)).isEqualTo(3);
    }

    @Test
    void shouldSayStale_whenANodeHasPublishedNothing() {
        cell.slot(2).set(SlotLayout.WORD_LAYOUT, Long.BYTES, 0);

        assertThat(reader.look().get(TWO)).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.STALE));
    }

    @Test
    void shouldSayTimedOut_whenAllReadsOfTheConnectionAreUnderWay() {
        cell.world.hold(Kind.READ);
        for (int look = 0; look < Session.DEPTH; look++) {
            reader.look();
        }
        long missed = cell.count(StateMetric.READS_MISSED);

        assertThat(reader.look().get(TWO)).isEqualTo(new SlotReading.Unknown(SlotReading.Reason.TIMED_OUT));
        assertThat(cell.count(StateMetric.READS_MISSED)).as("none was sent").isEqualTo(missed);
    }

    private SlotReading.Known known(NodeId node) {
        SlotReading reading = reader.look().get(node);
        assertThat(reading).isInstanceOf(SlotReading.Known.class);
        return (SlotReading.Known) Objects.requireNonNull(reading);
    }
}
