package dev.retier.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.load.measure.Burst;
import dev.retier.report.OutputFormat;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DemoReportTest {
    private final DemoResult result = DemoFixture.result();

    @Test
    void shouldCompareEachKindOfBurst() {
        assertThat(result.ratio(Burst.Kind.STATIC)).isCloseTo(3.2, within(1e-9));
        assertThat(result.ratio(Burst.Kind.DYNAMIC)).isCloseTo(1.25, within(1e-9));
        assertThat(result.ratio()).isCloseTo((16.0 + 20.0) / (5.0 + 16.0), within(1e-9));
        assertThat(result.shareOfOracle()).isCloseTo(20.0 / 21.0, within(1e-9));
    }

    @Test
    void shouldPutBothPassesSideBySide() {
        assertThat(result.table().format(OutputFormat.CSV))
                .startsWith("measure,unit,rigid,reconfigured,ratio")
                .contains("static bursts,requests/s,500.0,1600.0,3.20")
                .contains("dynamic bursts,requests/s,400.0,500.0,1.25")
                .contains("moves,count,0,2,")
                .contains("failed requests,count,0,0,");
    }

    @Test
    void shouldShowTheFiguresOfTheTableAndEachMoveOnThePage() {
        String html = DemoReport.html(result);

        assertThat(html).contains(">3.20x<", ">1.25x<", ">1.71x<");
        assertThat(html).contains("0.3 s: node-3 shop/app to shop/proxy, active in 120 ms");
        assertThat(html).contains("7.0 s: web-node of node-5 closed");
    }

    @Test
    void shouldEscapeWhatComesFromOutside() {
        assertThat(DemoReport.html(result)).contains("bursts &lt;of&gt; 8000").doesNotContain("<of>");
    }

    @Test
    void shouldTellTheRunItsBurstsAndItsMovesAsJson() {
        JsonNode json = new JsonMapper().readTree(DemoJson.of(result));

        assertThat(json.at("/run/timing/sensitivityMillis").asInt()).isEqualTo(100);
        assertThat(json.at("/run/costs/capacityPerSecond").asInt()).isEqualTo(300);
        assertThat(json.at("/passes/1/moves/1/from").asString()).isEqualTo("shop/proxy");
        assertThat(json.at("/passes/0/bursts/1/fromSeconds").asDouble()).isCloseTo(16, within(1e-9));
    }
}
