package dev.retier.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class SvgChartTest {
    private static Plot chart(Plot.Shape shape) {
        List<Plot.Point> rising = List.of(new Plot.Point(0, 0), new Plot.Point(5, 50), new Plot.Point(10, 100));
        return new Timeline(
                        10, List.of(new Plot.Band(0, 5, "burst & co", "static")), List.of(new Plot.Mark(5, "node-3")))
                .plot(
                        "Through<put>",
                        Axis.linear("requests/s", 100),
                        List.of(new Plot.Series("all", "a", shape, rising)));
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static Element line(Document document) {
        for (int index = 0; ; index++) {
            Element path = (Element) document.getElementsByTagName("path").item(index);
            if (path.getAttribute("class").startsWith("line")) {
                return path;
            }
        }
    }

    @Test
    void shouldBeWellFormedWithTextEscaped() throws Exception {
        Document document = parse(SvgChart.draw(chart(Plot.Shape.LINE), SvgChart.Size.WIDE));

        assertThat(document.getDocumentElement().getTextContent()).contains("Through<put>", "burst & co", "node-3");
    }

    @Test
    void shouldPutFirstAndLastPointIntoTheCornersOfThePlot() throws Exception {
        String path = line(parse(SvgChart.draw(chart(Plot.Shape.LINE), SvgChart.Size.WIDE)))
                .getAttribute("d");

        assertThat(path).isEqualTo("M56.0 228.0L502.0 131.0L948.0 34.0");
    }

    @Test
    void shouldStayLevelUntilTheNextPoint_whenSteps() throws Exception {
        String path = line(parse(SvgChart.draw(chart(Plot.Shape.STEP), SvgChart.Size.WIDE)))
                .getAttribute("d");

        assertThat(path).isEqualTo("M56.0 228.0H502.0 V131.0H948.0 V34.0");
    }

    @Test
    void shouldChooseRoundSteps() {
        assertThat(List.of(Axis.niceStep(0.9), Axis.niceStep(1.1), Axis.niceStep(230), Axis.niceStep(0.03)))
                .containsExactly(1.0, 2.0, 500.0, 0.05);
    }

    @Test
    void shouldRefuseAnAxisWithoutLength() {
        assertThatThrownBy(() -> Axis.linear("s", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldKeepSpikes_whenThereAreMorePointsThanPixels() throws Exception {
        List<Plot.Point> points = IntStream.range(0, 100_000)
                .mapToObj(i -> new Plot.Point(i / 10_000.0, i == 54_321 ? 100 : 10))
                .toList();
        Plot chart = Plot.of(
                "t",
                Axis.linear("s", 10),
                Axis.linear("n", 100),
                List.of(new Plot.Series("l", "a", Plot.Shape.LINE, points)));

        String path = line(parse(SvgChart.draw(chart, SvgChart.Size.WIDE))).getAttribute("d");

        assertThat(path.length()).isLessThan(20_000);
        assertThat(path).contains(" 34.0L");
    }

    @Test
    void shouldWrapTheLegend_whenThereAreManyLines() throws Exception {
        List<Plot.Series> series = IntStream.range(0, 9)
                .mapToObj(i -> new Plot.Series(
                        "a line with a long name " + i,
                        Plot.Series.style(i),
                        Plot.Shape.LINE,
                        List.of(new Plot.Point(0, 0), new Plot.Point(1, 1))))
                .toList();
        Plot chart = Plot.of("t", Axis.percentile(100), Axis.log("ms", 1, 10), series);

        Document wide = parse(SvgChart.draw(chart, SvgChart.Size.WIDE));
        Document narrow = parse(SvgChart.draw(chart, SvgChart.Size.NARROW));

        assertThat(legendRows(wide)).isBetween(2L, 3L);
        assertThat(legendRows(narrow)).isGreaterThan(legendRows(wide));
        assertThat(Plot.Series.style(8)).isEqualTo("c dashed");
    }

    private static long legendRows(Document document) {
        var texts = document.getElementsByTagName("text");
        return IntStream.range(0, texts.getLength())
                .filter(i -> ((Element) texts.item(i)).getAttribute("class").equals("legend"))
                .count();
    }
}
