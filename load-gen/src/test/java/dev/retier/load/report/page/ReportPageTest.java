package dev.retier.load.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.load.report.Results;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportPageTest {
    private static final LoadResult RUN = Results.of("shop", 200, 0);

    @Test
    void shouldAskTheNetworkForNothing_whenOpened() {
        String html = ReportPage.of("Test", List.of(RUN)).html();

        assertThat(html).startsWith("<!DOCTYPE html>").contains("default-src 'none'");
        assertThat(html).doesNotContainPattern("(?i)(src|href|action)\\s*=|url\\(|@import|https?://");
        assertThat(html).doesNotContain("<script>", "<script src");
    }

    @Test
    void shouldHoldTheJson_whenRead() {
        String html = ReportPage.of("Test", List.of(RUN)).html();

        Matcher json =
                Pattern.compile("(?s)id=\"results\">\\n(.*?)\\n</script>").matcher(html);
        assertThat(json.find()).isTrue();
        assertThat(ResultJson.read("page", json.group(1))).containsExactly(RUN);
        assertThat(html).contains("<td>200</td>", "<td>100.0</td>");
    }

    @Test
    void shouldDrawALinePerRunAndTier_whenRunsAreCompared() {
        List<Line> tiers = List.of(
                new Line("proxy", List.of(new Line.Point(0, 4), new Line.Point(1, 3)), true),
                new Line("app", List.of(new Line.Point(0, 3), new Line.Point(1, 4)), true));
        ReportPage page = new ReportPage(
                "Compare",
                List.of(new ReportPage.NamedRun("rigid", RUN), new ReportPage.NamedRun("reconfigured", RUN)),
                tiers,
                List.of(new Mark(1, "node 3 <proxy> -> app")));

        String html = page.html();

        assertThat(count(html, "<svg ")).isEqualTo(3);
        assertThat(count(html, "class=\"line s1\"")).isEqualTo(3);
        assertThat(count(html, "class=\"line s2\"")).isEqualTo(3);
        assertThat(count(html, "class=\"mark\"")).isEqualTo(2);
        assertThat(html)
                .contains("node 3 &lt;proxy&gt; -&gt; app")
                .contains("H")
                .contains(">rigid<");
    }

    @Test
    void shouldEscape_whenNamesAreHostile() {
        LoadResult hostile = ResultJson.read(
                        "x", ResultJson.write(List.of(RUN)).replace("made up", "</script><script>alert(1)"))
                .getFirst();

        String html = ReportPage.of("<img onerror=x>", List.of(hostile)).html();

        assertThat(html).doesNotContain("<img", "<script>alert").contains("&lt;img onerror=x&gt;");
    }

    @Test
    void shouldAverage_whenALineHasMorePointsThanPixels() {
        List<Line.Point> many = IntStream.range(0, 10_000)
                .mapToObj(i -> new Line.Point(i, i % 2))
                .toList();

        String svg = new Chart("t", "s", "n", List.of(new Line("l", many, false)), List.of(), false).svg();

        assertThat(count(svg, "L")).isLessThanOrEqualTo(Chart.MAX_POINTS);
        assertThat(svg).contains("class=\"line s1\"");
    }

    @Test
    void shouldSaySo_whenThereIsNothingToShow() {
        assertThat(new Chart("t", "s", "n", List.of(), List.of(), false).svg()).contains("nothing to show");
        assertThatThrownBy(() -> ReportPage.of("t", List.of())).hasMessageContaining("at least one run");
        assertThatThrownBy(() -> new Line.Point(Double.NaN, 0)).hasMessageContaining("not finite");
    }

    @Test
    void shouldHaveRoundTicks_whenAnAxisCoversValues() {
        assertThat(Axis.covering(0, 1850, false).ticks()).containsExactly(0.0, 500.0, 1000.0, 1500.0, 2000.0);
        assertThat(Axis.covering(0.5, 180, true).ticks()).hasSize(5);
        assertThat(Axis.covering(0, 0, false).share(0)).isZero();
        assertThat(List.of(Axis.label(0.5), Axis.label(1500), Axis.label(25_000), Axis.label(2e6)))
                .containsExactly("0.5", "1500", "25k", "2M");
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
