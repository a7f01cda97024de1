package dev.retier.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Chromium;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page as real headless Chromium shows it. */
class HtmlPageIT {
    private static final int BLUE_OF_SERIES_A = 0x1769aa;
    private static final int ORANGE_OF_SERIES_B = 0xc2410c;
    private static final int VIOLET_OF_MARKS = 0x7c3aed;

    @TempDir
    private Path directory;

    private static String page() {
        List<Chart.Point> rising = List.of(new Chart.Point(0, 0), new Chart.Point(10, 100));
        List<Chart.Point> steps = List.of(new Chart.Point(0, 20), new Chart.Point(5, 80), new Chart.Point(10, 80));
        Chart chart = new Chart(
                "Throughput",
                "requests/s",
                10,
                100,
                List.of(new Chart.Band(0, 5, "static", "static"), new Chart.Band(5, 10, "dynamic", "dynamic")),
                List.of(
                        new Chart.Series("rising", "a", Chart.Shape.LINE, rising),
                        new Chart.Series("steps", "b", Chart.Shape.STEP, steps)),
                List.of(new Chart.Mark(5, "a move")));
        return new HtmlPage("Page")
                .paragraph("lead", "In short.")
                .cards(List.of(new HtmlPage.Card("1.5x", "overall")))
                .chart(chart)
                .table(List.of(List.of("run", "requests/s"), List.of("rigid", "100")))
                .html();
    }

    @Test
    void shouldDrawLinesAndMarks_inChromium() throws Exception {
        BufferedImage picture = new Chromium(directory).screenshot(page(), Chromium.Window.SCREEN);

        assertThat(pixels(picture, BLUE_OF_SERIES_A)).isGreaterThan(300);
        assertThat(pixels(picture, ORANGE_OF_SERIES_B)).isGreaterThan(300);
        assertThat(pixels(picture, VIOLET_OF_MARKS)).isGreaterThan(10);
    }

    @Test
    void shouldAskForNothingFromTheNetwork() {
        assertThat(page()).doesNotContain("http://", "https://", "<script", "url(", "@import", "src=");
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
