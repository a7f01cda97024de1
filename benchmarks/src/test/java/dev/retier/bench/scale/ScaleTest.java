package dev.retier.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.bench.scale.Settling.Settled;
import dev.retier.bench.scale.Settling.Shape;
import dev.retier.sim.cluster.Looks;
import java.util.List;
import org.junit.jupiter.api.Test;

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

    @Test
    void shouldMeetAChangedLoad_inASmallCell() {
        Settled settled = Settling.run(Shape.busy(10, 1, Looks.ALL, Integer.MAX_VALUE));

        assertThat(settled.isSettled()).isTrue();
        assertThat(settled.moves()).isBetween(2, 4);
        assertThat(settled.undone()).isZero();
        assertThat(settled.shareOfBest()).isGreaterThan(0.9);
    }

    @Test
    void shouldTakeTimeForADecision_inAnyCell() {
        assertThat(CoreCost.micros(10, 0.01)).isPositive();
    }
}
