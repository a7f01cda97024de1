package dev.retier.agent;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.fixture.Clusters;
import dev.retier.config.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a scraper reads of running agents. */
class AgentMetricsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @TempDir
    private Path folder = Path.of("");

    /** By name with labels. */
    private static Map<String, Double> scrape(AgentCell cell, int node) {
        try {
            return cell.ask(node, "/metrics")
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.lastIndexOf(' ')),
                            line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)),
                            (one, _) -> {
                                throw new AssertionError("twice: " + one);
                            },
                            TreeMap::new));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static Map<String, Double> roles(Map<String, Double> scraped) {
        return scraped.entrySet().stream()
                .filter(each -> each.getKey().startsWith("retier_node_role{"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static double of(AgentCell cell, int node, String series) {
        return scrape(cell, node).getOrDefault(series, Double.NaN);
    }

    private static double of(AgentCell cell, String series) {
        return of(cell, 1, series);
    }

    private static void awaitReady(AgentCell cell) {
        await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
    }

    @Test
    void shouldChangeTwoSeries_whenItsNodeMoves() {
        try (AgentCell cell = AgentCell.start(folder, 1, 2)) {
            awaitReady(cell);
            Map<String, Double> before = roles(scrape(cell, 2));
            assertThat(before)
                    .containsOnly(
                            Map.entry("retier_node_role{node=\"node-2\",site=\"shop\",tier=\"proxy\"}", 0.0),
                            Map.entry("retier_node_role{node=\"node-2\",site=\"shop\",tier=\"app\"}", 1.0),
                            Map.entry("retier_node_role{node=\"node-2\",site=\"\",tier=\"spare\"}", 0.0),
                            Map.entry("retier_node_role{node=\"node-2\",site=\"\",tier=\"drained\"}", 0.0));
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> cell.serving(PROXY).size() == 2 && cell.allIdle());
            int moved = cell.serving(PROXY).getLast();
            String label = "retier_node_role{node=\"node-" + moved + "\",site=\"shop\",tier=";
            await().atMost(PATIENCE).until(() -> of(cell, moved, label + "\"proxy\"}") == 1);
            Map<String, Double> after = scrape(cell, moved);
            assertThat(roles(after).values().stream().filter(value -> value != 0))
                    .hasSize(1);
            assertThat(after)
                    .containsEntry("retier_moves_total{reason=\"none\",result=\"active\"}", 1.0)
                    .containsEntry("retier_move_duration_seconds_count{phase=\"active\"}", 1.0)
                    .containsEntry("retier_moves_in_flight", 0.0);
            await().atMost(PATIENCE)
                    .until(() -> of(cell, "retier_tier_nodes{site=\"shop\",tier=\"proxy\"}") == 2
                            && of(cell, "retier_tier_nodes{site=\"shop\",tier=\"app\"}") == 1);
        }
    }

    /** A series that begins with its first event shows no step. */
    @Test
    void shouldHaveAllThatItCounts_beforeAnythingHasHappened() {
        try (AgentCell cell = AgentCell.start(folder, 1, 2)) {
            awaitReady(cell);
            assertThat(scrape(cell, 2))
                    .containsEntry("retier_moves_total{reason=\"none\",result=\"active\"}", 0.0)
                    .containsEntry("retier_moves_total{reason=\"server_refused\",result=\"rolled_back\"}", 0.0)
                    .containsEntry("retier_moves_skipped_total{reason=\"lock_held\"}", 0.0)
                    .containsEntry("retier_server_reloads_total{result=\"refused\"}", 0.0)
                    .containsEntry("retier_server_installations_total{result=\"restored\"}", 0.0)
                    .containsEntry("retier_edge_words_total{result=\"malformed\"}", 0.0)
                    .containsEntry("retier_nodes_seen_total{state=\"dead\"}", 0.0)
                    .containsEntry("retier_journal_failures_total", 0.0)
                    .containsEntry("retier_cas_conflicts_total", 0.0)
                    .containsEntry("retier_site_guarantee_broken_seconds_total{site=\"shop\"}", 0.0)
                    .containsEntry("retier_move_duration_seconds_bucket{phase=\"active\",le=\"1.0\"}", 0.0)
                    .containsEntry("retier_server_reload_duration_seconds_count{phase=\"reload\"}", 0.0)
                    .containsEntry("retier_build_info{node=\"node-2\",version=\"" + Version.current() + "\"}", 1.0);
            assertThat(Version.current()).matches("\\d+\\.\\d+.*");
        }
    }

    @Test
    void shouldTellHowTheSiteStands() {
        try (AgentCell cell = AgentCell.start(folder, 1, 1)) {
            awaitReady(cell);
            Agent agent = cell.agent(1);
            await().atMost(PATIENCE).until(() -> of(cell, "retier_nodes{state=\"fresh\"}") == 2);
            assertThat(scrape(cell, 1))
                    .containsEntry("retier_mode{mode=\"act\"}", 1.0)
                    .containsEntry("retier_mode{mode=\"observe\"}", 0.0)
                    .containsEntry("retier_paused{scope=\"cluster\"}", 0.0)
                    .containsEntry("retier_paused{scope=\"here\"}", 0.0)
                    .containsEntry("retier_nodes_config_differs", 0.0)
                    .containsEntry("retier_site_guarantee_requests_per_second{site=\"shop\"}", Double.NaN)
                    .containsEntry("retier_tier_nodes_min{site=\"shop\",tier=\"app\"}", 1.0)
                    .containsEntry("retier_tier_nodes_max{site=\"shop\",tier=\"app\"}", 256.0)
                    .containsKeys("retier_site_delivered_requests_per_second{site=\"shop\"}");
            assertThat(agent.reconfigure(promised(cell.config(), 1e6)).restart())
                    .isEmpty();
            cell.load(APP, 1.0);
            await().atMost(PATIENCE)
                    .until(() -> of(cell, "retier_tier_utilisation_ratio{site=\"shop\",tier=\"app\"}") > 0.9);
            String broken = "retier_site_guarantee_broken_seconds_total{site=\"shop\"}";
            await().atMost(PATIENCE).until(() -> of(cell, broken) > 0.2);
            assertThat(of(cell, "retier_site_guarantee_requests_per_second{site=\"shop\"}"))
                    .isEqualTo(1e6);
            cell.load(APP, 0.0);
            await().atMost(PATIENCE)
                    .until(() -> of(cell, "retier_tier_utilisation_ratio{site=\"shop\",tier=\"app\"}") < 0.5);
            double then = of(cell, broken);
            await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> of(cell, broken) == then);
        }
    }

    private static ClusterConfig promised(ClusterConfig config, double guarantee) {
        SiteConfig shop = config.sites().getFirst();
        return Clusters.withSites(
                config,
                List.of(new SiteConfig(
                        SHOP, shop.name(), shop.hosts(), 1, guarantee, shop.proxy(), shop.app(), shop.proxyHold())));
    }

    @Test
    void shouldTellWhatTheProcessTakes() {
        try (AgentCell cell = AgentCell.start(folder, 1, 1)) {
            Map<String, Double> scraped = scrape(cell, 1);
            assertThat(scraped.get("process_cpu_seconds_total")).isPositive();
            assertThat(scraped.get("process_open_fds")).isPositive();
            assertThat(scraped.get("process_max_fds")).isPositive();
            assertThat(scraped.get("jvm_memory_used_bytes{area=\"heap\"}")).isPositive();
            assertThat(scraped.get("jvm_threads_current")).isPositive();
            assertThat(scraped.get("process_start_time_seconds")).isBetween(1e9, 1e11);
            assertThat(scraped).containsKeys("jvm_gc_collection_seconds_total", "jvm_gc_collections_total");
        }
    }
}
