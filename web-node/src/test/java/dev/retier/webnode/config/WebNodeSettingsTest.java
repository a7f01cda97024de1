package dev.retier.webnode.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.config.HostPort;
import dev.retier.config.Parsed;
import dev.retier.undertow.role.Role;
import dev.retier.undertow.role.RoleFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WebNodeSettingsTest {
    private static final Path FILE = Path.of("/etc/retier/web-node.json");
    private static final String LEAST = """
            {"node": "node-1", "listen": "127.0.0.1:18001", "admin": "127.0.0.1:19001",
             "role-file": "generated/node-1.json", "capacity-units-per-second": 1000}""";
    private static final String EVERY_KEY = """
            {"node": "node-1", "listen": "127.0.0.1:0", "admin": "[::1]:0", "role-file": "/run/r.json",
             "capacity-units-per-second": 0.5,
             "costs": {"static-hit": 1, "static-origin": 2, "forward": 3, "dynamic": 4.5, "dynamic-max": 5},
             "content": {"default-bytes": 10, "max-bytes": 20, "max-age-seconds": 30},
             "cache-bytes": 40,
             "limits": {"max-in-flight": 1, "max-connections": 2, "upstream-tries": 3, "upstream-timeout-ms": 4,
                        "bench-ms": 5, "idle-connections-per-app": 6, "close-deadline-ms": 7},
             "io-threads": 8}""";

    @Test
    void shouldFillInEveryDefault_whenOnlyTheNecessaryIsGiven() {
        assertThat(parse(LEAST).orThrow())
                .isEqualTo(new WebNodeSettings(
                        "node-1",
                        new HostPort("127.0.0.1", 18_001),
                        new HostPort("127.0.0.1", 19_001),
                        Path.of("/etc/retier/generated/node-1.json"),
                        1_000,
                        new Costs(3, 6, 1, 10, 1_000),
                        new ContentSettings(4_096, 1_048_576, 3_600),
                        67_108_864,
                        new Limits(1_000, 4_096, 3, 30_000, 1_000, 64, 5_000),
                        1));
    }

    @Test
    void shouldReadEveryKey() {
        assertThat(parse(EVERY_KEY).orThrow())
                .isEqualTo(new WebNodeSettings(
                        "node-1",
                        new HostPort("127.0.0.1", 0),
                        new HostPort("::1", 0),
                        Path.of("/run/r.json"),
                        0.5,
                        new Costs(1, 2, 3, 4.5, 5),
                        new ContentSettings(10, 20, 30),
                        40,
                        new Limits(1, 2, 3, 4, 5, 6, 7),
                        8));
    }

    @Test
    void shouldReportEveryProblemAtOnce() {
        assertThatThrownBy(() -> parse("""
                        {"node": "", "listen": "18001", "role-file": "", "capacity-units-per-second": 0,
                         "costs": {"static-hit": -1, "static_hit": 3}, "content": 7,
                         "limits": {"max-in-flight": 0}, "io-threads": 1000, "cache-bytes": "64M"}""").orThrow())
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        refusal -> assertThat(refusal.problems())
                                .extracting(ConfigProblem::key)
                                .containsExactly(
                                        "node",
                                        "listen",
                                        "admin",
                                        "role-file",
                                        "capacity-units-per-second",
                                        "costs.static-hit",
                                        "costs.static_hit",
                                        "content",
                                        "cache-bytes",
                                        "limits.max-in-flight",
                                        "io-threads"))
                .hasMessageContaining("/etc/retier/web-node.json:2: costs.static_hit: unknown key; remove it or use");
    }

    @Test
    void shouldRefuse_whenBothListenersShareAPort() {
        assertThatThrownBy(() -> parse(LEAST.replace("19001", "18001")).orThrow())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("give each its own port");
    }

    @Test
    void shouldNameLineAndColumn_whenTheJsonIsBroken() {
        assertThatThrownBy(() -> parse(LEAST.replace("\"admin\":", "\"admin\"")).orThrow())
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("/etc/retier/web-node.json:1: not valid JSON, at column");
    }

    @Test
    void shouldAcceptTheExamples() throws IOException {
        Path folder = Path.of("..", "conf", "web-node");
        Path settings = folder.resolve("node-1.json");
        WebNodeSettings example =
                WebNodeSettings.parse(Files.readAllBytes(settings), settings).orThrow();
        RoleFile role = RoleFile.parse(Files.readAllBytes(example.roleFile()), "example")
                .orThrow();
        assertThat(role.role()).isEqualTo(Role.PROXY);
    }

    private static Parsed<WebNodeSettings> parse(String json) {
        return WebNodeSettings.parse(json.getBytes(StandardCharsets.UTF_8), FILE);
    }
}
