package dev.retier.agent.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterLinesTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void shouldNameTheLineOfAKey_andOfWhatIsAroundOneThatIsNotThere() throws IOException {
        Path file = folder.resolve("cluster.yaml");
        Files.writeString(file, """
                name: shop
                nodes:
                  - name: web-1
                    server:
                      kind: httpd
                  - name: web-2
                    server:
                      kind: httpd
                      check: [a]
                """);
        ClusterLines lines = ClusterLines.of(file);

        assertThat(lines.at("name")).isEqualTo(file + ":1 name");
        assertThat(lines.at("nodes.web-2.server.check")).isEqualTo(file + ":9 nodes.web-2.server.check");
        assertThat(lines.at("nodes.web-1.server.check")).isEqualTo(file + ":5 nodes.web-1.server.check");
        assertThat(lines.at("nodes.web-9.server.check")).isEqualTo(file + ":3 nodes.web-9.server.check");
    }

    @Test
    void shouldNameTheKeyAlone_whenNobodyHasTheFile() {
        assertThat(ClusterLines.of(folder.resolve("gone")).at("secret-file")).isEqualTo("secret-file");
    }
}
