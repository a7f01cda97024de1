package dev.retier.agent.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.CommandText;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    @Nullable
    Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private Path path = Path.of("");

    @BeforeEach
    void useFolder() {
        path = Objects.requireNonNull(folder).resolve("node/control.sock");
    }

    private ControlServer start() throws IOException {
        return ControlServer.start("test", path, (command, by) -> {
            asked.add(CommandText.print(command) + " by " + by);
            return Answer.of(Answer.Outcome.CHANGES, "as asked");
        });
    }

    @Test
    void shouldAnswer_andKnowWhoAsked() throws IOException {
        try (ControlServer _ = start()) {
            Answer answer = ControlClient.ask(path, new Command.Pause(true), PATIENCE);
            assertThat(answer.outcome()).isEqualTo(Answer.Outcome.CHANGES);
            assertThat(asked)
                    .containsExactly(
                            CommandText.print(new Command.Pause(true)) + " by " + System.getProperty("user.name"));
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldLetOwnerAndGroupInAlone() throws IOException {
        try (ControlServer _ = start()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-rw----");
        }
    }

    @Test
    void shouldTakeThePlaceOfADeadAgent_andNotOfALivingOne() throws IOException {
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, "left by somebody");
        try (ControlServer _ = start()) {
            assertThatThrownBy(this::start).hasMessageContaining("another agent listens there");
            assertThat(ControlClient.ask(path, new Command.Plan(), PATIENCE).outcome())
                    .isEqualTo(Answer.Outcome.CHANGES);
        }
    }

    @Test
    void shouldRefuseWhatIsNoCommandOrHasNoEnd() throws IOException {
        try (ControlServer _ = start()) {
            assertThat(send("make coffee\n")).contains("bad_request");
            assertThat(send("x".repeat(100_000))).isEmpty();
            assertThat(asked).isEmpty();
        }
    }

    @Test
    void shouldGiveUp_whenThePathIsTooLongForASocket() {
        path = path.resolveSibling("x".repeat(120));
        assertThatThrownBy(this::start).isInstanceOf(IOException.class);
    }

    private String send(String text) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(path));
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                return ControlClient.readLine(channel, 10_000, PATIENCE);
            } catch (IOException e) {
                return "";
            }
        }
    }
}
