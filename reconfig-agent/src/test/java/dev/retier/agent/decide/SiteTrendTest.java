package dev.retier.agent.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SiteTrendTest {
    private static final double THRESHOLD = 0.8;
    private static final long LOOK = 200_000_000;

    private long now;
    private Spells spells = Spells.none(0);

    /** Nodes of one unit each. */
    private static TierTrend tier(int first, int nodes, double utilisation) {
        Map<NodeId, Double> weights = new HashMap<>();
        for (int node = first; node < first + nodes; node++) {
            weights.put(new NodeId(node), 1.0);
        }
        TierTrend.Direction direction =
                utilisation > THRESHOLD ? TierTrend.Direction.PRESSED : TierTrend.Direction.CALM;
        return new TierTrend(weights.keySet(), 0, utilisation, weights, direction, 0, true, 0);
    }

    private Limit look(int proxies, double ofProxies, int apps, double ofApps) {
        return look(tier(1, proxies, ofProxies), tier(1 + proxies, apps, ofApps));
    }

    private Limit look(TierTrend proxies, TierTrend apps) {
        now += LOOK;
        spells = new SiteTrend.Look(100, 0, null, proxies, apps, now).tell(spells, THRESHOLD, 0);
        return spells.kind();
    }

    @Test
    void shouldBeOfTheKindOfTheTierThatIsPressedMost() {
        assertThat(look(2, 0.5, 5, 0.6)).isEqualTo(Limit.NEITHER);
        assertThat(look(2, 0.85, 5, 0.9)).isEqualTo(Limit.APP);
        assertThat(look(2, 0.95, 5, 0.1)).isEqualTo(Limit.PROXY);
    }

    @Test
    void shouldGoOn_whileItsTierIsPressed() {
        assertThat(look(6, 0.1, 1, 1.0)).isEqualTo(Limit.APP);

        assertThat(look(1, 1.0, 6, 0.93)).as("with the split that suits it").isEqualTo(Limit.APP);
        assertThat(look(1, 1.0, 6, 0.1)).as("another load").isEqualTo(Limit.PROXY);
    }

    @Test
    void shouldGoOn_whenNodesHaveMendedIt() {
        assertThat(look(2, 1.0, 5, 0.1)).isEqualTo(Limit.PROXY);

        assertThat(look(4, 0.45, 3, 0.2)).as("what two would be pressed by").isEqualTo(Limit.PROXY);
        assertThat(look(4, 0.35, 3, 0.2)).as("what two would carry in calm").isEqualTo(Limit.NEITHER);
    }

    @Test
    void shouldNotGoOn_whenTheOtherTierIsPressedInstead() {
        assertThat(look(1, 1.0, 6, 0.1)).isEqualTo(Limit.PROXY);

        assertThat(look(6, 0.15, 1, 1.0)).isEqualTo(Limit.APP);
    }

    @Test
    void shouldGoOn_whenTheMoveItselfPressesTheOtherTier() {
        assertThat(look(2, 1.0, 5, 0.3)).isEqualTo(Limit.PROXY);
        spells = spells.blind(now); // four apps become proxies whose caches are empty

        assertThat(look(6, 0.5, 1, 1.0)).as("what two would be pressed by").isEqualTo(Limit.PROXY);
        assertThat(look(6, 0.25, 1, 1.0)).as("the same, held back by the app").isEqualTo(Limit.PROXY);
        assertThat(look(6, 0.13, 1, 1.0)).as("less than half of it").isEqualTo(Limit.APP);
    }

    @Test
    void shouldNotGoOn_whenTheOtherTierIsPressedLaterThanByTheMove() {
        assertThat(look(2, 1.0, 5, 0.3)).isEqualTo(Limit.PROXY);
        spells = spells.blind(now);
        assertThat(look(4, 0.7, 3, 0.7)).as("mended").isEqualTo(Limit.PROXY);

        assertThat(look(4, 0.5, 3, 0.9)).as("another load").isEqualTo(Limit.APP);
    }

    @Test
    void shouldLearnNothing_whenATierIsUnknown() {
        assertThat(look(2, 1.0, 5, 0.3)).isEqualTo(Limit.PROXY);
        Map<Limit, Load> before = spells.loads();

        assertThat(look(tier(1, 2, 1.0), tier(3, 0, 0))).as("apps").isEqualTo(Limit.PROXY);
        assertThat(look(tier(1, 0, 0), tier(3, 5, 0.3))).as("proxies").isEqualTo(Limit.PROXY);
        assertThat(spells.loads()).isEqualTo(before);
    }
}
