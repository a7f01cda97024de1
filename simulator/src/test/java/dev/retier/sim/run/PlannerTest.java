package dev.retier.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.run.Planner.Need;
import dev.retier.state.Role;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private static final Need STATIC = Need.of(Double.POSITIVE_INFINITY, 0);
    private static final Need DYNAMIC = Need.of(Double.POSITIVE_INFINITY, 1);

    private static ClusterConfig twoSites(double guarantee, int nodes) {
        List<SiteConfig> sites = List.of(Shops.site(1, 1, guarantee, nodes), Shops.site(2, 2, null, nodes));
        return MadeCluster.of(sites, Collections.nCopies(nodes, Role.SPARE), MadeCluster.Rules.DEFAULTS);
    }

    @Test
    void shouldFindTheThesisShape_forOneSite() {
        Planner planner = new Planner(Shops.cluster(2, 5), Shops.HTTPD::requestsPerSecond);

        assertThat(planner.best(List.of(STATIC))).isEqualTo(Allocation.of(6, 1));
        assertThat(planner.best(List.of(DYNAMIC))).isEqualTo(Allocation.of(1, 6));
        assertThat(planner.best(List.of(Need.of(Double.POSITIVE_INFINITY, 0.5))))
                .isEqualTo(Allocation.of(2, 5));
    }

    @Test
    void shouldKeepTheGuaranteeFirst_andGiveTheRestToTheOthers() {
        Planner planner = new Planner(twoSites(150, 8), Shops.HTTPD::requestsPerSecond);

        Allocation best = planner.best(List.of(DYNAMIC, DYNAMIC));

        assertThat(best.apps().getFirst()).isEqualTo(3); // 61/s each
        assertThat(best.apps().getLast()).isEqualTo(3);
        assertThat(planner.keeps(best, List.of(DYNAMIC, DYNAMIC))).isTrue();
    }

    @Test
    void shouldGiveNothingMoreToASiteThatIsNotAsked() {
        Planner planner = new Planner(twoSites(150, 8), Shops.HTTPD::requestsPerSecond);

        assertThat(planner.best(List.of(Need.NOTHING, DYNAMIC))).hasToString("1p+1a 1p+5a");
    }

    @Test
    void shouldRefuseFewerNodesThanTiers() {
        ClusterConfig three = twoSites(1, 3);

        assertThatThrownBy(() -> new Planner(three, Shops.HTTPD::requestsPerSecond))
                .hasMessageContaining("too few");
    }
}
