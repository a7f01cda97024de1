package dev.retier.load.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.retier.load.report.Guarantee;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.NamedRun;
import dev.retier.load.report.ResultJson;
import dev.retier.load.report.Results;
import dev.retier.load.target.TierHistory;
import dev.retier.testsupport.Chromium;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as real headless Chromium shows it. */
class ReportPageIT {
    private static final int BLUE = 0x1769aa;
    private static final int BLUE_ON_DARK = 0x6cb6ff;
    private static final int ORANGE = 0xc2410c;
    private static final int PAPER = 0xffffff;
    private static final int DARK_PAPER = 0x14181f;

    private static final LoadResult RUN = Results.of("shop", 400, 0)
            .withTiers(new TierHistory(
                    List.of(new TierHistory.Sizes(0, 4, 3), new TierHistory.Sizes(2, 3, 4)),
                    List.of(new TierHistory.Move(2, "node-3", "shop/proxy", "shop/app"))))
            .judgedBy(new Guarantee("shop", 1, 90));

    @TempDir
    private Path folder;

    @Test
    void shouldAskTheNetworkForNothing_whenOpened() throws Exception {
        String html = ReportPage.of("Load", List.of(RUN)).html();

        Chromium chromium = new Chromium(folder);

        assertThat(chromium.requests(html)).isEmpty();
        assertThat(chromium.requests("<img src=\"http://127.0.0.1:9/x.png\">"))
                .as("a page that asks is noticed")
                .contains("http://127.0.0.1:9/x.png");
    }

    @Test
    void shouldDrawItsCharts_inLightAndDarkAndOnAPhone() throws Exception {
        String html = ReportPage.of("Load", List.of(RUN)).html();
        Chromium chromium = new Chromium(folder);

        BufferedImage light = chromium.screenshot(html, new Chromium.Window(1000, 2400, false));
        BufferedImage dark = chromium.screenshot(html, new Chromium.Window(1000, 2400, true));
        BufferedImage phone = chromium.screenshot(html, new Chromium.Window(500, 2400, false));

        assertThat(pixels(light, BLUE)).isGreaterThan(1000);
        assertThat(pixels(light, ORANGE)).isGreaterThan(1000);
        assertThat(pixels(light, PAPER)).isGreaterThan(light.getWidth() * light.getHeight() / 2);
        assertThat(pixels(dark, BLUE_ON_DARK)).isGreaterThan(1000);
        assertThat(pixels(dark, DARK_PAPER)).isGreaterThan(dark.getWidth() * dark.getHeight() / 2);
        assertThat(pixels(phone, BLUE)).isGreaterThan(500);
    }

    @Test
    void shouldShowTheNumbersOfItsJson_whenOpened() throws Exception {
        String document = new Chromium(folder)
                .document(new ReportPage(
                                "Compare",
                                List.of(new NamedRun("one", RUN), new NamedRun("two", Results.of("shop", 100, 0))))
                        .html());

        Matcher json =
                Pattern.compile("(?s)id=\"results\">\\n(.*?)\\n</script>").matcher(document);
        assertThat(json.find()).isTrue();
        List<LoadResult> results = ResultJson.read("page", json.group(1));
        for (int i = 0; i < 2; i++) {
            LoadResult result = results.get(i);
            assertThat(cell(document, "sent", i))
                    .isEqualTo((double) result.totals().sent());
            assertThat(cell(document, "answered", i))
                    .isEqualTo((double) result.totals().answered());
            assertThat(cell(document, "failed", i))
                    .isEqualTo((double) result.totals().failed());
            assertThat(cell(document, "dropped", i))
                    .isEqualTo((double) result.totals().dropped());
            assertThat(cell(document, "throughput", i)).isCloseTo(result.answeredPerSecond(), withinPercentage(0.1));
            assertThat(cell(document, "latency p99", i))
                    .isCloseTo(result.latency().p99Nanos() / 1e6, withinPercentage(0.1));
        }
        assertThat(document).contains("<td>one: 127.0.0.1:1</td>");
    }

    /** The number of a run in the table of figures. */
    private static double cell(String document, String measure, int run) {
        Matcher row = Pattern.compile("<tr><td[^>]*>" + measure
                        + "</td><td[^>]*>[^<]*</td><td[^>]*>([^<]*)</td><td[^>]*>([^<]*)</td>")
                .matcher(document);
        assertThat(row.find()).as(measure).isTrue();
        return Double.parseDouble(row.group(1 + run));
    }

    private static int pixels(BufferedImage picture, int colour) {
        int count = 0;
        for (int x = 0; x < picture.getWidth(); x++) {
            for (int y = 0; y < picture.getHeight(); y++) {
                count += (picture.getRGB(x, y) & 0xFFFFFF) == colour ? 1 : 0;
            }
        }
        return count;
    }
}
