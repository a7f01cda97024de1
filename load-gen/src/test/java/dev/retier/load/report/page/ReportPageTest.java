package dev.retier.load.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.load.report.Guarantee;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import dev.retier.load.report.ResultJson;
import dev.retier.load.report.Results;
import dev.retier.load.target.TierHistory;
import dev.retier.report.Axis;
import dev.retier.report.Plot;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReportPageTest {
    private static final LoadResult RUN = Results.of("shop", 200, 0);
    private static final TierHistory TIERS = new TierHistory(
            List.of(new TierHistory.Sizes(0, 4, 3), new TierHistory.Sizes(1, 3, 4)),
            List.of(new TierHistory.Move(1, "node 3 <b>", "shop/proxy", "shop/app")));

    @Test
    void shouldAskTheNetworkForNothing_whenOpened() {
        String html = ReportPage.of("Test", List.of(RUN)).html();

        assertThat(html).startsWith("<!doctype html>").contains("default-src 'none'");
        assertThat(html).doesNotContainPattern("(?i)(src|href|action)\\s*=|url\\(|@import|https?://");
        assertThat(html).doesNotContain("<script>", "<script src");
    }

    @Test
    void shouldHoldTheJson_whenRead() {
        LoadResult run = RUN.withTiers(TIERS).judgedBy(new Guarantee("shop", 1, 50));

        String html = ReportPage.of("Test", List.of(run)).html();

        Matcher json =
                Pattern.compile("(?s)id=\"results\">\\n(.*?)\\n</script>").matcher(html);
        assertThat(json.find()).isTrue();
        assertThat(ResultJson.read("page", json.group(1))).containsExactly(run);
        assertThat(html).contains("<td>answered</td><td>requests</td><td>200</td>", ">guarantee kept<");
    }

    @Test
    void shouldDrawEachRunAndItsTiers_whenRunsAreCompared() {
        ReportPage page = new ReportPage(
                "Compare", List.of(new NamedRun("rigid", RUN), new NamedRun("reconfigured", RUN.withTiers(TIERS))));

        String html = page.html();

        assertThat(count(html, "aria-label=\"Throughput\"")).isEqualTo(2);
        assertThat(html)
                .contains("aria-label=\"Latency over time: rigid\"", "aria-label=\"Latency over time: reconfigured\"")
                .contains("aria-label=\"Nodes per tier: reconfigured\"")
                .doesNotContain("aria-label=\"Nodes per tier: rigid\"")
                .contains("1.0 s: node 3 &lt;b&gt; shop/proxy to shop/app")
                .contains("<th>rigid</th><th>reconfigured</th>");
    }

    @Test
    void shouldEscape_whenNamesAreHostile() {
        LoadResult hostile = ResultJson.read(
                        "x", ResultJson.write(List.of(RUN)).replace("made up", "</script><script>alert(1)\\u001b[2J"))
                .getFirst();

        String html = ReportPage.of("<img onerror=x>\u0000", List.of(hostile)).html();

        assertThat(html).doesNotContain("<img", "<script>alert", "\u001b", "\u0000");
        assertThat(html).contains("&lt;img onerror=x&gt;");
    }

    @Test
    void shouldDrawNoMoreThanCanBeSeen_whenARunIsLong() {
        String html =
                ReportPage.of("Test", List.of(Results.of("shop", 200_000, 0))).html();

        assertThat(html.indexOf("<script type=\"application/json\"")).isBetween(10_000, 600_000);
    }

    @Test
    void shouldRefuse_whenThereIsNoRun() {
        assertThatThrownBy(() -> ReportPage.of("t", List.of())).hasMessageContaining("at least one run");
    }

    @Test
    void shouldPutEachLatencyIntoItsCell_whenDrawingAHeatMap() {
        Axis up = Axis.log("ms", 1, 1000);

        List<Plot.Cell> cells = HeatCells.of(RUN.latencyOverTime(), up);

        // Number i was answered after i ms at 10 i ms, in 21 intervals of 100 ms.
        assertThat(cells)
                .extracting(Plot.Cell::fromX)
                .startsWith(0.0)
                .endsWith(2.0)
                .isSorted();
        assertThat(cells).allSatisfy(cell -> {
            assertThat(cell.toX() - cell.fromX()).isBetween(0.09, 0.11);
            assertThat(cell.toY()).isGreaterThan(cell.fromY());
            assertThat(cell.fromY()).isLessThanOrEqualTo(cell.toX() * 100 * 1.02);
            assertThat(cell.toY()).isGreaterThanOrEqualTo(cell.fromX() * 100 * 0.98);
        });
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void shouldLeaveOutTheIntervalThatTheEndCutsShort_whenThroughputIsDrawn() {
        Plot plot = new RunCharts(List.of(new NamedRun("shop", RUN))).throughput();

        // 21 intervals of 100 ms, the last of which only begins when the run ends, at 2 s.
        assertThat(plot.series().getFirst().points()).hasSize(20);
        assertThat(plot.series().getFirst().points().getLast().x()).isCloseTo(1.95, within(1e-9));
    }
}
