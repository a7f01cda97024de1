package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is known of Grafana's classic dashboard model; no Grafana reads the board here. */
class GrafanaBoardTest {
    private static final int COLUMNS = 24;
    private static final Set<String> KINDS = Set.of("row", "stat", "timeseries", "state-timeline", "table");

    private static String datasource(JsonNode node) {
        return node.path("datasource").path("type").asString() + " "
                + node.path("datasource").path("uid").asString();
    }

    @Test
    void shouldBeImportable() throws IOException {
        JsonNode board = GrafanaBoard.read().json();

        assertThat(board.path("schemaVersion").asInt()).isBetween(36, 42);
        assertThat(board.path("uid").asString()).matches("[a-zA-Z0-9_-]{1,40}");
        assertThat(board.path("title").asString()).isNotBlank();
        assertThat(board.path("id").isNull()).as("Grafana gives the number").isTrue();
    }

    /** It works with whatever Prometheus the person who imports it chooses. */
    @Test
    void shouldAskTheDataSourceThatIsChosen() throws IOException {
        GrafanaBoard board = GrafanaBoard.read();

        assertThat(board.variables().getFirst().path("type").asString()).isEqualTo("datasource");
        assertThat(board.variables().getFirst().path("query").asString()).isEqualTo("prometheus");
        assertThat(board.variables().getFirst().path("name").asString()).isEqualTo("datasource");
        assertThat(GrafanaBoard.all(board.json())
                        .filter(node -> node.has("datasource"))
                        .map(GrafanaBoardTest::datasource))
                .hasSizeGreaterThan(board.askingPanels().size())
                .containsOnly("prometheus ${datasource}", "grafana -- Grafana --");
        assertThat(GrafanaBoard.all(board.json()).filter(node -> node.has("expr") && !node.has("datasource")))
                .isEmpty();
    }

    @Test
    void shouldHavePanelsThatPeopleUnderstand() throws IOException {
        GrafanaBoard board = GrafanaBoard.read();

        assertThat(board.panels())
                .extracting(panel -> panel.path("id").asInt())
                .doesNotHaveDuplicates()
                .allMatch(id -> id > 0);
        assertThat(board.panels())
                .extracting(panel -> panel.path("type").asString())
                .isSubsetOf(KINDS);
        assertThat(board.panels())
                .extracting(panel -> panel.path("title").asString())
                .allMatch(title -> !title.isBlank());
        assertThat(board.askingPanels()).hasSizeGreaterThan(20).allSatisfy(panel -> {
            assertThat(panel.path("description").asString())
                    .as(panel.path("title").asString())
                    .isNotBlank();
            assertThat(panel.path("targets").values()).isNotEmpty();
            assertThat(panel.path("targets").values())
                    .extracting(target -> target.path("refId").asString())
                    .doesNotHaveDuplicates();
        });
    }

    @Test
    void shouldLayPanelsBesideEachOther() throws IOException {
        List<JsonNode> places = new ArrayList<>();
        for (JsonNode panel : GrafanaBoard.read().panels()) {
            JsonNode place = panel.path("gridPos");
            assertThat(place.path("x").asInt() + place.path("w").asInt()).isLessThanOrEqualTo(COLUMNS);
            assertThat(place.path("w").asInt() * place.path("h").asInt()).isPositive();
            assertThat(places)
                    .as("over %s", panel.path("title").asString())
                    .noneMatch(other -> overlap(place, other, "x", "w") && overlap(place, other, "y", "h"));
            places.add(place);
        }
    }

    private static boolean overlap(JsonNode one, JsonNode other, String from, String size) {
        int begin = one.path(from).asInt();
        int otherBegin = other.path(from).asInt();
        return begin < otherBegin + other.path(size).asInt()
                && otherBegin < begin + one.path(size).asInt();
    }

    @Test
    void shouldOfferWhatItsQuestionsUse() throws IOException {
        GrafanaBoard board = GrafanaBoard.read();

        assertThat(board.variables())
                .extracting(variable -> variable.path("name").asString())
                .containsExactly("datasource", "job", "site", "instance");
        assertThat(board.questions())
                .extracting(GrafanaBoard.Question::expression)
                .as("no variable is left")
                .noneMatch(expression -> expression.contains("$") || expression.isBlank());
    }
}
