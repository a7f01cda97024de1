package dev.retier.state.verbs;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import dev.retier.link.StateException;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.state.CasOutcome;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SharedState;
import dev.retier.state.SlotReading;
import dev.retier.state.StateMetric;
import dev.retier.state.Tier;
import dev.retier.testsupport.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LoopbackIT {
    /** Far more than any answer takes. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final Cell cell = new Cell(3, 1, DEADLINE);

    @AfterEach
    void close() {
        cell.close();
    }

    @Test
    void shouldSeeWhatOthersPublish_whenAllAreUp() {
        openAll();
        LoadRecord load = new LoadRecord(4, LoadRecord.Health.LEAVING, 0.75, 0, 1, 12.5, 9, 400, 0);
        cell.at(2).publish(load);

        assertThat(known(1, 2).load()).isEqualTo(load);
        assertThat(known(3, 2).roleWord()).isEqualTo(word(2));
        assertThat(word(2).serves(Cell.ROLE.to())).isTrue();
        assertThat(known(2, 2).heartbeat()).isEqualTo(2);
    }

    @Test
    void shouldLetExactlyOneWin_whenManySwapTheSameRoleWord() throws InterruptedException, ExecutionException {
        openAll();
        int rounds = 50;
        List<Future<Integer>> racers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(9)) {
            for (int racer = 0; racer < 9; racer++) {
                SharedState state = cell.at(1 + racer % 3);
                racers.add(threads.submit(() -> race(state, rounds)));
            }
        }
        int won = 0;
        for (Future<Integer> racer : racers) {
            won += racer.get();
        }

        assertThat(won).isEqualTo(rounds);
        assertThat(cell.word(2).epoch()).isEqualTo(Cell.ROLE.epoch() + rounds);
    }

    @Test
    void shouldWakeEveryNode_whenOneAnnounces() throws InterruptedException, ExecutionException {
        openAll();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Long> two = threads.submit(() -> cell.at(2).awaitAnnouncement(0, Patience.PATIENCE));
            Future<Long> three = threads.submit(() -> cell.at(3).awaitAnnouncement(0, Patience.PATIENCE));

            assertThat(cell.at(1).announce()).isEqualTo(3);
            assertThat(two.get()).isEqualTo(1);
            assertThat(three.get()).isEqualTo(1);
        }
        assertThat(cell.at(2).announce()).isEqualTo(3);
        assertThat(cell.at(3).awaitAnnouncement(1, Patience.PATIENCE)).isEqualTo(2);
        assertThat(cell.at(1).awaitAnnouncement(1, Patience.PATIENCE)).isEqualTo(2);
        assertThat(cell.at(1).metrics()).containsEntry(StateMetric.ANNOUNCEMENTS_HEARD, 2L);
    }

    @Test
    void shouldGoOnWithTheRest_whenAPeerDiesAndComesBack() {
        openAll();
        long before = known(1, 3).incarnation();
        cell.close(3);
        await().until(() -> cell.at(1).look().get(Cell.node(3)) instanceof SlotReading.Unknown);
        assertThat(known(1, 2).load()).isEqualTo(Cell.LOAD);
        assertThat(cell.at(1).compareAndSetRole(Cell.node(3), Cell.ROLE, Cell.ROLE))
                .isInstanceOf(CasOutcome.Unreachable.class);

        cell.open(3).publish(Cell.LOAD);
        await().until(cell::allKnowAll);
        assertThat(known(1, 3).incarnation()).isNotEqualTo(before);
    }

    @Test
    void shouldKeepStrangersOut_whenTheirSecretIsWrong() {
        cell.open(1).publish(Cell.LOAD);
        cell.open(2).publish(Cell.LOAD);
        cell.open(3, ClusterSecret.of("not the secret of this cell")).publish(Cell.LOAD);
        await().until(() -> cell.known(1) == 2 && cell.known(2) == 2 && cell.known(3) == 1);

        assertThat(cell.at(1).look().get(Cell.node(3)))
                .isEqualTo(new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED));
        assertThat(cell.at(3).look().get(Cell.node(1)))
                .isEqualTo(new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED));
    }

    @Test
    void shouldNameTheAddress_whenThePortIsInUse() {
        cell.open(1);

        assertThatThrownBy(() -> cell.open(1))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("cannot listen on")
                .hasMessageContaining("choose another listen address");
    }

    private void openAll() {
        cell.openAll();
        await().until(cell::allKnowAll);
    }

    private RoleWord word(int node) {
        return cell.word(node);
    }

    private SlotReading.Known known(int reader, int node) {
        return (SlotReading.Known) Objects.requireNonNull(cell.at(reader).look().get(Cell.node(node)));
    }

    /** Raises node 2's epoch one by one until it has gone up by {@code rounds}; how often this thread was the one. */
    private static int race(SharedState state, int rounds) {
        NodeId target = Cell.node(2);
        RoleWord word = Cell.ROLE;
        int won = 0;
        while (word.epoch() < Cell.ROLE.epoch() + rounds) {
            RoleWord next = RoleWord.active(word.epoch() + 1, 0, Role.serving(Cell.SITE, Tier.APP));
            switch (state.compareAndSetRole(target, word, next)) {
                case CasOutcome.Won _ -> {
                    won++;
                    word = next;
                }
                case CasOutcome.Lost(RoleWord actual) -> word = actual;
                case CasOutcome.Malformed malformed -> throw new AssertionError(malformed);
                case CasOutcome.Unreachable unreachable -> throw new AssertionError(unreachable);
                case CasOutcome.Unresolved unresolved -> throw new AssertionError(unresolved);
            }
        }
        return won;
    }
}
