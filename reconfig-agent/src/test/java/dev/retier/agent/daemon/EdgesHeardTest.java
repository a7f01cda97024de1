package dev.retier.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.render.EdgeWord;
import dev.retier.testsupport.Logged;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class EdgesHeardTest {
    private static final ClusterConfig CONFIG = Clusters.withEdges(Clusters.config(1, 1), "front", "list");

    private final AgentMetrics metrics = new AgentMetrics();
    private final EdgesHeard heard = new EdgesHeard("node-1", metrics, () -> {});

    private String metric(String result) {
        return metrics.scrape("text/plain; version=0.0.4; charset=utf-8")
                .lines()
                .filter(line -> line.startsWith("retier_edge_words_total{result=\"" + result))
                .findFirst()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .orElse("0");
    }

    @Test
    void shouldKeepTheNewestWordOfEachEdge_howeverManyCome() {
        for (int stamp = 1; stamp <= 1_000; stamp++) {
            heard.offer(CONFIG, "shop", new EdgeWord("front", stamp, true).header());
        }
        heard.offer(CONFIG, "shop", new EdgeWord("list", 7, false).header());

        assertThat(heard.take())
                .containsExactly(
                        new LoopEvent.EdgeTold(new EdgeWord("front", 1_000, true)),
                        new LoopEvent.EdgeTold(new EdgeWord("list", 7, false)));
        assertThat(heard.take()).isEmpty();
        assertThat(metric("taken")).isEqualTo("1001.0");
    }

    @Test
    void shouldShowNothing_whenTheEdgeIsConfiguredOtherwiseSince() {
        heard.offer(CONFIG, "shop", new EdgeWord("front", 12, false).header());
        ClusterConfig moved = Clusters.withEdges(Clusters.config(1, 1), "list");

        assertThat(heard.show(CONFIG).getFirst().word()).contains(new EdgeWord("front", 12, false));
        assertThat(heard.show(moved)).allMatch(shown -> shown.word().isEmpty());
        assertThat(heard.show(Clusters.withEdgeFile(CONFIG, "front", Path.of("/elsewhere"))))
                .extracting(EdgesHeard.Shown::word)
                .containsExactly(Optional.empty());
    }

    @Test
    void shouldIgnoreAndCountAndTellOnce_whenNoSuchEdgeTellsAnything() {
        Logger all = (Logger) LoggerFactory.getLogger("dev.retier");
        Level before = all.getLevel();
        all.setLevel(Level.WARN);
        try (Logged logged = new Logged()) {
            for (int time = 0; time < 10; time++) {
                heard.offer(CONFIG, "shop", new EdgeWord("back", 12, false).header());
                heard.offer(CONFIG, "stop", new EdgeWord("front", 12, false).header());
                heard.offer(CONFIG, "shop", "nonsense; stamp");
            }

            assertThat(heard.take()).isEmpty();
            assertThat(metric("unknown")).isEqualTo("20.0");
            assertThat(metric("malformed")).isEqualTo("10.0");
            assertThat(logged.warnings())
                    .hasSize(2)
                    .anyMatch(line -> line.contains("no edge back before site shop"))
                    .anyMatch(line -> line.contains("Retier-Edge"));
        } finally {
            all.setLevel(before);
        }
    }

    @Test
    void shouldShowEveryEdge_whetherItHasToldAnythingOrNot() {
        heard.offer(CONFIG, "shop", new EdgeWord("list", 7, false).header());

        assertThat(heard.show(CONFIG))
                .extracting(shown -> shown.edge().name(), shown -> shown.word().isPresent())
                .containsExactly(tuple("front", false), tuple("list", true));
    }
}
