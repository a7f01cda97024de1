package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Command;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.decide.Shadow;
import dev.retier.agent.decide.Shadow.Comparison;
import dev.retier.agent.decide.Shadow.Kind;
import dev.retier.agent.decide.Valuation;
import dev.retier.agent.fixture.Clusters;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes 1 and 4 are idle proxies, 2 and 3 apps; the agent of node 2 is a shadow. */
class ShadowTest {
    /** T, the settling, and two looks. */
    private static final long MISSED_NANOS = 1_700 * LoopRig.MS;

    /** One agent, and what it has told of comparisons. */
    private static final class Rig extends LoopRig {
        final List<Comparison> told = new ArrayList<>();

        Rig(ClusterConfig config, boolean isShadow) {
            super(config, isShadow);
            words.put(node(4), RoleWord.active(0, 0, PROXY));
            begin();
        }

        /** For so long; until the lock is wanted, if that comes first. */
        void look(Duration time) {
            long untilNanos = nowNanos + time.toNanos();
            while (nowNanos < untilNanos && all(LoopEffect.TryLock.class).isEmpty()) {
                woken();
                lookedOnce();
            }
        }

        void lookedOnce() {
            looked();
            all(LoopEffect.Tell.class).forEach(tell -> {
                if (tell.notice() instanceof Notice.Compared(Comparison comparison)) {
                    told.add(comparison);
                }
            });
        }

        void order(int id, Role to) {
            words.computeIfPresent(node(id), (_, word) -> word.ordered(word.epoch() + 10 + id, word.fence(), to));
            due();
            lookedOnce();
        }

        boolean wantsLock() {
            return !all(LoopEffect.TryLock.class).isEmpty();
        }

        Shadow shadow() {
            return loop.shadow().orElseThrow();
        }
    }

    private static Rig shadow() {
        return new Rig(LoopRig.CONFIG, true);
    }

    private static Rig patientShadow() {
        ClusterConfig config = LoopRig.CONFIG;
        return new Rig(Clusters.withDecisions(config, config.decision().withHistory(Duration.ofSeconds(10))), true);
    }

    @Test
    void shouldOrderNothing_whateverItsFileSays() {
        Rig acting = new Rig(LoopRig.CONFIG, false);
        acting.loads.put(APP, 1.0);
        acting.look(Duration.ofSeconds(5));
        assertThat(acting.wantsLock()).as("another agent would").isTrue();
        assertThat(acting.loop.shadow()).isEmpty();

        Rig rig = shadow();
        rig.loads.put(APP, 1.0);
        rig.look(Duration.ofSeconds(5));
        rig.on(new LoopEvent.Reconfigured(LoopRig.CONFIG.withMode(Mode.ACT)));
        rig.look(Duration.ofSeconds(5));

        assertThat(rig.wantsLock()).isFalse();
        assertThat(rig.loop.config().mode()).isEqualTo(Mode.RECOMMEND);
    }

