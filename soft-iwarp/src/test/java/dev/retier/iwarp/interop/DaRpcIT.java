package dev.retier.iwarp.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DaRPC 1.9, unmodified: its example server in one JVM, its example client in another, every mode of the client. */
class DaRpcIT {
    private static final String ADDRESS = "127.0.0.1";
    private static final int LOOPS = 500;

    @TempDir
    static Path directory;

    private static JavaProcess server;

    @BeforeAll
    static void startServer() throws IOException {
        server = JavaProcess.start(directory, "com.ibm.darpc.examples.server.DaRPCServer", "-a", ADDRESS);
        await().atMost(Duration.ofSeconds(30)).until(() -> server.output().contains("running"));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        "future-poll,1",
        "future-take,1",
        "stream-poll,1",
        "stream-take,1",
        "batch-stream-poll,1",
        "batch-stream-take,1",
        "future-take,2",
        "batch-stream-take,2"
    })
    void shouldFinishEveryCall_whenModeIs(String mode, int connections) throws Exception {
        String[] arguments = {
            "-a",
            ADDRESS,
            "-m",
            mode,
            "-k",
            String.valueOf(LOOPS),
            "-n",
            String.valueOf(connections),
            "-c",
            String.valueOf(connections)
        };
        try (JavaProcess client =
                JavaProcess.start(directory, "com.ibm.darpc.examples.client.DaRPCClient", arguments)) {
            assertThat(client.await(60)).as(client.output()).isZero();
            assertThat(client.output()).contains("ops " + (double) LOOPS * connections);
        }
    }
}
