package dev.retier.bench.strangers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.mpa.MpaFrame;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StrangersTest {
    @Test
    void shouldKeepThePace_whenTimeHasPassed() {
        long second = TimeUnit.SECONDS.toNanos(1);

        assertThat(Strangers.due(2_000, second, 1_990)).isEqualTo(10);
        assertThat(Strangers.due(2_000, second, 2_000)).isZero();
        assertThat(Strangers.due(2_000, 10 * second, 0)).isEqualTo(100);
        assertThat(Strangers.due(0, second, 1_000_000)).isPositive();
    }

    @Test
    void shouldComeFromAddressesOfNoMember_whenThereAreMany() throws UnknownHostException {
        List<InetAddress> addresses = Strangers.addresses(50);

        assertThat(new HashSet<>(addresses)).hasSize(50).doesNotContain(InetAddress.getLoopbackAddress());
        assertThat(addresses).allMatch(InetAddress::isLoopbackAddress);
    }

    @ParameterizedTest
    @EnumSource(names = {"GARBAGE", "WRONG_SECRET", "FORMER"})
    void shouldSayAnMpaRequest_whenItIsNotSilent(Opening opening) {
        ByteBuffer said = ByteBuffer.wrap(opening.bytes(3, 1, new Random(7)));

        assertThat(MpaFrame.problem(said)).isNull();
        assertThat(MpaFrame.parse(said).privateData()).isNotEmpty();
    }

    @Test
    void shouldReadAMetric_whenOthersHaveNamesLikeIt() {
        String scrape = "# HELP a_total x\na_total_more 5.0\na_total 3.0\n";

        assertThat(Cell.metric(scrape, "a_total")).isEqualTo(3);
        assertThat(Cell.metric(scrape, "b_total")).isZero();
    }

    @Test
    void shouldTellWhatHasGrown_whenMoreObjectsOfOursLive() {
        String before = """
                4711:
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:         12345        6789000  [B (java.base@25.0.3)
                   2:             5            100  dev.retier.link.IncomingLink
                   3:             9            100  dev.retier.link.LinkHost
                """;
        String after = before.replace("    5  ", "  105  ").replace("12345", "99999");

        Map<String, Long> counted = EndedLinks.histogram(before);

        assertThat(counted).containsEntry("dev.retier.link.IncomingLink", 5L).hasSize(3);
        assertThat(EndedLinks.grown(counted, EndedLinks.histogram(after)))
                .containsExactly("dev.retier.link.IncomingLink +100");
    }
}
