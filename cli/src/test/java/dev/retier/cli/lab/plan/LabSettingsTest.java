package dev.retier.cli.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LabSettingsTest {
    @Test
    void shouldHaveNoProblem_whenEverythingIsInRange() {
        assertThat(LabFilesTest.settings().problems()).isEmpty();
    }

    @Test
    void shouldLeaveTheSecondSiteItsNodes() {
        assertThat(sixNodes(3).problems()).isEmpty();
        assertThat(sixNodes(4).problems()).containsExactly("--proxies 4: use 1 to 3, so that each tier has a node");
    }

    private static LabSettings sixNodes(int proxies) {
        return new LabSettings(
                6,
                0,
                0,
                proxies,
                1,
                new LabSites(0, 1, 1),
                10,
                Duration.ofMillis(20),
                Duration.ofMillis(2),
                4096,
                "act",
                Placement.OUTSIDE,
                Duration.ofMillis(200),
                Duration.ofMillis(700));
    }

    @Test
    void shouldNameEveryProblemWithItsRemedy() {
        LabSettings settings = new LabSettings(
                33,
                31,
                1,
                33,
                34,
                new LabSites(-1, 1, 2),
                0,
                Duration.ofMillis(4),
                Duration.ofSeconds(2),
                0,
                "dance",
                Placement.OUTSIDE,
                Duration.ZERO,
                Duration.ZERO);

        assertThat(settings.problems())
                .containsExactly(
                        "--nodes 33: use 2 to 32",
                        "--haproxy 31 and --nginx 1: use 0 to 31 together, so that each tier has a node with httpd",
                        "--guarantee -1: use 0 for none, or more",
                        "--second-site 1+2: leave two nodes with httpd to the first site, so that each of its tiers"
                                + " has one",
                        "--proxies 33: use 1 to 1, so that each tier has a node",
                        "--min-proxies 34: use 1 to the number of --proxies",
                        "--quota 0: use 1 to 100",
                        "--period: use 5ms to 1s",
                        "--dynamic: use 10us to 1s",
                        "--file-bytes 0: use 1 to 1048576",
                        "--mode dance: use act, recommend or observe",
                        "-S: use a time above zero",
                        "-T: use a time above zero");
    }
}
