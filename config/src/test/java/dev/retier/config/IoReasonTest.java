package dev.retier.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class IoReasonTest {
    /** The JDK's own message begins with the name of an object. */
    @Test
    void shouldSayThatANameDoesNotResolve_whenItDoesNot() throws IOException {
        try (Socket socket = new Socket()) {
            IOException refused = catchThrowableOfType(
                    IOException.class,
                    () -> socket.connect(InetSocketAddress.createUnresolved("web-1.invalid", 80), 1_000));

            assertThat(IoReason.of(refused)).isEqualTo("its host name does not resolve");
        }
    }
}
