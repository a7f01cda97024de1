package dev.retier.bench.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MixedCellTest {
    /** Agents before issue 21 wrote the values of labels in capitals. */
    @Test
    void shouldCountMovesThatWereUndone_whateverTheCaseOfTheirLabels() {
        String scrape = """
                # HELP retier_moves_total result="rolled_back" 9
                retier_moves_total{from="shop/app",result="ROLLED_BACK",to="shop/proxy"} 1.0
                retier_moves_total{reason="proof_failed",result="rolled_back"} 2.0
                retier_moves_total{reason="none",result="active"} 4.0
                retier_move_duration_seconds_count{phase="rolled_back"} 8
                """;

        assertThat(MixedCell.sum(scrape, "result=\"rolled_back\"")).isEqualTo(3);
    }
}
