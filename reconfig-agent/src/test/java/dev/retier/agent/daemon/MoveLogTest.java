package dev.retier.agent.daemon;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static dev.retier.agent.fixture.Clusters.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.daemon.MoveLog.Snapshot;
import dev.retier.agent.daemon.MoveLog.State;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MoveLogTest {
    private static final Instant AT = Instant.parse("2026-11-29T10:00:00Z");
    private static final LoadRecord LOAD = new LoadRecord(7, Health.UP, 0.5, 0, 0, 0, 0, 1_000, 0);
    private static final RoleWord APP_AT_3 = RoleWord.active(3, 1, APP);
    private static final RoleWord ORDER = APP_AT_3.ordered(4, 2, PROXY);

    private final MoveLog log = new MoveLog();

    private List<Snapshot> see(RoleWord word, long nanos) {
        return log.seen(view(new NodeView.Known(node(1), word, LOAD)), AT.plusNanos(nanos), nanos);
    }

    private Snapshot reach(RoleWord order, MovePhase phase, long nanos) {
        RollbackReason reason = phase == MovePhase.ROLLED_BACK ? RollbackReason.UPSTREAM_NOT_PROVEN : null;
        return log.reached(
                node(1), new MoveRecord(order, phase, reason), new MoveLog.Notes(2, null), AT.plusNanos(nanos), nanos);
    }

    @Test
    void shouldKnowNoMove_whenANodeIsSeenForTheFirstTime() {
        assertThat(see(APP_AT_3, 0)).isEmpty();
        assertThat(see(APP_AT_3.fenced(), 1)).isEmpty();
        assertThat(log.snapshot()).isEmpty();
    }

    @Test
    void shouldTellAMoveWhenItIsOrderedAndWhenItIsDone() {
        see(APP_AT_3, 0);
        List<Snapshot> ordered = see(ORDER, 10);
        List<Snapshot> done = see(ORDER.completed(), 40);

        assertThat(ordered).hasSize(1);
        assertThat(ordered.getFirst().course()).isEqualTo(new MoveLog.Course(node(1), 4, APP, PROXY, State.ORDERED));
        assertThat(ordered.getFirst().took()).isEmpty();
        assertThat(done).hasSize(1);
        assertThat(done.getFirst().course()).isEqualTo(new MoveLog.Course(node(1), 4, APP, PROXY, State.DONE));
        assertThat(done.getFirst().took()).hasValue(Duration.ofNanos(30));
        assertThat(done.getFirst().at()).isEqualTo(AT.plusNanos(10));
        assertThat(see(ORDER.completed().fenced(), 50)).isEmpty();
        assertThat(log.snapshot()).isEqualTo(done);
    }

    @Test
    void shouldTellAMoveUnderWay_whenItIsTheFirstThingSeen() {
        assertThat(see(ORDER, 0)).extracting(move -> move.course().state()).containsExactly(State.ORDERED);
    }

    @Test
    void shouldTellThatItCameToNothing() {
        see(APP_AT_3, 0);
        see(ORDER, 10);
        Snapshot undone = see(ORDER.rolledBack(), 30).getFirst();

        assertThat(undone.course()).isEqualTo(new MoveLog.Course(node(1), 4, APP, PROXY, State.UNDONE));
        assertThat(undone.took()).hasValue(Duration.ofNanos(20));
    }

    @Test
    void shouldNotKnowHowLongItTook_whenItsOrderWasNotSeen() {
        see(APP_AT_3, 0);
        Snapshot done = see(ORDER.completed(), 40).getFirst();
        Snapshot undone =
                see(ORDER.completed().ordered(5, 3, APP).rolledBack(), 60).getFirst();

        assertThat(done.course()).isEqualTo(new MoveLog.Course(node(1), 4, APP, PROXY, State.DONE));
        assertThat(done.took()).isEmpty();
        assertThat(undone.course()).isEqualTo(new MoveLog.Course(node(1), 5, PROXY, PROXY, State.UNDONE));
        assertThat(undone.took()).isEmpty();
    }

    @Test
    void shouldTellTheOwnMoveByItsPhasesAlone() {
        see(APP_AT_3, 0);
        reach(ORDER, MovePhase.ORDERED, 10);
        assertThat(see(ORDER, 11)).isEmpty();
        reach(ORDER, MovePhase.DRAINED, 20);
        assertThat(see(ORDER.completed(), 30)).isEmpty();
        Snapshot end = reach(ORDER, MovePhase.ACTIVE, 31);

        assertThat(log.snapshot()).containsExactly(end);
        assertThat(end.course().state()).isEqualTo(State.DONE);
        MoveLog.Own own = end.own().orElseThrow();
        assertThat(own.phases())
                .containsEntry(MovePhase.DRAINED, Duration.ofNanos(10))
                .containsEntry(MovePhase.ACTIVE, Duration.ofNanos(21));
        assertThat(own.held()).isEqualTo(2);
        assertThat(own.reason()).isNull();
    }

    @Test
    void shouldKeepTheReason_whenTheOwnMoveIsRolledBack() {
        reach(ORDER, MovePhase.ORDERED, 10);
        Snapshot end = reach(ORDER, MovePhase.ROLLED_BACK, 20);

        assertThat(end.course().state()).isEqualTo(State.UNDONE);
        assertThat(end.took()).hasValue(Duration.ofNanos(10));
        assertThat(end.own().map(MoveLog.Own::reason)).hasValue(RollbackReason.UPSTREAM_NOT_PROVEN);
    }

    @Test
    void shouldForgetTheOldest_whenThereAreMoreThanItKeeps() {
        RoleWord word = APP_AT_3;
        see(word, 0);
        for (int i : IntStream.range(0, MoveLog.MAX_MOVES + 2).toArray()) {
            word = word.ordered(word.epoch() + 1, 0, i % 2 == 0 ? PROXY : APP).completed();
            see(word, i);
        }

        assertThat(log.snapshot()).hasSize(MoveLog.MAX_MOVES);
        assertThat(log.snapshot().getFirst().course().epoch()).isEqualTo(6);
        assertThat(Optional.of(log.snapshot().getLast().course().epoch())).hasValue(word.epoch());
    }
}
