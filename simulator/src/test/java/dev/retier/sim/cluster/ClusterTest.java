package dev.retier.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.move.RollbackReason;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Agents under faults, over servers that are asked for static requests alone: proxies are pressed, apps idle. */
class ClusterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ClusterConfig SEVEN = Shops.cluster(2, 5);

    private final VirtualTime time = new VirtualTime();
    private final Service service = new Service(
            time,
            new Service.Parts(
                    Shops.HTTPD,
                    java.util.Collections.nCopies(7, Shops.HTTPD.capacityPerSecond()),
                    1,
                    List.of(Shops.mix(100_000, 0, 48)),
                    100_000));
    private final Cluster cluster = new Cluster(time, SEVEN, service, new Cluster.Settings(Delays.MEASURED, 0, 1));

    private void run(long seconds) {
        long until = time.nowNanos() + seconds * SECOND;
        while (time.step(until, service::on)) {}
    }

    private long serving(Tier tier) {
        Role role = Role.serving(Shops.SHOP, tier);
        return java.util.stream.IntStream.range(0, 7)
                .filter(node -> cluster.word(node).serves(role))
                .count();
    }

    /** While caches of new proxies are cold, the last app may be pressed for T: one node then goes to and fro. */
    @Test
    void shouldSettleInTheBestSplit_whenTheLoadStays() {
        service.beginAt(3 * SECOND);
        cluster.startAgents();

        run(20);

        assertThat(serving(Tier.PROXY)).isEqualTo(6);
        assertThat(cluster.chronicle().moves()).hasSizeBetween(4, 6).allMatch(MoveSeen::isComplete);
    }

    @Test
    void shouldFinishTheMove_whenItsAgentIsKilledInTheMiddleAndComesBack() {
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        int victim = untilOrdered();
        untilAllHaveSeen();

        cluster.crash(victim, false);
        run(1);
        cluster.restart(victim);
        run(20);

        assertThat(cluster.word(victim).phase()).isEqualTo(Phase.ACTIVE);
        assertThat(serving(Tier.PROXY)).isEqualTo(6);
        assertThat(cluster.chronicle().moves().getFirst().undone()).isIn(null, RollbackReason.FOUND_UNFINISHED);
    }

    /** So early that nobody else has seen its order: the one that was given together with it is undone. */
    @Test
    void shouldUndoTheBatch_whenAnOrderOfItIsLostBeforeAnybodyHasSeenIt() {
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        int victim = untilOrdered();
        cluster.crash(victim, false);
        run(5);

        assertThat(cluster.chronicle().moves())
                .filteredOn(
                        move -> !move.node().equals(SEVEN.nodes().get(victim).id()))
                .first()
                .satisfies(move -> assertThat(move.undone()).isEqualTo(RollbackReason.UPSTREAM_NOT_PROVEN));
        run(60);
        assertThat(serving(Tier.PROXY))
                .as("the site goes on; the server whose agent is gone is its app")
                .isEqualTo(6);
    }

    /**
     * All have seen the order. Nobody waits for a proof of that node either: no request comes to it, and the one that
     * was ordered together with it moves.
     */
    @Test
    void shouldGoOnWithTheOthers_whenTheAgentOfTheOneThatMovesIsGoneForGood() {
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        int victim = untilOrdered();
        untilAllHaveSeen();
        cluster.crash(victim, false);
        run(SEVEN.move().total().toSeconds() - 1);
        assertThat(serving(Tier.PROXY)).as("the move may still end").isEqualTo(4);

        run(1 + SEVEN.timing().deadAfter().toSeconds());
        assertThat(serving(Tier.PROXY)).as("the site goes on").isGreaterThan(4);
        run(10);

        assertThat(serving(Tier.PROXY)).isEqualTo(5);
        assertThat(serving(Tier.APP)).isEqualTo(1);
        assertThat(cluster.word(victim).phase()).isEqualTo(Phase.ORDERED);
    }

    @Test
    void shouldMoveNothing_whenTheWitnessIsGone() {
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        run(2);

        cluster.crash(0, true);
        run(10);

        assertThat(cluster.chronicle().moves()).isEmpty();
        assertThat(cluster.reasons()).containsKey("LOCK_UNAVAILABLE");
    }

    @Test
    void shouldMoveAgain_whenAPartitionHeals() {
        service.beginAt(3 * SECOND);
        cluster.startAgents();
        run(2);
        cutAll(true);
        run(6);
        assertThat(cluster.chronicle().moves()).isEmpty();

        cutAll(false);
        run(20);

        assertThat(serving(Tier.PROXY)).isEqualTo(6);
    }

    private void cutAll(boolean isCut) {
        for (int from = 0; from < 7; from++) {
            for (int to = 0; to < 7; to++) {
                cluster.cut(from, to, isCut);
            }
        }
    }

    private void untilAllHaveSeen() {
        long seenNanos = time.nowNanos() + SECOND / 50;
        while (time.step(seenNanos, service::on)) {}
    }

    private int untilOrdered() {
        while (true) {
            assertThat(time.step(20 * SECOND, service::on)).isTrue();
            for (int node = 0; node < 7; node++) {
                if (cluster.word(node).phase() == Phase.ORDERED) {
                    return node;
                }
            }
        }
    }
}
