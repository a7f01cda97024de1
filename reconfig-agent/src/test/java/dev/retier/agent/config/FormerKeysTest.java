package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FormerKeysTest {
    private static final String REMEDY = " changes nothing any more: remove it, or let `retier validate --fix` do so";

    private static String file(String decision) throws IOException {
        String shipped = Files.readString(Path.of("..", "conf", "cluster.yaml"));
        int begin = shipped.indexOf("decision:");
        int end = shipped.indexOf("\nmove:");
        return shipped.substring(0, begin) + decision + shipped.substring(end);
    }

    @Test
    void shouldWarnOfEach_andGoByNone() throws IOException {
        ClusterConfig given = ClusterConfig.parse(file("decision: {settle: 7s, give-history: 9s}\n"), "c.yaml");

        assertThat(given.warnings())
                .extracting(ConfigWarning::text)
                .filteredOn(warning -> warning.startsWith("decision."))
                .containsExactly("decision.give-history" + REMEDY, "decision.settle" + REMEDY);
        assertThat(given.withoutFormerKeys().decision()).isEqualTo(DecisionRules.DEFAULTS);
    }

    @Test
    void shouldTakeOutTheirLines_andLeaveAllElseAsItIs() throws IOException {
        String former = file("""
                decision:   # when
                  give-history: 1s   # of the donor
                  # settle: 1s
                  take-history: 3s
                  settle: 100ms
                  cool-down-node: 0s
                """);

        assertThat(FormerKeys.without(former, "c.yaml")).isEqualTo(file("""
                decision:   # when
                  # settle: 1s
                  take-history: 3s
                """));
    }

    @Test
    void shouldTakeOutEntriesBetweenBraces_andASectionThatIsEmptyThen() throws IOException {
        assertThat(FormerKeys.without(
                        file("decision: {settle: 1s, take-history: 3s, give-threshold: 0.5, payback: 20s}\n"),
                        "c.yaml"))
                .isEqualTo(file("decision: {take-history: 3s}\n"));
        assertThat(FormerKeys.without(file("decision:\n  settle: 1s\n"), "c.yaml"))
                .isEqualTo(file(""));
    }

    @Test
    void shouldKeepWhatIsSaidBesideASection_thatIsEmptyThen() throws IOException {
        assertThat(FormerKeys.without(file("decision:   # asked for by the board\n  settle: 1s\n"), "c.yaml"))
                .isEqualTo(file("# asked for by the board\n"));
    }

    @Test
    void shouldChangeNothing_whenThereIsNone() throws IOException {
        String shipped = Files.readString(Path.of("..", "conf", "cluster.yaml"));
        assertThat(FormerKeys.without(shipped, "c.yaml")).isEqualTo(shipped);
    }

    @Test
    void shouldTakeThemOut_howeverTheyAreWritten() throws IOException {
        assertThat(FormerKeys.without(file("decision: {\"settle\": 1s}\n"), "c.yaml"))
                .isEqualTo(file("decision: {}\n"));
        assertThat(FormerKeys.without(file("decision: {settle: 1s}   # {settle: 2s}\n"), "c.yaml"))
                .isEqualTo(file("decision: {}   # {settle: 2s}\n"));
        assertThat(FormerKeys.without(
                        file("# decision: {settle: 1s}\ndecision: {take-history: 3s, settle: 1s}\n"), "c.yaml"))
                .isEqualTo(file("# decision: {settle: 1s}\ndecision: {take-history: 3s}\n"));
        assertThat(FormerKeys.without(
                        file("decision: {\n  settle: 1s, take-history: 3s,\n  give-history: 1s}\n"), "c.yaml"))
                .isEqualTo(file("decision: {\n  take-history: 3s}\n"));
        assertThat(FormerKeys.without(file("decision: &rules\n  settle: 1s\n  take-history: 3s\n"), "c.yaml"))
                .isEqualTo(file("decision: &rules\n  take-history: 3s\n"));
    }

    @Test
    void shouldKeepTheEndsOfLines() throws IOException {
        String some = file("decision:\n  settle: 1s\n  take-history: 3s\n").replace("\n", "\r\n");
        assertThat(FormerKeys.without(some, "c.yaml"))
                .isEqualTo(file("decision:\n  take-history: 3s\n").replace("\n", "\r\n"));
        String all = file("decision:\n  settle: 1s\n").replace("\n", "\r\n").stripTrailing();
        assertThat(FormerKeys.without(all, "c.yaml"))
                .isEqualTo(file("").replace("\n", "\r\n").stripTrailing());
    }

    @Test
    void shouldSaySo_whenTheyAreWrittenOtherwise() throws IOException {
        String below = file("decision:\n  settle:\n    1s\n  take-history: 3s\n");
        assertThatThrownBy(() -> FormerKeys.without(below, "c.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cannot take out settle here; nothing was changed: remove settle by hand");
        String twice = file("decision: {settle: 1s, settle: 2s}\n");
        assertThatThrownBy(() -> FormerKeys.without(twice, "c.yaml")).isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldTakeOutEachKeyOfTheVersionBefore() throws IOException {
        String former = file("""
                decision:
                  take-history: 3s
                  guarantee-history: 3s
                  give-history: 3s
                  give-back-history: 60s
                  give-threshold: 0.5
                  settle: 1s
                  payback: 20s
                  cool-down-node: 5s
                  cool-down-site: 5s
                """);

        assertThat(FormerKeys.without(former, "c.yaml")).isEqualTo(file("decision:\n  take-history: 3s\n"));
    }

    /** What has its default would mean the same if it went, but in this version alone. */
    @Test
    void shouldKeepWhatSharesALine_alsoWhereItIsTheDefault() throws IOException {
        assertThat(FormerKeys.without(
                        file("decision: {\n  payback: 10s, tolerance: 0.1,\n  take-history: 1s }\n"), "c.yaml"))
                .isEqualTo(file("decision: {\n  tolerance: 0.1,\n  take-history: 1s }\n"));
    }

    @Test
    void shouldNameItsLine_whenAKeyCannotBeTakenOut() {
        assertThatThrownBy(() -> FormerKeys.without(file("decision:\n  settle:\n    1s\n"), "c.yaml"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cannot take out settle here")
                .hasMessageNotContaining("c.yaml:1:");
    }
}
