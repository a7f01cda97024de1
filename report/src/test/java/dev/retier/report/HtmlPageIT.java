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
        List<Plot.Point> rising = List.of(new Plot.Point(0, 0), new Plot.Point(10, 100));
        List<Plot.Point> steps = List.of(new Plot.Point(0, 20), new Plot.Point(5, 80), new Plot.Point(10, 80));
        Plot chart = new Timeline(
                        10,
                        List.of(new Plot.Band(0, 5, "static", "static"), new Plot.Band(5, 10, "dynamic", "dynamic")),
                        List.of(new Plot.Mark(5, "a move")))
                .plot(
                        "Throughput",
                        Axis.linear("requests/s", 100),
                        List.of(
                                new Plot.Series("rising", "a", Plot.Shape.LINE, rising),
                                new Plot.Series("steps", "b", Plot.Shape.STEP, steps)));
        return new HtmlPage("Page")
                .paragraph("lead", "In short.")
                .cards(List.of(new HtmlPage.Card("1.5x", "overall")))
                .plot(chart)
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
