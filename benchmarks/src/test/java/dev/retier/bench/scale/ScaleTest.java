package dev.retier.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ServerKind;
import dev.retier.bench.scale.Settling.Settled;
import dev.retier.bench.scale.Settling.Shape;
import dev.retier.sim.cluster.Looks;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleTest {
    @Test
    void shouldCountASlotAsItGoesOverTheWire() {
        assertThat(Wire.SLOT_READ).isEqualTo(52 + 660 + 3 * 66);
        assertThat(Wire.WORD_OPERATION).isEqualTo(76 + 36 + 3 * 66);
    }

    @Test
    void shouldDivideIntoAsFewAndAsEqualCellsAsMayBe() {
        assertThat(Cells.cells(10_000, 256))
                .hasSize(40)
                .containsOnly(250)
                .satisfies(cells -> assertThat(
                                cells.stream().mapToInt(Integer::intValue).sum())
                        .isEqualTo(10_000));
        assertThat(Cells.cells(10, 4)).containsExactly(4, 3, 3);
    }

    @Test
    void shouldLoseLessTheLargerTheCells() {
        List<List<String>> rows = Cells.best(1000, List.of(10, 100)).cells();

        double small = Double.parseDouble(rows.get(1).get(3));
        double large = Double.parseDouble(rows.get(2).get(3));
        assertThat(small).isBetween(80.0, 99.0);
        assertThat(large).isBetween(small, 100.0);
    }

    /** 64 nodes stand for 256, which take a minute; each look then takes as long as with 256. */
    @ParameterizedTest
    @CsvSource({"WEB_NODE, 2", "HTTPD, 4"})
    void shouldMeetAChangedLoad_andSendPerMoveWhatGrowsWithTheNodes(ServerKind kind, double mostSeconds) {
        Settled settled = Settling.run(Shape.busy(kind, 64, 1, new Looks(0, 36_000)));

        assertThat(settled.isSettled()).isTrue();
        assertThat(settled.moves()).isBetween(13, 18);
        assertThat(settled.undone()).isZero();
        assertThat(settled.seconds()).isLessThan(mostSeconds);
        assertThat(settled.shareOfBest()).isGreaterThan(0.9);
        double restBytes = 5.0 * 63 * Wire.SLOT_READ;
        assertThat(settled.restBitsPerSecondAndNode()).isBetween(0.9 * 16 * restBytes, 1.1 * 16 * restBytes);
        assertThat(settled.bytesPerMove()).isLessThan(8.0 * 64 * (Wire.SLOT_READ + Wire.ANNOUNCEMENT));
    }

    @Test
    void shouldTakeTimeForADecision_inAnyCell() {
        assertThat(CoreCost.micros(10, 1, false, 0.01)).isPositive();
        assertThat(CoreCost.micros(10, 2, true, 0.01)).isPositive();
    }
}
