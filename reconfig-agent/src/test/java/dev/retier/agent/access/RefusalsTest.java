package dev.retier.agent.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");

    private final Refusals refusals = new Refusals(0);

    /** So many bad tokens of a flood are looked at from {@code from} on, a thousand a second. */
    private long lookedAt(InetAddress address, long from, long millis) {
        return LongStream.range(0, millis)
                .map(i -> from + i * SECOND / 1_000)
                .filter(now -> refusals.isHeard(address, now))
                .peek(now -> refusals.badToken(address, now))
                .count();
    }

    @Test
    void shouldLookAtTwentyASecond_whenBadTokensCome() {
        assertThat(lookedAt(ONE, 0, 10)).as("at once").isEqualTo(10);
        assertThat(lookedAt(ONE, SECOND, 1_000))
                .as("of a second, with what was left")
                .isBetween(38L, 40L);
        assertThat(lookedAt(ONE, 2 * SECOND, 10_000)).as("of ten more").isBetween(199L, 201L);
    }

    @Test
    void shouldHearAgain_afterATwentiethOfASecond() {
        lookedAt(ONE, 0, 20);
        assertThat(refusals.isHeard(ONE, 20_000_000)).isFalse();
        assertThat(refusals.isHeard(ONE, 20_000_000 + SECOND / 20)).isTrue();
    }

    @Test
    void shouldHearOthers_whenOneIsThrottled() {
        lookedAt(ONE, 0, 100);
        assertThat(refusals.isHeard(ONE, SECOND / 10)).isFalse();
        assertThat(refusals.isHeard(OTHER, SECOND / 10)).isTrue();
    }

    @Test
    void shouldTakeANetworkOfIpv6ForOne() {
        lookedAt(InetAddress.ofLiteral("2001:db8::1"), 0, 100);
        assertThat(refusals.isHeard(InetAddress.ofLiteral("2001:db8::ffff:2"), SECOND / 10))
                .isFalse();
        assertThat(refusals.isHeard(InetAddress.ofLiteral("2001:db8:0:1::1"), SECOND / 10))
                .isTrue();
    }

    @Test
    void shouldKeepAFewCommandsOfThoseWhoMayNot_howeverManyCome() {
        assertThat(LongStream.range(0, 1_000).filter(_ -> refusals.isKept(0)).count())
                .isEqualTo(20);
        assertThat(LongStream.range(0, 1_000)
                        .filter(i -> refusals.isKept(i * SECOND / 10))
                        .count())
                .isBetween(9L, 10L);
    }

    @Test
    void shouldTellOneInTenSecondsOfAnAddress_withTheNumberOfAll() {
        assertThat(refusals.refused(ONE, 0)).isOne();
        assertThat(refusals.refused(ONE, SECOND)).isZero();
        assertThat(refusals.refused(ONE, 2 * SECOND)).isZero();
        assertThat(refusals.refused(OTHER, 3 * SECOND))
                .as("the two before, and this")
                .isEqualTo(3);
        assertThat(refusals.refused(ONE, 10 * SECOND + 1)).isOne();
    }

    @Test
    void shouldTellTwentyASecond_whenManyAddressesAreRefused() {
        long lines = LongStream.range(0, 10_000)
                .filter(i -> refusals.refused(InetAddress.ofLiteral("10.0." + i / 250 + "." + i % 250), i) > 0)
                .count();
        assertThat(lines).isEqualTo(20);
    }

    /** Whoever goes on is not forgotten for those who come after him. */
    @Test
    void shouldForgetWhoWasQuietLongest_whenThereAreMore() {
        lookedAt(ONE, 0, 20);
        for (int other = 0; other < 2_000; other++) {
            refusals.badToken(InetAddress.ofLiteral("10.0." + other / 250 + "." + other % 250), 20_000_000);
            assertThat(refusals.isHeard(ONE, 20_000_000))
                    .as("after %s others", other)
                    .isFalse();
        }
    }

    @Test
    void shouldRememberSoManyAddressesOnly() {
        LongStream.range(0, 5_000)
                .forEach(i -> refusals.badToken(InetAddress.ofLiteral("10.0." + i / 250 + "." + i % 250), i));
        assertThat(refusals.remembered()).isEqualTo(1_024);
    }
}
