package dev.retier.fabric.locks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Mode;
import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Standing;
import dev.retier.link.LeaseTimes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A home whose first quiet lease is over at {@link #START}, with room for two who wait. */
class ReadWriteLockHomeTest {
    private static final long LEASE = 300;
    private static final long START = 1000;
    private static final Standing ABSENT = new Standing.Absent();
    private static final Standing FIRST = new Standing.Held(65);
    private static final Standing SECOND = new Standing.Held(66);

    private ReadWriteLockHome<String> home;

    @BeforeEach
    void start() {
        home = new ReadWriteLockHome<>(new LeaseTimes(LEASE), 2, 1, START - LEASE - 1);
    }

    @ParameterizedTest
    @CsvSource({"READ, READ, true", "READ, WRITE, false", "WRITE, READ, false", "WRITE, WRITE, false"})
    void shouldShareAmongReadersOnly_whenItIsHeld(Mode held, Mode asked, boolean isGranted) {
        assertThat(home.ask("holder", held, START)).isEqualTo(FIRST);

        assertThat(home.ask("other", asked, START)).isEqualTo(isGranted ? SECOND : ABSENT);
    }

    @Test
    void shouldKeepWritersOut_whenOneOfTheHoldersIsAWriter() {
        home.ask("reader", Mode.READ, START);
        home.ask("other reader", Mode.READ, START);
        home.ask("writer", Mode.WRITE, START);
        home.leave("reader");
        assertThat(home.settle(START)).isEmpty();

        home.leave("other reader");
        assertThat(home.settle(START)).containsExactly("writer");
    }

    @Test
    void shouldKeepItsToken_whenAHolderAsksAgain() {
        home.ask("reader", Mode.READ, START);

        assertThat(home.ask("reader", Mode.READ, START + 1)).isEqualTo(FIRST);
        assertThat(home.settle(START + 1)).isEmpty();
    }

    @Test
    void shouldWaitOnce_whenOneThatWaitsAsksAgain() {
        home.ask("writer", Mode.WRITE, START);
        home.ask("a", Mode.WRITE, START);
        home.ask("a", Mode.WRITE, START);
        home.ask("b", Mode.WRITE, START);

        home.leave("writer");
        assertThat(home.settle(START)).containsExactly("a");
        home.leave("a");
        assertThat(home.settle(START)).containsExactly("b");
    }

    @Test
    void shouldWaitForAnotherLease_whenItShowsThatItStillWaits() {
        home.ask("writer", Mode.WRITE, START);
        home.ask("a", Mode.WRITE, START);
        home.renew("writer", START + LEASE);
        assertThat(home.ask("a", Mode.WRITE, START + LEASE)).isEqualTo(ABSENT);

        home.leave("writer");
        assertThat(home.settle(START + 2 * LEASE)).containsExactly("a");
    }

    @Test
    void shouldForgetAWait_whenItIsNotHeardOfForMoreThanALease() {
        home.ask("writer", Mode.WRITE, START);
        home.ask("a", Mode.WRITE, START);
        home.ask("b", Mode.WRITE, START + 1);
        home.leave("writer");

        assertThat(home.settle(START + LEASE + 1)).containsExactly("b");
        home.leave("b");
        assertThat(home.settle(START + LEASE + 1)).isEmpty();
    }

    @Test
    void shouldHoldForALeaseExactly_whenItDoesNotRenew() {
        home.ask("writer", Mode.WRITE, START);
        home.ask("next", Mode.WRITE, START + 5);

        assertThat(home.settle(START + LEASE)).isEmpty();
        assertThat(home.settle(START + LEASE + 1)).containsExactly("next");
        assertThat(home.renew("writer", START + LEASE + 1)).isEqualTo(ABSENT);
    }

    @Test
    void shouldHoldForALeaseAfterItsRenewal_whenItRenewsInTheLastMoment() {
        home.ask("writer", Mode.WRITE, START);

        assertThat(home.renew("writer", START + LEASE)).isEqualTo(FIRST);
        assertThat(home.renew("writer", START + 2 * LEASE)).isEqualTo(FIRST);
        assertThat(home.renew("writer", START + 3 * LEASE + 1)).isEqualTo(ABSENT);
    }

    @Test
    void shouldHaveAWholeLease_whenItGetsTheLockAfterAWait() {
        home.ask("writer", Mode.WRITE, START);
        home.ask("next", Mode.WRITE, START);
        home.leave("writer");
        home.settle(START + 100);

        assertThat(home.renew("next", START + 100 + LEASE)).isEqualTo(SECOND);
    }

    @Test
    void shouldHoldNoMoreNorWait_whenItLeaves() {
        home.ask("writer", Mode.WRITE, START);
        home.ask("a", Mode.WRITE, START);
        home.leave("a");
        home.leave("writer");

        assertThat(home.renew("writer", START)).isEqualTo(ABSENT);
        assertThat(home.settle(START)).isEmpty();
    }
}
