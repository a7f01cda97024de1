package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.status.ServerPage;
import dev.retier.agent.status.ServerStatus;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrainTest {
    private static final long MILLI = 1_000_000;

    private final Drain drain = new Drain(Duration.ofMillis(40), Set.of());

    /** Of an app whose requests nobody counts, at that time. */
    private boolean isQuiet(int connections, long millis) {
        ServerStatus status = new ServerStatus(
                "app", "shop", 19, null, 1_000, 0, connections, 0, null, ServerPage.UNCOUNTED, 0, 0, null);
        return drain.isQuiet(order(APP, PROXY), status, millis * MILLI, millis * MILLI);
    }

    /** Of an app whose last request came long ago. */
    private boolean isQuiet(Role to, int inFlight, long millis) {
        ServerStatus status = new ServerStatus("app", "shop", 19, null, 1_000, 0, inFlight, 0, null, 7, 0, 0, null);
        return drain.isQuiet(order(APP, to), status, millis * MILLI, millis * MILLI);
    }

    @Test
    void shouldWaitForTheLastAnswer_whenTheNodeIsToBeDrained() {
        assertThat(isQuiet(Role.DRAINED, 1, 0)).isFalse();
        assertThat(isQuiet(Role.DRAINED, 1, 9_000))
                .as("whoever drains it may stop it")
                .isFalse();
        assertThat(isQuiet(Role.SPARE, 1, 9_000)).as("it answers as a spare").isTrue();
        assertThat(isQuiet(Role.DRAINED, 0, 9_001)).isTrue();
    }

    @Test
    void shouldBeQuiet_whenNobodyHasBeenConnectedForTheQuietTime() {
        assertThat(isQuiet(0, 0)).as("one look says nothing of the time before").isFalse();
        assertThat(isQuiet(2, 1_000)).isFalse();
        assertThat(isQuiet(2, 2_000)).as("a connection may have a request").isFalse();
        assertThat(isQuiet(0, 2_039)).isFalse();
        assertThat(isQuiet(0, 2_040)).isTrue();
    }

    private static RoleWord order(Role from, Role to) {
        return RoleWord.active(6, 3, from).ordered(10, 4, to);
    }

    @Test
    void shouldBeNeedless_whenTheTierThatIsLeftAnswersWhatComesLate() {
        Drain ofTomcat = new Drain(Duration.ofMillis(40), Set.of(Tier.APP));
        assertThat(ofTomcat.isNeedless(order(APP, PROXY))).isTrue();
        assertThat(ofTomcat.isNeedless(order(PROXY, APP))).isFalse();
        assertThat(ofTomcat.isNeedless(order(APP, Role.DRAINED))).isFalse();
        assertThat(ofTomcat.isNeedless(order(APP, Role.serving(new SiteId(2), Tier.APP))))
                .isFalse();
        assertThat(ofTomcat.isNeedless(order(Role.SPARE, APP))).isTrue();
    }
}
