package dev.retier.load.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GuaranteeTest {
    /** 100 requests/s in intervals of 100 ms, the first with one request less; one failure and one drop in it. */
    private static final LoadResult RUN = Results.of("shop", 200, 0);

    @Test
    void shouldCountTheWholeIntervals_whenARunIsJudged() {
        Guarantee.Kept kept = new Guarantee("shop", 1, 100).judge(RUN);

        assertThat(kept.intervals()).isEqualTo(20);
        assertThat(kept.kept()).isEqualTo(19);
        assertThat(kept.share()).isEqualTo(0.95);
        assertThat(new Guarantee("shop", 1, 90).judge(RUN).share()).isEqualTo(1);
        assertThat(new Guarantee("shop", 1, 101).judge(RUN).share()).isZero();
    }

    @Test
    void shouldExcuseLittleDemand_whenTheLoopIsOpen() {
        LoadResult open = Results.withLateness(RUN);

        assertThat(new Guarantee("shop", 1, 500).judge(RUN).share()).isZero();
        assertThat(new Guarantee("shop", 1, 500).judge(open).share()).isEqualTo(0.95);
    }

    @Test
    void shouldRefuse_whenAPromiseMakesNoSense() {
        assertThatThrownBy(() -> new Guarantee("shop", 0, 1)).hasMessageContaining("priority 0");
        assertThatThrownBy(() -> new Guarantee("shop", 1, 0)).hasMessageContaining("rate 0.0/s");
    }
}
