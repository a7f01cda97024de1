package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskSharesTest {
    @Test
    void shouldServeTheExpectedFirst_howeverManyStrangersWait() {
        TaskShares<String> shares = TaskShares.begin(0);
        shares.add("stranger", false);
        shares.add("another", false);
        shares.add("peer", true);

        assertThat(shares.next(0)).isEqualTo("peer");
        assertThat(shares.next(0)).isEqualTo("stranger");
    }

    @Test
    void shouldGiveStrangersAQuarterOfTheTime() {
        TaskShares<Integer> shares = TaskShares.begin(0);
        for (int i = 0; i < 1000; i++) {
            shares.add(i, false);
        }
        long nowNanos = 0;
        long workedNanos = 0;
        while (nowNanos < 100_000) {
            assertThat(shares.waitNanos(nowNanos)).isNotNegative();
            nowNanos += shares.waitNanos(nowNanos);
            assertThat(shares.next(nowNanos)).isNotNull();
            shares.ended(nowNanos, nowNanos + 100);
            nowNanos += 100;
            workedNanos += 100;
        }

        assertThat((double) workedNanos / nowNanos).isBetween(0.24, 0.26);
    }

    @Test
    void shouldNotLetAPeerWait_whileStrangersRest() {
        TaskShares<String> shares = TaskShares.begin(0);
        shares.add("stranger", false);
        shares.add("another", false);
        assertThat(shares.next(0)).isEqualTo("stranger");
        shares.ended(0, 100);

        assertThat(shares.next(399)).isNull();
        assertThat(shares.waitNanos(150)).isEqualTo(250);
        shares.add("peer", true);
        assertThat(shares.waitNanos(150)).isZero();
        assertThat(shares.next(150)).isEqualTo("peer");
        shares.ended(150, 350);
        assertThat(shares.next(400)).isEqualTo("another");
        assertThat(shares.waitNanos(400)).isNegative();
    }
}