    @Test
    void shouldTellOnce_whenNobodyOrdersWhatItWouldHave() {
        Rig rig = shadow();
        rig.loads.put(APP, 1.0);
        rig.look(Duration.ofSeconds(1).plusNanos(MISSED_NANOS - 400 * LoopRig.MS));
        assertThat(rig.told).isEmpty();
        rig.look(Duration.ofSeconds(20));

        assertThat(rig.told).singleElement().satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.NOT_ORDERED);
            assertThat(found.wantedNanos()).isBetween(MISSED_NANOS, MISSED_NANOS + 200 * LoopRig.MS);
            assertThat(found.moves()).extracting(Valuation.Step::to).containsExactly(APP);
            assertThat(found.value().orElseThrow().isWorthIt()).isTrue();
        });
        rig.loads.clear();
        rig.look(Duration.ofSeconds(5));
        rig.loads.put(APP, 1.0);
        rig.look(Duration.ofSeconds(5));
        assertThat(rig.told).as("another time").hasSize(2);
        assertThat(rig.shadow().count(Kind.NOT_ORDERED)).isEqualTo(2);
    }

    @Test
    void shouldSaySo_whenNobodyElseIsThereToOrder() {
        Rig rig = shadow();
        rig.words.put(node(3), RoleWord.active(0, 0, PROXY));
        rig.loads.put(APP, 1.0);

        rig.look(Duration.ofSeconds(10));

        assertThat(rig.told).extracting(Comparison::kind).containsExactly(Kind.LEFT_TO_IT);
    }

    @Test
    void shouldAgree_whenOthersOrderWhatItWouldHaveTwoLooksLater() {
        Rig rig = shadow();
        rig.loads.put(APP, 1.0);
        rig.look(Duration.ofSeconds(1));
        rig.order(1, APP);

        assertThat(rig.told).extracting(Comparison::kind).containsExactly(Kind.AGREED);
        assertThat(rig.shadow().count(Kind.AGREED)).isEqualTo(1);
        assertThat(rig.shadow().differences()).isEmpty();
    }

    /** Others may have seen the pressure a look before, and have ordered up to a look before that is seen. */
    @ParameterizedTest
    @CsvSource({"300, NOT_WANTED", "500, NOT_WANTED", "600, AGREED", "800, AGREED"})
    void shouldAgree_whenItWouldHaveOrderedUpToTwoLooksLater(int milliseconds, Kind kind) {
        Rig rig = shadow();
        rig.loads.put(APP, 1.0);
        rig.look(Duration.ofMillis(milliseconds));
        rig.order(1, APP);

        assertThat(rig.told).extracting(Comparison::kind).containsExactly(kind);
    }

    @Test
    void shouldTellItsOwnReasonAndWhatItIsWorth_whenItWouldNotHaveOrdered() {
        Rig rig = patientShadow();
        rig.loads.put(APP, 1.0);
        rig.look(Duration.ofMillis(1_500));
        rig.order(1, APP);

        assertThat(rig.shadow().differences()).singleElement().satisfies(found -> {
            assertThat(found.kind()).isEqualTo(Kind.NOT_WANTED);
            assertThat(found.moves()).containsExactly(new Valuation.Step(node(1), PROXY, APP));
            assertThat(found.own().reasonWord()).isEqualTo("PRESSURE_TOO_SHORT");
            assertThat(found.value().orElseThrow().refusal().map(Enum::name)).hasValue("PRESSURE_TOO_SHORT");
            assertThat(found.value().orElseThrow().lasting().getLast()).isPositive();
        });
    }

    @Test
    void shouldCompareNothing_whenOperatorsOrder() {
        Rig rig = shadow();
        rig.on(new LoopEvent.Commanded(1, new Command.Move("node-3", "shop/proxy", LoopRig.PLAIN)));
        rig.looked();
        rig.next(LoopEffect.TryLock.class);
        rig.on(new LoopEvent.LockTaken());
        rig.fenced();
        rig.looked();
        RoleWord order = rig.ordering().next();
        rig.words.put(node(3), order);
        rig.on(new LoopEvent.Ordered(Map.of(node(3), new CasOutcome.Won())));
        rig.due();
        rig.lookedOnce();
        rig.words.put(node(3), order.completed());
        rig.due();
        rig.lookedOnce();
        rig.look(Duration.ofSeconds(5));
        rig.order(4, Role.DRAINED);

        assertThat(rig.told).isEmpty();
    }

    @Test
    void shouldCompareNothing_whileDecisionsArePaused() {
        Rig rig = shadow();
        rig.on(new LoopEvent.Commanded(1, new Command.Pause(true)));
        rig.looked();
        rig.on(new LoopEvent.Kept(rig.next(LoopEffect.Keep.class).ticket(), null));
        rig.loads.put(APP, 1.0);
        rig.look(Duration.ofSeconds(5));
        rig.order(1, APP);

        assertThat(rig.told).isEmpty();
    }
}
