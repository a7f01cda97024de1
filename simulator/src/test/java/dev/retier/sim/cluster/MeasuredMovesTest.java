package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.sim.run.MadeCluster;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Moves of one simulated httpd node, ordered by an operator one after the other as {@code bench moves} does, against
 * what that measured of real ones (docs/results/moves.md). Here no edge is waited for, so moves to app end sooner.
 */
class MeasuredMovesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MOVED = 2;
    private static final int MOVES = 200;

    private final VirtualTime time = new VirtualTime();
    private final Service service = new Service(
            time,
            new Service.Parts(
                    Shops.HTTPD,
                    Collections.nCopies(7, Shops.HTTPD.capacityPerSecond()),
                    1,
                    List.of(Shops.mix(10_000_000, 0.2, 1)),
                    100_000));
    private final List<Map<MovePhase, Double>> moves = new ArrayList<>();
    private boolean isAnswered;

    private final ClusterListener watch = new ClusterListener() {
        @Override
        public void reached(int node, MoveRecord entry) {
            if (entry.phase() == MovePhase.UPSTREAM_PROVEN) {
                moves.add(new EnumMap<>(MovePhase.class));
            }
            if (!moves.isEmpty()) {
                moves.getLast().put(entry.phase(), time.nowNanos() / 1e6);
            }
        }

        @Override
        public void answered(int node, long ticket, Answer answer) {
            assertThat(answer.outcome()).isEqualTo(Answer.Outcome.DONE);
            isAnswered = true;
        }
    };

    private Cluster cluster(ServerKind kind) {
        ClusterConfig config = MadeCluster.ofKind(Shops.cluster(3, 4), kind).withMode(Mode.RECOMMEND);
        Cluster cluster = new Cluster(time, config, service, new Cluster.Settings(Delays.MEASURED, 0, 1));
        cluster.listen(List.of(watch));
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        run(4 * SECOND);
        return cluster;
    }

    private void run(long nanos) {
        long until = time.nowNanos() + nanos;
        while (time.step(until, service::on)) {}
    }

    /** Milliseconds of each move, from its command to its answer. */
    private List<Double> move(Cluster cluster, Duration rest) {
        List<Double> wholes = new ArrayList<>();
        for (int number = 0; number < MOVES; number++) {
            boolean isProxy = cluster.word(MOVED).serves(Role.serving(Shops.SHOP, Tier.PROXY));
            double begun = time.nowNanos() / 1e6;
            isAnswered = false;
            cluster.command(
                    MOVED,
                    number,
                    new Command.Move(
                            "node-" + (MOVED + 1), isProxy ? "site-1/app" : "site-1/proxy", new Manner(false, true)));
            while (!isAnswered) {
                assertThat(time.step(time.nowNanos() + 20 * SECOND, service::on))
                        .isTrue();
            }
            wholes.add(time.nowNanos() / 1e6 - begun);
            run(rest.toNanos());
        }
        return wholes;
    }

    private List<Double> between(MovePhase from, MovePhase to) {
        return moves.stream()
                .skip(1)
                .map(move -> Objects.requireNonNull(move.get(to)) - Objects.requireNonNull(move.get(from)))
                .toList();
    }

    private static double quantile(List<Double> all, double share) {
        return all.stream().sorted().toList().get((int) Math.min(all.size() - 1L, Math.round(share * all.size())));
    }

    @Test
    void shouldTakeAsLongAsRealOnes_whenAnHttpdMovesToAndFro() {
        List<Double> wholes = move(cluster(ServerKind.HTTPD), Duration.ofMillis(45));
        List<Double> switches = between(MovePhase.DRAINED, MovePhase.SWITCHED);

        assertThat(quantile(switches, 0.5)).as("switch, p50").isCloseTo(3.6, within(2.0));
        assertThat(quantile(switches, 0.99)).as("switch, p99").isCloseTo(15, within(10.0));
        assertThat(between(MovePhase.UPSTREAM_PROVEN, MovePhase.DRAINED))
                .as("nothing is waited for")
                .containsOnly(0.0);
        assertThat(quantile(between(MovePhase.SWITCHED, MovePhase.ACTIVE), 0.5))
                .as("prove, p50")
                .isCloseTo(1.3, within(1.0));
        List<Double> toProxy = IntStream.range(0, wholes.size())
                .filter(move -> move % 2 == 1)
                .mapToObj(wholes::get)
                .toList();
        assertThat(quantile(toProxy, 0.5)).as("whole, to proxy, p50").isCloseTo(36 - 10, within(0.2 * 26));
    }

    @Test
    void shouldTakeATwentiethOfASecond_whenAWebNodeMoves() {
        List<Double> wholes = move(cluster(ServerKind.WEB_NODE), Duration.ofSeconds(2));

        assertThat(quantile(wholes, 0.5)).isBetween(20.0, 60.0);
    }
}
