package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketFileTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void shouldReplaceOnlyASocketOnWhichNobodyListens() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "somebody's");
        assertThatThrownBy(() -> NbdGateway.listen(file, Map.of())).hasMessageContaining("is no socket");
        assertThat(file).hasContent("somebody's");
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
        assertThatThrownBy(() -> NbdGateway.listen(link, Map.of())).hasMessageContaining("is no socket");

        Path socket = folder.resolve("s");
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket));
            assertThatThrownBy(() -> NbdGateway.listen(socket, Map.of())).hasMessageContaining("a program that runs");
        }
        assertThat(socket).as("left behind").exists();
        try (NbdGateway _ = NbdGateway.listen(socket, Map.of())) {
            assertThatThrownBy(() -> NbdGateway.listen(socket, Map.of())).hasMessageContaining("a program that runs");
        }
        assertThat(socket).doesNotExist();
    }
}
