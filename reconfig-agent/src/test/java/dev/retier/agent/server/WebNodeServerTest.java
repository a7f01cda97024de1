package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ServerConfig;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebNodeServerTest {
    private static final HostPort NOBODY = new HostPort("127.0.0.1", 1);

    @TempDir
    private Path folder;

    private long stampBeside(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("role.json"), content);
        try (WebNodeServer server = new WebNodeServer(ServerConfig.webNode(NOBODY, NOBODY, file))) {
            return server.installedStamp();
        }
    }

    /** An agent that is started anew would write an older one before its server has told anything: it is refused. */
    @Test
    void shouldKnowTheStampOfTheFileThatIsThere() throws IOException {
        assertThat(stampBeside("{\n  \"epoch\" : 27,\n  \"role\" : \"app\"\n}\n"))
                .isEqualTo(27);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "27", "{\"role\": \"app\"}", "{\"epoch\": \"x\"}"})
    void shouldTakeWhatIsNoSuchFileForNone(String content) throws IOException {
        assertThat(stampBeside(content)).isZero();
    }

    @Test
    void shouldHaveNone_whenThereIsNoFile() {
        try (WebNodeServer server =
                new WebNodeServer(ServerConfig.webNode(NOBODY, NOBODY, folder.resolve("none.json")))) {
            assertThat(server.installedStamp()).isZero();
        }
    }
}
