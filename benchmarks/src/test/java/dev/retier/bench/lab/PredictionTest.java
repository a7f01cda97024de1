package dev.retier.bench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.sim.model.NodeCosts;
import dev.retier.sim.model.Split;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PredictionTest {
    private static final List<Double> SHARES = List.of(0.0, 0.2, 0.5, 1.0);
    private static final NodeCosts REAL = new NodeCosts(Prediction.CAPACITY, 320, 320, 110, 1800);

    private static Map<Integer, List<Double>> rates(int... proxies) {
        Map<Integer, List<Double>> rates = new LinkedHashMap<>();
        for (int count : proxies) {
            Split split = new Split(count, 7 - count);
            rates.put(
                    count,
                    SHARES.stream()
                            .map(share -> REAL.requestsPerSecond(split, share))
                            .toList());
        }
        return rates;
    }

    @Test
    void shouldFindTheCostsThatMadeTheRates() {
        NodeCosts found = Prediction.costs(7, SHARES, rates(6, 4, 2, 1));

        assertThat(found.staticHit()).isCloseTo(320, within(1e-6));
        assertThat(found.dynamic()).isCloseTo(1800, within(1e-6));
        assertThat(found.forward()).isCloseTo(110, within(1e-6));
    }

    /** With four proxies the apps hold up every mix: nothing is known of forwarding. */
    @Test
    void shouldTakeTheUsualCostOfForwarding_whenNoSplitTellsIt() {
        NodeCosts found = Prediction.costs(7, SHARES, rates(6, 4));

        assertThat(found.forward()).isEqualTo(97);
    }
}
