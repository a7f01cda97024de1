package dev.retier.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class TableDocumentTest {
    private final TableDocument document = new TableDocument("Speed", "bench speed")
            .note("Quiet.")
            .table("rates", new Table("what", "rate_per_s").row("a, b", 1.5).row("none", Double.NaN))
            .table("facts", new Table("fact").row("x"));

    @Test
    void shouldHaveABlockPerTable_whenCsv() {
        assertThat(document.format(OutputFormat.CSV).lines())
                .containsExactly(
                        "table,what,rate_per_s", "rates,\"a, b\",1.5", "rates,none,", "", "table,fact", "facts,x");
    }

    @Test
    void shouldHaveRowsByTable_whenJson() {
        JsonNode json = JsonMapper.shared().readTree(document.format(OutputFormat.JSON));

        assertThat(json.path("title").asString()).isEqualTo("Speed");
        assertThat(json.path("command").asString()).isEqualTo("bench speed");
        assertThat(json.path("notes")).hasSize(1);
        JsonNode rates = json.path("tables").path("rates");
        assertThat(rates.path(0).path("rate_per_s").asDouble()).isEqualTo(1.5);
        assertThat(rates.path(1).path("rate_per_s").isNull()).isTrue();
        assertThat(json.path("tables").path("facts")).hasSize(1);
    }

    @Test
    void shouldShowADash_whenAFigureIsMissing() {
        assertThat(new Table("rate").row(Double.NaN).format(OutputFormat.TABLE)).contains("-");
    }

    @Test
    void shouldRefuse_whenTwoTablesHaveOneNameOrItIsForPeople() {
        assertThatIllegalArgumentException().isThrownBy(() -> document.table("rates", new Table("x")));
        assertThatIllegalArgumentException().isThrownBy(() -> document.format(OutputFormat.TABLE));
    }
}
