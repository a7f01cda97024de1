package dev.retier.undertow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.config.ConfigException;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeBuilderTest {
    private static final HttpHandler APP =
            exchange -> exchange.getResponseSender().send("app");

    @TempDir
    private Path folder;

    @Test
    void shouldRefuseWhatIsNoSetting() {
        NodeBuilder builder = UndertowNode.builder("node-1", folder);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UndertowNode.builder("node 1", folder))
                .withMessageContaining("node name \"node 1\"")
                .withMessageContaining("letters, digits");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxInFlight(0))
                .withMessageContaining("at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.closeDeadline(Duration.ofSeconds(-1)))
                .withMessageContaining("negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.classes(List.of(), _ -> "all"))
                .withMessageContaining("no class");
    }

    @Test
    void shouldSayWhatToDo_whenTheRoleFileIsMissingOrWrong() throws IOException {
        Path file = folder.resolve("role.json");
        NodeBuilder builder = UndertowNode.builder("node-1", file);
        assertThatThrownBy(builder::start)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("role.json: cannot be read (no such file or folder)")
                .hasMessageContaining("start the agent that writes it");
        Files.writeString(file, "{\"epoch\": 1, \"role\": \"proxy\", \"site\": \"shop\"}");
        assertThatThrownBy(builder::start)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a proxy without app nodes cannot serve");
    }

    @Test
    void shouldTakeTheNextRequest_whenTheProgramFailsToNameAClass() throws Exception {
        Path file = folder.resolve("role.json");
        Files.writeString(file, "{\"epoch\": 1, \"role\": \"app\", \"site\": \"shop\"}");
        try (UndertowNode node = UndertowNode.builder("node-1", file)
                .maxInFlight(1)
                .classes(List.of("page"), exchange -> exchange.getRequestPath().substring(1))
                .start()) {
            Undertow server = Undertow.builder()
                    .addHttpListener(0, "127.0.0.1")
                    .setHandler(node.wrap(APP))
                    .build();
            server.start();
            try (HttpClient client = HttpClient.newHttpClient()) {
                InetSocketAddress address =
                        (InetSocketAddress) server.getListenerInfo().getFirst().getAddress();
                for (String path : List.of("unheard-of", "unheard-of", "page", "page")) {
                    URI uri = URI.create("http://127.0.0.1:" + address.getPort() + "/" + path);
                    int status = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                            .statusCode();
                    assertThat(status).as(path).isEqualTo(path.equals("page") ? 200 : 500);
                }
            } finally {
                server.stop();
            }
        }
    }

    @Test
    void shouldRefuseToWrap_whenClosed() throws IOException {
        Path file = folder.resolve("role.json");
        Files.writeString(file, "{\"epoch\": 1, \"role\": \"spare\"}");
        UndertowNode node = UndertowNode.builder("node-1", file).start();
        assertThat(node.wrap(APP)).isNotNull();
        assertThat(node.status().role()).isEqualTo("spare");
        node.close();
        node.close();
        assertThat(node.notReadyReason()).contains("closing");
        assertThatThrownBy(() -> node.wrap(APP))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("node-1 is closed; start another node for this handler");
    }
}
