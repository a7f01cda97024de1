package dev.retier.sim.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.retier.sim.model.Split.Stretch;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitTest {
    /** The costs of seven real httpd nodes, in CPU microseconds: 363 static, 97 forward, 1570 dynamic. */
    private static final NodeCosts HTTPD = new NodeCosts(100_000, 363, 363, 97, 1570);

    private static final Stretch STATIC = new Stretch(1000, 0);
    private static final Stretch DYNAMIC = new Stretch(1000, 1);

    @Test
    void shouldFindTheThesisShape_forSevenNodes() {
        assertThat(Split.bestRigid(7, HTTPD, List.of(STATIC))).isEqualTo(new Split(6, 1));
        assertThat(Split.bestRigid(7, HTTPD, List.of(DYNAMIC))).isEqualTo(new Split(1, 6));
        assertThat(Split.bestRigid(7, HTTPD, List.of(new Stretch(1000, 0.5)))).isEqualTo(new Split(2, 5));
    }

    @Test
    void shouldAgreeWithMeasuredThroughputWithinThirteenPercent() {
        assertThat(HTTPD.requestsPerSecond(new Split(6, 1), 0)).isCloseTo(1581, within(0.13 * 1581));
        assertThat(HTTPD.requestsPerSecond(new Split(1, 6), 1)).isCloseTo(372, within(0.13 * 372));
        assertThat(HTTPD.requestsPerSecond(new Split(2, 5), 0.5)).isCloseTo(608, within(0.13 * 608));
    }

    @Test
    void shouldAddUpStretches() {
        List<Stretch> both = List.of(STATIC, DYNAMIC);
        Split split = new Split(2, 5);

        assertThat(split.seconds(HTTPD, both))
                .isCloseTo(1000 / (200_000.0 / 363) + 1000 / (500_000.0 / 1570), within(1e-9));
        assertThat(Split.oracleSeconds(7, HTTPD, both))
                .isLessThan(Split.bestRigid(7, HTTPD, both).seconds(HTTPD, both));
    }

    @Test
    void shouldRefuseOneNode() {
        assertThatThrownBy(() -> Split.bestRigid(1, HTTPD, List.of(STATIC)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
