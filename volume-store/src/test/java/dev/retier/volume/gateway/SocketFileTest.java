package dev.retier.volume.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
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

    @Test
    void shouldSayThatNoClientCanOpenIt_whenItsPathIsTooLong() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        String name = "s".repeat(107 - folder.toString().length());
        Path socket = here.relativize(folder.resolve(name));
        assertThatThrownBy(() -> NbdGateway.listen(socket, Map.of()))
                .hasMessageContaining(
                        "has " + socket.toAbsolutePath().toString().length() + " bytes")
                .hasMessageContaining("107 at most: name a shorter one");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    /** A mount's socket is in a folder that has the volume's name, of up to 63 characters. */
    @Test
    void shouldBeMade_whereverItsPathFits() throws IOException {
        Path deep = Files.createDirectory(
                folder.resolve("d".repeat(107 - folder.toString().length() - 10)));
        Path socket = deep.resolve("nbd.sock");
        assertThat(socket.toString()).hasSize(107);
        try (NbdGateway _ = NbdGateway.listen(socket, Map.of())) {
            assertThat(socket).exists();
        }
        try (Stream<Path> left = Files.list(deep)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldBeOfWhomItIsFor_andOfNobodyElse() throws IOException {
        Path socket = folder.resolve("s");
        try (NbdGateway _ = NbdGateway.listen(socket, Map.of())) {
            assertThat(rights(socket)).isEqualTo("rw-------");
        }
        PosixFileAttributes own = Files.readAttributes(folder, PosixFileAttributes.class);
        SocketOwner ours = SocketOwner.parse(own.owner() + ":" + own.group());
        try (NbdGateway _ = NbdGateway.listen(socket, ours, Map.of())) {
            assertThat(rights(socket)).isEqualTo("rw-rw----");
        }
        SocketOwner other = SocketOwner.parse("65534:65534");
        if (own.owner().getName().equals("root")) {
            try (NbdGateway _ = NbdGateway.listen(socket, other, Map.of())) {
                assertThat(rights(socket)).isEqualTo("rw-rw----");
                assertThat(Files.getAttribute(socket, "unix:uid")).isEqualTo(65534);
                assertThat(Files.getAttribute(socket, "unix:gid")).isEqualTo(65534);
            }
            try (NbdGateway _ = NbdGateway.listen(socket, SocketOwner.parse("65534"), Map.of())) {
                assertThat(rights(socket)).isEqualTo("rw-------");
                assertThat(Files.getAttribute(socket, "unix:uid")).isEqualTo(65534);
            }
        } else {
            assertThatThrownBy(() -> NbdGateway.listen(socket, other, Map.of()))
                    .hasMessageContaining("cannot be given to 65534:65534")
                    .hasMessageContaining("run it as root");
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldSayWhatIsNoOwner() {
        assertThatThrownBy(() -> SocketOwner.parse(":kvm")).hasMessageContaining("write USER or USER:GROUP");
        assertThatThrownBy(() -> SocketOwner.parse("root:")).hasMessageContaining("write USER or USER:GROUP");
        assertThatThrownBy(() -> SocketOwner.parse("nobody-here"))
                .hasMessage("there is no user nobody-here on this machine: name one of /etc/passwd");
        assertThatThrownBy(() -> SocketOwner.parse("0:nobody-here"))
                .hasMessage("there is no group nobody-here on this machine: name one of /etc/group");
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }
}
