package dev.retier.webnode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mark of a proxy counts as one from a node's machine, here 127.0.0.1, alone. */
class ForgedViaIT {
    private static final String NODE = "127.0.0.1";
    private static final String CLIENT = "127.0.0.2";
    private static final String MARK = "1.1 node-9 (retier)";

    @TempDir
    private Path folder;

    private Loopback nodes;
    private WebNode proxy;
    private WebNode app;

    @BeforeEach
    void start() {
        nodes = new Loopback(folder);
        app = nodes.start("app");
        nodes.writeRole("app", "{\"epoch\": 2, \"role\": \"app\", \"site\": \"shop\", \"nodes\": [\"" + NODE + "\"]}");
        proxy = nodes.start("proxy");
        nodes.writeRole(
                "proxy",
                "{\"epoch\": 2, \"role\": \"proxy\", \"site\": \"shop\", \"nodes\": [\"" + NODE
                        + "\", \"no.such.host.invalid\"], \"apps\": [{\"node\": \"app\", \"address\": \"127.0.0.1:"
                        + app.address().getPort() + "\"}]}");
        await().until(() -> app.status().appliedEpoch() == 2 && proxy.status().appliedEpoch() == 2);
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    private static String ask(String from, WebNode node, String via) throws IOException {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), node.address().getPort()));
            socket.setSoTimeout(10_000);
            String head = "GET /dynamic/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nVia: " + via + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void shouldForwardAndCount_whenAClientForgesTheMark() throws IOException {
        for (String via : new String[] {MARK, MARK + ", " + MARK}) {
            assertThat(ask(CLIENT, proxy, via)).startsWith("HTTP/1.1 200").contains("X-Retier-App: app");
        }

        assertThat(proxy.status().lastClientRequestAgeSeconds()).isNotNull();
        assertThat(app.status().lastClientRequestAgeSeconds())
                .as("they came from a node")
                .isNull();
    }

    @Test
    void shouldAnswerItself_whenANodeHasForwarded() throws IOException {
        assertThat(ask(NODE, proxy, MARK)).startsWith("HTTP/1.1 200").doesNotContain("X-Retier-App");

        assertThat(proxy.status().lastClientRequestAgeSeconds()).isNull();
    }

    @Test
    void shouldCountAClient_whenItForgesTheMarkAtAnApp() throws IOException {
        assertThat(ask(CLIENT, app, MARK)).startsWith("HTTP/1.1 200");

        assertThat(app.status().lastClientRequestAgeSeconds()).isNotNull();
    }

    @Test
    void shouldForwardNoFurther_whenAnUnknownSenderHasMarkedItThreeTimes() throws IOException {
        String answer = ask(CLIENT, proxy, String.join(", ", MARK, MARK, MARK));

        assertThat(answer).startsWith("HTTP/1.1 508").contains("forwards no further");
        assertThat(proxy.status().lastClientRequestAgeSeconds()).as("counted").isNotNull();
        assertThat(app.status().lastClientRequestAgeSeconds()).isNull();
    }
}
