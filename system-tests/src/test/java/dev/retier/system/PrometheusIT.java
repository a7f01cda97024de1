package dev.retier.system;

import static dev.retier.testsupport.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.Command.Manner;
import dev.retier.agent.control.ControlClient;
import dev.retier.agent.server.HttpFetch;
import dev.retier.config.HostPort;
import dev.retier.system.Prometheus.Sample;
import dev.retier.testsupport.ExternalTool;
import dev.retier.testsupport.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The files of {@code conf/prometheus} and the questions of the Grafana board, by a real Prometheus beside agents. */
@Timeout(150)
class PrometheusIT {
    private static final Path NO_INPUT = Path.of("/dev/null");
    private static final String MOVED = "node-6";

    @TempDir
    private Path folder;

    @Test
    void shouldPassPromtool() throws Exception {
        assertThat(Prometheus.promtool(NO_INPUT, "check", "config", "prometheus.yml"))
                .contains("SUCCESS");
        assertThat(Prometheus.promtool(NO_INPUT, "check", "rules", "rules.yml")).contains("SUCCESS");
        assertThat(Prometheus.promtool(NO_INPUT, "test", "rules", "rules-test.yml"))
                .contains("SUCCESS");
    }

    @Test
    void shouldTellWhatHappened_whenANodeMovesAndAnAgentEnds() throws Exception {
        ExternalTool.find("prometheus");
        try (TwoSites sites = TwoSites.start(folder);
                Prometheus prometheus = Prometheus.start(folder, sites.agents())) {
            assertThatPromtoolFindsNothing(sites.agents().getFirst());
            awaitScrapes(prometheus, sites.agents().size());

            assertThat(move(sites).outcome()).isEqualTo(Answer.Outcome.DONE);
            awaitOne(prometheus, "increase(retier_moves_total{result=\"active\"}[1m]) > 0");
            assertThatOneMoveIsSeen(prometheus, sites);
            awaitRequestsOf(prometheus, sites, TwoSites.SHOP);
            assertThatTheBoardHasData(prometheus);
            Patience.await().untilAsserted(() -> assertThat(prometheus.firing()).isEmpty());

            HostPort gone = sites.endAgent(MOVED);
            Patience.await()
                    .untilAsserted(() -> assertThat(prometheus.firing()).containsExactly("RetierAgentGone " + gone));
            assertThatAllRulesWork(prometheus);
        }
    }

    private void assertThatPromtoolFindsNothing(HostPort agent) throws IOException, InterruptedException {
        try (HttpFetch fetch = new HttpFetch(agent)) {
            Path scraped = Files.writeString(
                    folder.resolve("metrics"), fetch.get("/metrics", PATIENCE).body());
            assertThat(scraped).content().contains("retier_node_role{");
            Prometheus.promtool(scraped, "check", "metrics");
        }
    }

    /** A step is seen between two scrapes. */
    private static void awaitScrapes(Prometheus prometheus, int agents) {
        Patience.await()
                .until(() -> prometheus
                                .query("count_over_time(up{job=\"retier\"}[1m]) > 1 and up == 1")
                                .size()
                        == agents);
    }

    private static void awaitOne(Prometheus prometheus, String expression) {
        Patience.await()
                .untilAsserted(() ->
                        assertThat(prometheus.query(expression)).as(expression).hasSize(1));
    }

    /** As an operator does at the first node. */
    private static Answer move(TwoSites sites) throws IOException {
        return ControlClient.ask(
                sites.config("node-1").controlSocket(),
                new Command.Move(MOVED, "shop/app", new Manner(false, false)),
                PATIENCE);
    }

    private static void assertThatOneMoveIsSeen(Prometheus prometheus, TwoSites sites) throws IOException {
        String instance = sites.config(MOVED).node().agentAdmin().toString();
        Sample move = prometheus
                .query("increase(retier_moves_total{result=\"active\"}[1m]) > 0")
                .getFirst();
        assertThat(move.label("instance")).isEqualTo(instance);
        assertThat(move.value()).as("as far as a scrape a second tells").isCloseTo(1, within(0.6));
        Patience.await()
                .untilAsserted(() -> assertThat(prometheus.query("changes(retier_node_role[1m]) > 0"))
                        .extracting(
                                role -> role.label("node") + " " + role.label("site") + "/" + role.label("tier"),
                                Sample::value)
                        .containsExactlyInAnyOrder(tuple(MOVED + " news/app", 1.0), tuple(MOVED + " shop/app", 1.0)));
        Patience.await()
                .untilAsserted(() -> assertThat(prometheus.query("max by (site, tier) (retier_tier_nodes)"))
                        .extracting(tier -> Map.entry(tier.label("site") + "/" + tier.label("tier"), tier.value()))
                        .containsExactlyInAnyOrder(
                                Map.entry("shop/proxy", 1.0),
                                Map.entry("shop/app", 2.0),
                                Map.entry("news/proxy", 1.0),
                                Map.entry("news/app", 2.0)));
    }

    private static void awaitRequestsOf(Prometheus prometheus, TwoSites sites, String site) throws IOException {
        try (HttpFetch client =
                new HttpFetch(sites.config("node-1").node().server().address())) {
            Patience.await().until(() -> {
                assertThat(client.get("/static/o1", PATIENCE).status()).isEqualTo(200);
                return prometheus.query("max by (site) (retier_site_delivered_requests_per_second) > 0").stream()
                        .anyMatch(delivered -> delivered.label("site").equals(site));
            });
        }
    }

    private static void assertThatTheBoardHasData(Prometheus prometheus) throws IOException {
        for (GrafanaBoard.Question question : GrafanaBoard.read().questions()) {
            assertThat(prometheus.query(question.expression()))
                    .as("%s: %s", question.where(), question.expression())
                    .anyMatch(sample -> !Double.isNaN(sample.value()));
        }
    }

    private static void assertThatAllRulesWork(Prometheus prometheus) throws IOException {
        List<JsonNode> rules = prometheus.rules();
        assertThat(rules).hasSizeGreaterThan(10).allSatisfy(rule -> {
            String name = rule.path("name").asString();
            assertThat(rule.path("health").asString()).as(name).isEqualTo("ok");
            assertThat(rule.path("lastError").asString("")).as(name).isEmpty();
        });
        assertThat(rules).extracting(rule -> rule.path("name").asString()).contains("RetierGuaranteeBroken");
    }
}
