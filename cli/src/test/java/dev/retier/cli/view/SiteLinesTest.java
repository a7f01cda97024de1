package dev.retier.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SiteLinesTest {
    private static final SiteRow SHOP = new SiteRow("shop", 12.34, 0.25, 1000, 732.4, 0.31, 21, 0, 0, 0, 3, null, 0);
    private static final SiteRow ENDLESS = new SiteRow(
            "a-very-long-name-of-a-site", 7200, null, 99_999, 99_999, 59_999, 59_999, 0, 123_456, 7, 100, null, 0);

    private static String shown(String line) {
        return line.replaceAll("\u001b\\[[0-9]*m", "");
    }

    @Test
    void shouldSayHowLongItWillTake_whenTheEndIsKnown() {
        assertThat(SiteLines.plain(List.of(SHOP)))
                .containsExactly("shop          12.3 s  25 %   1732/s  p50 0.31 ms  p99 21 ms  failed 0  dropped 0"
                        + "  targets 3  left 37 s");
        assertThat(shown(SiteLines.drawn(List.of(SHOP)).getFirst()))
                .contains("left 37 s", "25 %", "██████░", "3 targets");
    }

    @Test
    void shouldFitATerminalAndHaveNoControlCharactersInPlainLines() {
        for (String line : SiteLines.drawn(List.of(SHOP, ENDLESS))) {
            assertThat(shown(line)).hasSizeLessThan(120);
        }
        assertThat(SiteLines.drawn(List.of(SHOP)))
                .allSatisfy(line -> assertThat(shown(line)).hasSizeLessThan(80));
        assertThat(SiteLines.plain(List.of(SHOP, ENDLESS))).allMatch(line -> line.matches("[ -~]+"));
        assertThat(SiteLines.plain(List.of(ENDLESS)).getFirst())
                .startsWith("a-very-long~ ")
                .doesNotContain("left");
    }

    @Test
    void shouldSayHowLongNobodyAnswered_whenTheServerStandsStill() {
        SiteRow still = new SiteRow("shop", 9, null, 0, 0, 0, 0, 3.21, 0, 0, 1, null, 0);

        assertThat(SiteLines.plain(List.of(still)))
                .containsExactly("shop           9.0 s     -      0/s  p50 -  p99 -  failed 0  dropped 0  targets 1"
                        + "  no answer for 3.2 s");
        assertThat(SiteLines.drawn(List.of(still)).getLast()).contains("p50 -").endsWith("no answer for 3.2 s");
    }

    @Test
    void shouldNotGuess_whenItHasHardlyBegun() {
        assertThat(new SiteRow("s", 1, 0.001, 0, 0, 0, 0, 0, 0, 0, 1, null, 0).secondsLeft())
                .isNull();
        assertThat(new SiteRow("s", 1, 1.0, 0, 0, 0, 0, 0, 0, 0, 1, null, 0).secondsLeft())
                .isNull();
    }
}
