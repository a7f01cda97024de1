package dev.retier.iwarp.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.net.Tap;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapTapsTest {
    private static final int LEAST = PcapFile.LEAST_BYTES;

    @TempDir
    Path directory;

    private static InetSocketAddress socket(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> found = Files.list(directory)) {
            return found.sorted().toList();
        }
    }

    private static Tap open(PcapTaps taps) {
        return Objects.requireNonNull(taps.open(socket(1), socket(2), true));
    }

    /** Whole records only: every packet's length leads to the next one, and the last to the end of the file. */
    private static int packets(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).position(24);
        int count = 0;
        while (bytes.hasRemaining()) {
            int length = bytes.getInt(bytes.position() + 8);
            bytes.position(bytes.position() + 16 + length);
            count++;
        }
        return count;
    }

    @Test
    void shouldBeReadableWhileItGrows_whenConnectionIsOpen() throws IOException {
        Tap tap = open(new PcapTaps(directory, PcapLimits.defaults()));
        tap.sent(ByteBuffer.allocate(100));
        tap.received(ByteBuffer.allocate(200));
        assertThat(packets(files().getFirst()))
                .as("the handshake and two packets")
                .isEqualTo(5);
        tap.closed();
        assertThat(packets(files().getFirst())).as("and both ends").isEqualTo(7);
    }

    @Test
    void shouldStopAtAWholePacket_whenConnectionHasItsBytes() throws IOException {
        Tap tap = open(new PcapTaps(directory, new PcapLimits(LEAST, 10 * LEAST)));
        for (int i = 0; i < 100; i++) {
            tap.sent(ByteBuffer.allocate(1000));
        }
        tap.closed();
        assertThat(Files.size(files().getFirst())).isBetween(LEAST - 1100L, (long) LEAST);
        assertThat(packets(files().getFirst())).isEqualTo(3 + 3);
    }

    @Test
    void shouldRecordNoMoreConnections_whenAllBytesAreTaken() throws IOException {
        PcapTaps taps = new PcapTaps(directory, new PcapLimits(LEAST, LEAST + LEAST / 2));
        Tap first = open(taps);
        first.sent(ByteBuffer.allocate(LEAST / 2 + 100));
        assertThat(taps.open(socket(3), socket(4), true)).isNull();
        first.sent(ByteBuffer.allocate(1000));
        long total = 0;
        for (Path file : files()) {
            total += Files.size(file);
        }
        assertThat(total).isLessThanOrEqualTo(LEAST + LEAST / 2);
        first.closed();
    }

    /** A trace that cannot be written is no reason to lose the connection. */
    @Test
    void shouldTapNothing_whenDirectoryHasGone() throws IOException {
        PcapTaps taps = new PcapTaps(directory.resolve("traces"), PcapLimits.defaults());
        Files.delete(directory.resolve("traces"));
        assertThat(taps.open(socket(1), socket(2), true)).isNull();
    }

    @Test
    void shouldRefuse_whenLimitsLeaveNoRoom() {
        assertThatThrownBy(() -> new PcapLimits(10, 100)).hasMessageContaining("at least 4096 per connection");
        assertThatThrownBy(() -> new PcapLimits(LEAST, LEAST - 1)).hasMessageContaining("no less in all");
    }
}
