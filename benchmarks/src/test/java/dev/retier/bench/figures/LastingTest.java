package dev.retier.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.sim.run.Allocation;
import dev.retier.sim.run.Outcome;
import dev.retier.sim.run.Setup;
import dev.retier.sim.service.Demand;
import org.junit.jupiter.api.Test;

class LastingTest {
    private static Setup setup(Demand demand) {
        return Lab.setup(Lab.cluster(Allocation.of(2, 5), null, Lab.USUAL), Lab.HTTPD, demand);
    }

    @Test
    void shouldLastTheStatedTime_atTheRateOfTheOracle() {
        Lasting best = Lasting.of(LastingTest::setup);

        Outcome oracle = Lab.oracle(setup(best.bursts(8, Lab.SINGLE)));

        assertThat(best.requests(false, 8))
                .as("static ones are answered faster")
                .isGreaterThan(best.requests(true, 8));
        assertThat(oracle.bursts())
                .hasSize(Lasting.count(8))
                .allSatisfy(burst -> assertThat(burst.seconds()).isCloseTo(8, within(0.4)));
    }

    @Test
    void shouldHaveSomeOfTheLongestAndNotEndlesslyManyOfTheShortest_inPairs() {
        assertThat(Lasting.count(128)).isEqualTo(4);
        assertThat(Lasting.count(8)).isEqualTo(10);
        assertThat(Lasting.count(0.05)).isEqualTo(400);
        assertThat(Lasting.SECONDS).allMatch(seconds -> Lasting.count(seconds) % 2 == 0);
    }
}
