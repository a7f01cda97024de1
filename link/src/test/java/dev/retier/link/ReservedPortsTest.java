package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import org.junit.jupiter.api.Test;

class ReservedPortsTest {
    @Test
    void shouldLetServersListenAgainAndAgain_whileTheyAreReserved() throws IOException {
        try (ReservedPorts ports = new ReservedPorts(2)) {
            assertThat(ports.address(0)).isNotEqualTo(ports.address(1));
            for (int life = 0; life < 3; life++) {
                try (ServerSocketChannel listener = ServerSocketChannel.open().bind(ports.address(0));
                        Socket caller = new Socket(
                                InetAddress.getLoopbackAddress(),
                                ports.address(0).getPort());
                        var _ = listener.accept()) {
                    assertThat(caller.isConnected()).isTrue();
                }
            }
        }
    }
}
