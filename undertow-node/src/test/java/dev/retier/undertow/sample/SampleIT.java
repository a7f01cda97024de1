package dev.retier.undertow.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.testsupport.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's sample is what is compiled here, and runs. */
class SampleIT {
    @TempDir
    private Path folder;

    @Test
    void shouldStandInTheReadme() throws IOException {
        String sample = Files.readString(Path.of("src/test/java/dev/retier/undertow/sample/Shop.java"));
        String shown = sample.substring(sample.indexOf("import ")).strip();
        assertThat(Path.of("README.md")).content().contains("```java\n" + shown + "\n```");
        assertThat(shown.lines().count()).isLessThan(50);
    }

    @Test
    void shouldBeProxyAndApp() throws Exception {
        write("a", "\"epoch\": 1, \"role\": \"app\", \"site\": \"shop\"");
        write("b", "\"epoch\": 1, \"role\": \"app\", \"site\": \"shop\"");
        int a = FreePorts.next();
        int b = FreePorts.next();
        try (HttpClient client = HttpClient.newHttpClient();
                Shop _ = new Shop("a", folder.resolve("a"), a, FreePorts.next());
                Shop _ = new Shop("b", folder.resolve("b"), b, FreePorts.next())) {
            assertThat(get(client, a, "/")).isEqualTo("the shop on a\n");
            write(
                    "a",
                    "\"epoch\": 2, \"role\": \"proxy\", \"site\": \"shop\", \"apps\": [{\"node\": \"b\", \"address\": "
                            + "\"127.0.0.1:" + b + "\"}]");
            await().until(() -> get(client, a, "/").equals("the shop on b\n"));
            HttpRequest order = HttpRequest.newBuilder(uri(a, "/orders"))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[70_000]))
                    .build();
            assertThat(client.send(order, HttpResponse.BodyHandlers.ofString()).body())
                    .isEqualTo("an order of 70000 bytes\n");
            assertThat(get(client, b, "/")).isEqualTo("the shop on b\n");
        }
    }

    private static String get(HttpClient client, int port, String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri(port, path)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static URI uri(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private void write(String name, String content) throws IOException {
        Files.writeString(folder.resolve(name), "{" + content + "}");
    }
}
