package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final List<String> lines = new ArrayList<>();
    private final RefusalLog log = new RefusalLog(lines::add);

    private static InetSocketAddress stranger(int number) throws UnknownHostException {
        byte[] address = {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
        return new InetSocketAddress(InetAddress.getByAddress(address), 1000 + number % 1000);
    }

    @Test
    void shouldTellAddressAndReason_whenSomebodyIsRefused() throws Exception {
        log.refused(stranger(7), "speaks no MPA", -5);
        assertThat(lines).singleElement().asString().startsWith("/10.0.0.7:1007 speaks no MPA");
    }

    @Test
    void shouldTellAnAddressOncePerHour_whenItComesAgainAndAgain() throws Exception {
        for (long now = 0; now < HOUR; now += 30 * SECOND) {
            log.refused(stranger(1), "again", now);
        }
        assertThat(lines)
                .filteredOn(line -> line.contains("nothing more is told"))
                .hasSize(1);
        log.refused(stranger(1), "again", HOUR);
        assertThat(lines)
                .filteredOn(line -> line.contains("nothing more is told"))
                .hasSize(2);
    }

    @Test
    void shouldTellTwentyLinesAMinute_whenThousandsComeFromEverywhere() throws Exception {
        int refusals = 0;
        for (long now = 0; now < 10 * 60 * SECOND; now += SECOND / 100) {
            log.refused(stranger(refusals++), "flood", now);
        }
        log.tick(10 * 60 * SECOND);
        assertThat(lines).hasSize(10 * RefusalLog.LINES_PER_MINUTE);
        long summed = lines.stream()
                .filter(line -> line.contains("more connections were refused"))
                .mapToLong(line -> Long.parseLong(line.split(" ", 2)[0]))
                .sum();
        assertThat(summed + 10 * (RefusalLog.LINES_PER_MINUTE - 1)).isEqualTo(refusals);
    }

    @Test
    void shouldTellTheSumByItself_whenNobodyComesAnyMore() throws Exception {
        log.refused(stranger(1), "once", 0);
        assertThat(log.owesLine()).isFalse();
        log.refused(stranger(1), "twice", SECOND);
        assertThat(log.owesLine()).isTrue();
        log.tick(59 * SECOND);
        assertThat(lines).hasSize(1);
        log.tick(60 * SECOND);
        assertThat(lines).hasSize(2);
        assertThat(lines.getLast())
                .startsWith("1 more connections were refused")
                .contains("/10.0.0.1:1001 twice");
        assertThat(log.owesLine()).isFalse();
    }
}
