package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.status.ServerStatus;
import dev.retier.state.CasOutcome;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node under orders, told one event after the other. */
abstract class VictimRig {
    static final MoveRules RULES = new MoveRules(
            Duration.ofMillis(100),
            Duration.ofMillis(1_000),
            Duration.ofMillis(40),
            Duration.ofMillis(200),
            Duration.ofMillis(300),
            Duration.ZERO);
    static final RoleWord ORDER = RoleWord.active(6, 3, APP).ordered(10, 4, PROXY);
    static final List<VictimEffect> ACTIVE =
            List.of(reached(MovePhase.ACTIVE), new VictimEffect.Announce(), new VictimEffect.Finished());

    final Victim victim = new Victim(Clusters.withMoves(Clusters.config(1, 1), RULES), ServerKind.NGINX.answersLate());
    long nowNanos = 1_000_000_000_000L;

    List<VictimEffect> after(long millis, VictimEvent event) {
        nowNanos += millis * 1_000_000;
        return victim.on(event, nowNanos);
    }

    List<VictimEffect> server(long millis, String role, long stamp, int inFlight, @Nullable String refusal) {
        nowNanos += millis * 1_000_000;
        ServerStatus status =
                new ServerStatus(role, "shop", stamp, refusal, 1_000, 0, inFlight, 0, null, 7, 0, 0, null);
        return victim.on(new VictimEvent.Server(status, nowNanos), nowNanos);
    }

    static VictimEffect reached(MovePhase phase) {
        return new VictimEffect.Reached(new MoveRecord(ORDER, phase, null), 0);
    }

    static VictimEffect rollBackWord() {
        return new VictimEffect.SetWord(ORDER, ORDER.rolledBack());
    }

    static VictimEffect writeOld() {
        return new VictimEffect.WriteRole(APP, 21);
    }

    void ordered() {
        after(0, new VictimEvent.Ordered(ORDER));
    }

    void untilUpstream() {
        ordered();
        after(0, new VictimEvent.Journalled(true));
    }

    void untilDraining() {
        untilUpstream();
        after(0, new VictimEvent.UpstreamSeen(true));
    }

    void untilRecording() {
        untilDraining();
        server(1, "app", 19, 0, null);
        server(40, "app", 19, 0, null);
    }

    void untilSwitching() {
        untilRecording();
        after(0, new VictimEvent.Journalled(true));
        after(0, new VictimEvent.Written());
    }

    void untilProving() {
        untilSwitching();
        server(1, "proxy", 20, 0, null);
    }

    void untilActivating() {
        untilProving();
        after(1, new VictimEvent.Proof(true));
    }

    void assertRolledBackBy(RollbackReason reason) {
        assertThat(after(0, new VictimEvent.Answered(new CasOutcome.Won())))
                .containsExactly(
                        new VictimEffect.Reached(new MoveRecord(ORDER, MovePhase.ROLLED_BACK, reason), 0),
                        new VictimEffect.Announce(),
                        new VictimEffect.Finished());
        assertThat(victim.isIdle()).isTrue();
    }
}
