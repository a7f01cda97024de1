package dev.retier.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.status.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoctorTest {
    private static final List<Finding> GOOD = List.of(Finding.good("of before", "as it must be"));
    private static final List<Finding> BAD = List.of(Finding.bad("of before", "broken", "here", "mend it"));
    private static final List<Finding> UNKNOWN = List.of(GOOD.getFirst(), Finding.unknown("of before", "no answer"));

    @Test
    void shouldLookOnlyAtSectionsThatWereNotGood_whenItHasLookedBefore() throws Exception {
        ClusterConfig cluster = Clusters.config(1, 1);
        Doctor doctor = new Doctor(cluster, cluster.node(Clusters.node(1)), ClusterLines.none());

        List<List<Finding>> all = doctor.look(List.of(GOOD, BAD, UNKNOWN));

        assertThat(all).hasSize(4).startsWith(GOOD);
        assertThat(all.subList(1, 4))
                .allSatisfy(section ->
                        assertThat(section).extracting(Finding::check).doesNotContain("of before"));
    }
}
