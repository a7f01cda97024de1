package dev.retier.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GeneratorHealthTest {
    @Test
    void shouldWarn_whenTheGeneratorWasTheLimit() {
        assertThat(GeneratorHealth.judge(0.85, 10, 1000).warnings()).isEmpty();
        assertThat(GeneratorHealth.judge(0.9, 0, 1000).warnings())
                .containsExactly(
                        "the generator was busy: a sending thread used 90 % of a core;" + " give it more event loops");
        assertThat(GeneratorHealth.judge(0, 11, 1000).warnings())
                .singleElement()
                .asString()
                .startsWith("the generator was late: it got to 11 of 1000 requests");
    }

    @Test
    void shouldKeepTheWorst_whenGeneratorsAreMerged() {
        GeneratorHealth both = GeneratorHealth.judge(0.9, 0, 1).plus(GeneratorHealth.judge(0.2, 1, 1));

        assertThat(both.busiestLoopShare()).isEqualTo(0.9);
        assertThat(both.warnings()).hasSize(2);
        assertThat(new GeneratorHealth(0, List.of()).plus(both)).isEqualTo(both);
    }
}
