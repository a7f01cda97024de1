package dev.retier.agent.http;

import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.fixture.ManyNodes;
import dev.retier.agent.fixture.Watcher;
import dev.retier.config.HostPort;
import dev.retier.testsupport.Chromium;
import dev.retier.testsupport.DevTools;
import dev.retier.testsupport.Repeats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The page of an agent that has much to tell, or what it should not. */
class LargeDashboardIT {
    private static final Logger LOG = LoggerFactory.getLogger(LargeDashboardIT.class);

    /** As many as a cell has. */
    private static final int NODES = 256;

    /** Statuses, five of them a second: six seconds each day, ten minutes in a long run. */
    private static final int DAILY = 30;

    private static final int LONG_REPEAT = 10;
    private static final double MOST_PROCESSOR_SECONDS_PER_STATUS = 0.1;
    private static final long MOST_HEAP_GROWTH_BYTES = 8 << 20;

    @TempDir
    private Path folder = Path.of("");

    private static AdminServer serve(ManyNodes api) {
        return AdminServer.start(
                new HostPort("127.0.0.1", 0), Clusters.access("one"), new TargetBoard(), api, new AgentMetrics());
    }

    @Test
    void shouldStayAsItIsAndQuick_with256NodesFiveTimesASecond() throws Exception {
        ManyNodes api = new ManyNodes(NODES, "web-");
        int statuses = Repeats.of(DAILY) * (Repeats.of(1) > 1 ? LONG_REPEAT : 1);
        try (AdminServer server = serve(api);
                Watcher watcher = new Watcher(new Chromium(folder))) {
            DevTools browser = watcher.browser();
            browser.show(new Chromium.Window(1400, 1000, false));
            browser.call("Performance.enable", Map.of("timeDomain", "threadTicks"));
            watcher.open(Watcher.page(server.address()), NODES);
            for (int move = 0; move < 300; move++) {
                api.move();
            }
            await().until(() -> watcher.moves().size() == 100);
            await().until(() -> api.told() > 10);

            long told = api.told();
            int elements = elements(browser);
            double heap = metric(browser, "JSHeapUsedSize");
            double seconds = metric(browser, "TaskDuration");
            for (int move = 0; move < statuses; move++) {
                long next = told + move;
                await().atMost(Duration.ofMinutes(1)).until(() -> api.told() >= next);
                api.move();
            }
            await().until(() -> watcher.moves().getFirst().contains("web-" + ((300 + statuses) % NODES + 1) + "\t"));
            double took = (metric(browser, "TaskDuration") - seconds) / (api.told() - told);

            LOG.info("{} statuses of {} nodes: {} s of processor time each", api.told() - told, NODES, took);
            assertThat(elements(browser)).isEqualTo(elements);
            assertThat(metric(browser, "JSHeapUsedSize") - heap).isLessThan(MOST_HEAP_GROWTH_BYTES);
            assertThat(took).isLessThan(MOST_PROCESSOR_SECONDS_PER_STATUS);
            browser.evaluate("(() => { const it = document.getElementById('filter'); it.value = 'web-25';"
                    + " it.dispatchEvent(new Event('input')); })()");
            await().until(() -> browser.evaluate("document.querySelectorAll('.tile:not([hidden])').length")
                            .asInt()
                    == 8);
            assertThat(browser.problems()).isEmpty();
        }
    }

    private static int elements(DevTools browser) {
        return browser.evaluate("document.getElementsByTagName('*').length").asInt();
    }

    private static double metric(DevTools browser, String name) {
        browser.call("HeapProfiler.collectGarbage", Map.of());
        return browser.call("Performance.getMetrics", Map.of())
                .path("metrics")
                .valueStream()
                .filter(one -> one.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow()
                .path("value")
                .asDouble();
    }

    @Test
    void shouldShowMarkupInNamesAsText() throws Exception {
        String name = "<img src=x onerror=\"document.title='HIT'\"><b>it</b>";
        ManyNodes api = new ManyNodes(3, name);
        try (AdminServer server = serve(api);
                Watcher watcher = new Watcher(new Chromium(folder))) {
            watcher.open(Watcher.page(server.address()), 3);
            api.move();
            await().until(() -> !watcher.moves().isEmpty());
            watcher.browser().click(".tile");

            await().until(() -> watcher.text("#node-name").startsWith(name));
            assertThat(watcher.text("#cluster")).isEqualTo(name);
            assertThat(watcher.text(".sentence")).isEqualTo(name);
            assertThat(watcher.moves().getFirst()).contains(name);
            assertThat(watcher.browser().isTrue("document.querySelector('img, main b, dialog b')"))
                    .as("an element that came from a name")
                    .isFalse();
            assertThat(watcher.browser().problems()).isEmpty();
        }
    }
}
