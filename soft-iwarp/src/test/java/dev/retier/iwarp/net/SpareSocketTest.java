package dev.retier.iwarp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpareSocketTest {
    private int descriptors = 2;
    private @Nullable SocketChannel opened;
    private final SpareSocket sockets = new SpareSocket(this::open);

    private SocketChannel open() throws IOException {
        if (descriptors == 0) {
            throw new IOException("Too many open files");
        }
        descriptors--;
        opened = SocketChannel.open();
        return opened;
    }

    @Test
    void shouldGiveTheSpareOne_whenTheSystemHasNone() throws IOException {
        sockets.keepOne();
        sockets.keepOne();
        assertThat(descriptors).as("one is kept").isEqualTo(1);
        try (SocketChannel usual = sockets.open()) {
            assertThat(usual.isOpen()).isTrue();
            assertThat(descriptors).isZero();
            try (SocketChannel spare = sockets.open()) {
                assertThat(spare.isOpen()).isTrue();
            }
            assertThatThrownBy(sockets::open).hasMessage("Too many open files");
        }
        sockets.keepOne();
        descriptors = 1;
        sockets.keepOne();
        assertThat(descriptors).as("kept again as soon as there is one").isZero();
        try (SocketChannel spare = sockets.open()) {
            assertThat(spare.isOpen()).isTrue();
        }
    }

    @Test
    void shouldGiveTheSpareOneBack_whenClosed() {
        sockets.close();
        assertThat(opened).as("none was kept").isNull();
        sockets.keepOne();
        sockets.close();
        assertThat(opened).isNotNull().matches(socket -> !socket.isOpen());
    }
}
