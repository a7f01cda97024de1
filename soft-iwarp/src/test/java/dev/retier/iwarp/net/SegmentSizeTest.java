package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With time stamps, as Linux has them; 1448 is what Linux and its siw use on Ethernet. */
class SegmentSizeTest {
    @ParameterizedTest
    @CsvSource({
        "1500, 192.0.2.1, 1448",
        "1500, 2001:db8::1, 1428",
        "9000, 192.0.2.1, 8948",
        "65536, 127.0.0.1, 65483",
        "68, 192.0.2.1, 698"
    })
    void shouldBeWhatTcpPutsIntoAPacket(int mtu, String address, int expected) throws UnknownHostException {
        assertThat(Device.segmentSize(mtu, InetAddress.getByName(address))).isEqualTo(expected);
    }
}
