package dev.retier.agent.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.status.Finding;
import dev.retier.testsupport.Logged;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckupTest {
    private static final Duration SOON = Duration.ofSeconds(15);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** Of node 1. */
    private static final Duration HOUR = Duration.ofMinutes(61);

    private static final Finding GOOD = Finding.good("status", "read");
    private static final Finding FULL = Finding.bad("disk", "is full", "journal-directory", "free some");
    private static final Finding HIDDEN = Finding.bad("stamp", "cannot be read", "/etc/retier", "let www-data in");

    private List<Finding> found = List.of(GOOD);
    private boolean isServerSeen = true;
    private boolean fails;
    private int looks;
    private long nowNanos;
    private Duration took = Duration.ZERO;
    private ClusterConfig file = Clusters.config(1, 1);
    private List<List<Finding>> before = List.of();

    private final Checkup checkup = checkup(1);

    private Checkup checkup(int node) {
        return new Checkup(
                Clusters.node(node), () -> file, () -> isServerSeen, () -> nowNanos, (cluster, self, known) -> {
                    looks++;
                    before = known;
                    nowNanos += took.toNanos();
                    if (fails) {
                        throw new IllegalStateException("a fault of ours");
                    }
                    assertThat(cluster.node(self).id()).isEqualTo(Clusters.node(node));
                    return List.of(List.copyOf(found));
                });
    }

    /** Checking a server's configuration takes a processor that heartbeats may want. */
    @Test
    void shouldHandOnWhatItKnows_onlyWhileSomethingIsBadInTheSameFile() throws Exception {
        found = List.of(FULL);
        Duration _ = checkup.next();
        assertThat(before).as("at first").isEmpty();

        found = List.of(GOOD);
        Duration _ = checkup.next();
        assertThat(before).as("a minute later").containsExactly(List.of(FULL));

        found = List.of(FULL);
        Duration _ = checkup.next();
        assertThat(before).as("an hour later").isEmpty();

        file = Clusters.config(1, 2);
        Duration _ = checkup.next();
        assertThat(before).as("of another file").isEmpty();

        nowNanos += Duration.ofMinutes(59).toNanos();
        Duration _ = checkup.next();
        assertThat(before).as("what stays bad").containsExactly(List.of(FULL));
        nowNanos += Duration.ofMinutes(1).toNanos();
        Duration _ = checkup.next();
        assertThat(before).as("hides nothing else for longer than an hour").isEmpty();
    }

    @Test
    void shouldLookLessOften_whenALookTakesLong() throws Exception {
        found = List.of(FULL);
        took = Duration.ofSeconds(7);

        assertThat(checkup.next()).isEqualTo(Duration.ofSeconds(350));
    }

    @Test
    void shouldLookAtAnotherTimeThanOthers_whenAllIsGood() throws Exception {
        assertThat(checkup(2).next()).isNotEqualTo(checkup.next());
    }

    @Test
    void shouldLookOncePerMinute_whileSomethingIsBad() throws Exception {
        found = List.of(GOOD, FULL);

        assertThat(checkup.next()).isEqualTo(MINUTE);
        assertThat(checkup.newest()).containsExactly(GOOD, FULL);

        found = List.of(GOOD);
        assertThat(checkup.next()).isEqualTo(HOUR);
        assertThat(checkup.newest()).containsExactly(GOOD);
    }

    @Test
    void shouldNotLook_whenTheServerHasNotAnsweredYet() throws Exception {
        isServerSeen = false;

        assertThat(checkup.next()).isEqualTo(SOON);

        assertThat(looks).isZero();
        assertThat(checkup.newest()).isEmpty();
    }

    @Test
    void shouldLookSooner_whenItsServerWasReloaded() {
        checkup.start();
        checkup.lookSoon();

        await().atMost(Duration.ofSeconds(10)).until(() -> !checkup.newest().isEmpty());

        checkup.close();
    }

    @Test
    void shouldTellEachFaultOnce_withItsPlaceAndRemedy() throws Exception {
        try (Logged log = new Logged()) {
            found = List.of(FULL);
            Duration _ = checkup.next();
            Duration _ = checkup.next();
            found = List.of(FULL, HIDDEN);
            Duration _ = checkup.next();

            assertThat(log.warnings("not fit for moves"))
                    .satisfiesExactly(
                            first -> assertThat(first).endsWith("disk: is full; journal-directory: free some"),
                            second ->
                                    assertThat(second).endsWith("stamp: cannot be read; /etc/retier: let www-data in"));
        }
    }

    @Test
    void shouldKeepWhatItKnows_whenALookFails() throws Exception {
        found = List.of(FULL);
        Duration _ = checkup.next();
        fails = true;

        try (Logged log = new Logged()) {
            assertThat(checkup.next()).isEqualTo(Duration.ofHours(1));
            assertThat(checkup.newest()).containsExactly(FULL);
            assertThat(log.warnings("please report this")).hasSize(1);
        }
    }
}
