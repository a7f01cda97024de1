package dev.retier.agent.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.state.SiteId;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutlookTest {
    private static final long LOOK = 200_000_000;
    private static final TierBounds BOUNDS = new TierBounds(1, 7);
    private static final SiteConfig SITE =
            new SiteConfig(new SiteId(1), "shop", List.of(), 1, null, BOUNDS, BOUNDS, null);

    private long now;
    private Spells spells = Spells.none(0);

    private void looks(Limit kind, int count, double proxyUnits, double appUnits) {
        for (int look = 0; look < count; look++) {
            now += LOOK;
            Load.Look figures = new Load.Look(100, proxyUnits, appUnits, 1);
            spells = spells.after(new Spells.Seen(kind, 1, figures, false), 0, now);
        }
    }

    /** What a fourth proxy would be worth for good to three proxies and four apps that are all used in turn. */
    private double worthOfAFourthProxy(double appsMeanwhile) {
        for (int burst = 0; burst < 5; burst++) {
            looks(Limit.PROXY, 3, 3, appsMeanwhile);
            looks(Limit.APP, 2, 0.5, 4);
        }
        Capacity present = new Capacity(3, 4);
        Outlook outlook = new Outlook(SITE, spells, present, DecisionRules.DEFAULTS.takeThreshold(), now);
        return outlook.forGood(new Outlook.Change(present, new Capacity(4, 3)), 10)
                .requests();
    }

    @Test
    void shouldCountWhatBothTiersDoAtOnce_whenAChangeStays() {
        double apart = worthOfAFourthProxy(0);
        spells = Spells.none(now);
        double together = worthOfAFourthProxy(3);

        assertThat(apart).as("the proxies' bursts are longer").isPositive();
        assertThat(together)
                .as("what the apps do meanwhile would take three of them as long")
                .isLessThan(apart / 2);
    }

    @Test
    void shouldTakeARoundingForNoLoss() {
        assertThat(new Outlook.Worth(-1e-15, -1e-15).isLoss()).isFalse();
        assertThat(new Outlook.Worth(0, -1e-3).isLoss()).isTrue();
        assertThat(new Outlook.Worth(-1e-3, 0).isLoss()).isTrue();
    }

    @Test
    void shouldCountAPromiseOverAllTime_whenAChangeStays() {
        for (int burst = 0; burst < 5; burst++) {
            looks(Limit.PROXY, 3, 3, 0);
            looks(Limit.APP, 2, 0.5, 4);
        }
        SiteConfig promised = new SiteConfig(new SiteId(1), "shop", List.of(), 1, 200.0, BOUNDS, BOUNDS, null);
        Capacity present = new Capacity(3, 4);
        Outlook.Change fourth = new Outlook.Change(present, new Capacity(4, 4));
        Outlook outlook = new Outlook(promised, spells, present, DecisionRules.DEFAULTS.takeThreshold(), now);

        double always = outlook.forGood(fourth, 10).promised();
        double soonUndone = outlook.forGood(fourth, 0.1).promised();

        assertThat(always).as("a sixth of the promise, in three of five looks").isCloseTo(0.1, within(1e-6));
        assertThat(soonUndone)
                .as("for 0.1 s of each 0.6 s: then the other split is there as well")
                .isCloseTo(always / 6, within(1e-6));
    }
}
