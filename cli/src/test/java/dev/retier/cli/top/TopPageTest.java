package dev.retier.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.grid.Grid;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TopPageTest {
    private static final Asked NOW = new Asked(0.2, "");
    private static final Glyphs GLYPHS = Glyphs.of(StandardCharsets.UTF_8);

    private static String node(int id, String role, String rest) {
        return """
                {"node": "web-%d", "serving": true, "reading": "known", "role": "%s", "from": "%s", "phase": "active",
                 "epoch": 3, "utilisation_ratio": 0.5, "requests_per_second": 120.4%s}
                """.formatted(id, role, role, rest);
    }

    private static TopView view(String sites, String nodes, String decisions) {
        String status = """
                {"cluster": "cell", "node": "web-1", "mode": "act", "paused_cluster": true, "paused_here": false,
                 "unknown_share_ratio": 0.25, "sites": [%s], "nodes": [%s], "decisions": [%s], "moves": []}
                """.formatted(sites, nodes, decisions);
        String moves = """
                {"moves": [
                 {"node": "web-2", "epoch": 2, "from": "spare", "to": "shop/app", "at": "2026-01-31T11:00:00Z",
                  "state": "undone", "seconds": 2, "rolled_back_because": "AGENT_LEAVING"},
                 {"node": "web-1", "epoch": 3, "from": "shop/app", "to": "shop/proxy", "at": "2026-01-31T12:34:56.7Z",
                  "state": "done", "seconds": 1.25}]}
                """;
        return TopView.of(
                JsonMapper.shared().readTree(status), JsonMapper.shared().readTree(moves));
    }

    private static String site(String name) {
        return """
                {"site": "%s", "priority": 1, "delivered_requests_per_second": 812.3,
                 "guarantee_requests_per_second": 1000, "guarantee_kept": false, "tiers": [
                 {"tier": "proxy", "nodes": 2, "utilisation_ratio": 0.91, "pressed_seconds": 4.5, "min": 1, "max": 3},
                 {"tier": "app", "min": 1, "max": 3}]}""".formatted(name);
    }

    private static String decision(String site) {
        return """
                {"site": "%s", "decision": "stay", "reason": "BUDGET", "sentence": "the hour has had its moves"}
                """.formatted(site);
    }

    private static TopView small() {
        return view(
                site("shop"),
                node(1, "shop/proxy", "") + "," + node(2, "shop/proxy", ", \"phase\": \"ordered\"") + ","
                        + node(3, "shop/app", ", \"serving\": false") + "," + node(4, "spare", ""),
                decision("shop"));
    }

    private static List<String> page(TopView view, Asked asked, int rows, int columns) {
        return TopPage.of(view, asked, GLYPHS, new Grid(rows, columns)).lines();
    }

    private static String all(List<String> lines) {
        return String.join("\n", lines);
    }

    @Test
    void shouldShowAllOfASmallCluster() {
        assertThat(page(small(), NOW, 24, 80))
                .containsExactly(
                        "retier  cell  act  decisions are paused  25 % of the nodes unknown",
                        "seen by web-1 0.2 s ago",
                        "site         tier   nodes    utilisation        pressed  answers  promised",
                        "shop         proxy  2 1..3   ███████████░ 91 %  4.5 s    812/s    1000/s BROKEN",
                        "             app    ? 1..3   not known",
                        "nodes",
                        "shop/proxy 2    web-1 ███░░ 50 % 120/s    web-2 ███░░ 50 % moving",
                        "shop/app 1      web-3 ███░░ 50 % left out",
                        "spare 1         web-4 ███░░ 50 % 120/s",
                        "now",
                        "shop stays: the hour has had its moves",
                        "last moves",
                        "12:34:56  web-1  shop/app → shop/proxy  done after 1.3 s",
                        "11:00:00  web-2  spare → shop/app  undone after 2.0 s, because AGENT_LEAVING");
    }

    @Test
    void shouldShowEachOf256Nodes_on80x24() {
        String nodes = IntStream.rangeClosed(1, 256)
                .mapToObj(id -> node(id, id <= 100 ? "shop/proxy" : "shop/app", id == 7 ? ", \"serving\": false" : ""))
                .collect(Collectors.joining(","));
        List<String> page = page(view(site("shop"), nodes, decision("shop")), NOW, 24, 80);
        assertThat(page).hasSizeLessThanOrEqualTo(24).allMatch(line -> line.length() <= 80);
        assertThat(all(page).chars().filter(c -> c == '▅').count()).isEqualTo(255);
        assertThat(page).anyMatch(line -> line.startsWith("shop/proxy 100  ▅▅▅▅▅▅x▅"));
        assertThat(all(page)).contains("shop stays: ", "12:34:56  web-1");
    }

    @Test
    void shouldShowMoreOfEachNode_whenThereIsRoom() {
        String nodes = IntStream.rangeClosed(1, 40)
                .mapToObj(id -> node(id, "shop/app", ""))
                .collect(Collectors.joining(","));
        TopView view = view(site("shop"), nodes, decision("shop"));
        assertThat(all(page(view, NOW, 24, 80))).contains("web-40 50 %").doesNotContain("120/s");
        assertThat(all(page(view, NOW, 60, 200))).contains("web-40 ███░░ 50 %", "120/s");
        assertThat(page(view, NOW, TopPage.rowsOfAll(view, 80), 80)).anyMatch(line -> line.contains("web-40 ███░░"));
    }

    @Test
    void shouldSayWhatIsLeftOut_whenSitesAreMany() {
        String sites =
                IntStream.rangeClosed(1, 20).mapToObj(id -> site("s" + id)).collect(Collectors.joining(","));
        String decisions =
                IntStream.rangeClosed(1, 20).mapToObj(id -> decision("s" + id)).collect(Collectors.joining(","));
        List<String> page = page(view(sites, node(1, "s1/app", ""), decisions), NOW, 24, 80);
        assertThat(page)
                .contains("and 18 more sites", "and 17 more sites")
                .anyMatch(line -> line.contains("web-1 ███░░"));
    }

    @Test
    void shouldSaySo_whenNobodyAnswers() {
        Asked failed = new Asked(12, "no agent answers at 127.0.0.1:1");
        assertThat(page(small(), failed, 24, 80).get(1))
                .isEqualTo("as web-1 saw it 12.0 s ago: no agent answers at 127.0.0.1:1");
        assertThat(TopPage.of(null, failed, GLYPHS, new Grid(24, 80)).lines())
                .containsExactly("retier", "no agent answers at 127.0.0.1:1");
    }

    @Test
    void shouldKeepToItsGrid_howeverSmall() {
        for (int rows = 1; rows < 30; rows++) {
            for (int columns = 1; columns < 100; columns += 7) {
                int most = columns;
                assertThat(page(small(), NOW, rows, columns))
                        .hasSizeLessThanOrEqualTo(rows)
                        .allMatch(line -> line.length() <= most);
            }
        }
    }

    @Test
    void shouldBeAscii_whereNothingElseCanBeShown() {
        Grid page = TopPage.of(small(), NOW, Glyphs.of(StandardCharsets.US_ASCII), new Grid(24, 80));
        assertThat(all(page.lines())).matches("[ -~\n]+").contains("###-- 50 %", "shop/app -> shop/proxy");
    }
}
