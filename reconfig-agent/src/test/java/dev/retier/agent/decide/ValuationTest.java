package dev.retier.agent.decide;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.config.TierBounds;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.view.ClusterView;
import dev.retier.agent.view.NodeView;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One site on two proxies and five apps; a proxy carries 100 requests per second of either kind, an app 50. */
class ValuationTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ClusterConfig SEVEN = Clusters.config(2, 5);
    private static final Policy POLICY = Policy.of(SEVEN);

    private long now = SECOND;
    private History history = History.none();
    private ClusterView view = ClusterView.of(List.of());

    private static NodeView node(int id, Role role, double utilisation, double requests) {
        LoadRecord load = new LoadRecord(0, Health.UP, utilisation, 0, 0, requests, 0, 1_000, 0);
        return new NodeView.Known(Clusters.node(id), RoleWord.active(0, 0, role), load);
    }

    private void looks(double seconds, double proxies, double apps, double perSecond) {
        List<NodeView> nodes = new ArrayList<>();
        for (int id = 1; id <= 7; id++) {
            nodes.add(id <= 2 ? node(id, PROXY, proxies, perSecond / 2) : node(id, APP, apps, perSecond / 5));
        }
        view = ClusterView.of(nodes);
        for (int look = 0; look < Math.round(5 * seconds); look++) {
            history = history.after(view, POLICY, now);
            now += SECOND / 5;
        }
        now -= SECOND / 5;
    }

    private List<Valuation.Change> best() {
        return Valuation.of(view, history, POLICY, SEVEN.sites().getFirst(), now)
                .best();
    }

    @Test
    void shouldKnowNothing_beforeTheFirstLook() {
        assertThat(best()).isEmpty();
    }

    @Test
    void shouldGiveProxiesAllAppsThatIdle_oneAfterTheOther() {
        looks(4, 1, 0, 200);

        Valuation.Change change = best().getFirst();

        assertThat(change.isWorthIt()).isTrue();
        assertThat(change.stands()).isEqualTo(Stands.THIS_SPELL);
        assertThat(change.steps())
                .extracting(Valuation.Step::node)
                .containsExactly(Clusters.node(3), Clusters.node(4), Clusters.node(5), Clusters.node(6));
        assertThat(change.steps())
                .allMatch(step -> step.from().equals(APP) && step.to().equals(PROXY));
        // Up to three times as many requests, for the 3.8 s that the load may go on, and until that would be noticed.
        assertThat(change.gains().getLast()).isCloseTo(Math.log(3) * 3.8 / (3.8 + 1.3), within(0.02));
    }

    /** Twenty proxies use a fifth of themselves, twenty apps all: a proxy does what five apps do. */
    @Test
    void shouldGiveAsManyAsAreNeeded_whenThatIsBetweenTwoDoublings() {
        ClusterConfig forty = Clusters.config(20, 20);
        Policy policy = Policy.of(forty);
        List<NodeView> nodes = new ArrayList<>();
        for (int id = 1; id <= 40; id++) {
            nodes.add(id <= 20 ? node(id, PROXY, 0.2, 50) : node(id, APP, 1, 50));
        }
        view = ClusterView.of(nodes);
        for (int look = 0; look < 20; look++) {
            now += SECOND / 5;
            history = history.after(view, policy, now);
        }

        Valuation.Change change = Valuation.of(
                        view, history, policy, forty.sites().getFirst(), now)
                .best()
                .getFirst();

        assertThat(change.steps()).extracting(Valuation.Step::to).containsOnly(APP);
        assertThat(change.steps()).as("8 are too few and 16 too many").hasSizeBetween(12, 14);
    }

    /** A proxy for the apps is as good as another site's app for them and the proxy in its place. */
    @Test
    void shouldMakeNoDetour_byMachinesThatAreAlike() {
        SiteConfig shop = SEVEN.sites().getFirst();
        SiteId other = new SiteId(2);
        SiteConfig blog = new SiteConfig(
                other, "blog", List.of("blog.example"), 2, null, TierBounds.DEFAULTS, TierBounds.DEFAULTS, null);
        ClusterConfig two = Clusters.withSites(Clusters.config(2, 2), List.of(shop, blog));
        Policy policy = Policy.of(two);
        view = ClusterView.of(List.of(
                node(1, PROXY, 0.79, 50),
                node(2, PROXY, 0.79, 50),
                node(3, APP, 1, 50),
                node(4, APP, 1, 50),
                node(5, Role.serving(other, Tier.PROXY), 0.79, 100),
                node(7, Role.serving(other, Tier.APP), 0.79, 50),
                node(8, Role.serving(other, Tier.APP), 0.79, 50)));
        for (int look = 0; look < 20; look++) {
            now += SECOND / 5;
            history = history.after(view, policy, now);
        }

        List<Plans.Plan> all =
                Plans.toShow(new Case(view, history, policy, shop, now)).best(100);

        assertThat(all)
                .as("else no pairs are looked at")
                .noneMatch(plan -> plan.value().isWorthIt());
        assertThat(all)
                .hasSizeGreaterThan(3)
                .allSatisfy(plan -> assertThat(plan.steps())
                        .extracting(Option::role)
                        .doesNotContain(new Role.Serving(other, Tier.PROXY), new Role.Serving(other, Tier.APP)));
    }

    @Test
    void shouldBeWorthNothing_whileAllIsAnswered() {
        looks(4, 0.5, 0.3, 100);

        assertThat(best()).noneMatch(Valuation.Change::isWorthIt);
    }

    @Test
    void shouldBeWorthNothing_beforePressureHasLastedForT() {
        looks(0.8, 1, 0, 200);

        assertThat(best()).noneMatch(Valuation.Change::isWorthIt);
    }

    @Test
    void shouldTakeTheBestOfThoseThatNeverChange_whenBurstsAreShorterThanT() {
        for (int burst = 0; burst < 6; burst++) {
            looks(0.6, 1, 0, 200);
            now += SECOND / 5;
            looks(0.4, 0.1, 1, 250);
            now += SECOND / 5;
        }
        looks(0.6, 1, 0, 200);

        Valuation.Change change = best().getFirst();

        assertThat(change.isWorthIt()).isTrue();
        assertThat(change.stands()).isEqualTo(Stands.FOR_GOOD);
        assertThat(change.steps()).extracting(Valuation.Step::to).containsOnly(PROXY);
        assertThat(change.steps()).hasSizeLessThan(4);
    }
}
