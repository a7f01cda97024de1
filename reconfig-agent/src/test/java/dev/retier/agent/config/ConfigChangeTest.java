package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigChangeTest {
    private static String text() throws IOException {
        return Files.readString(Path.of("..", "conf", "cluster.yaml"));
    }

    private static ConfigChange change(String from, String to) throws IOException {
        String text = text();
        assertThat(text).contains(from);
        return ConfigChange.between(
                ClusterConfig.parse(text, "a"),
                ClusterConfig.parse(text.replaceFirst(java.util.regex.Pattern.quote(from), to), "b"));
    }

    @Test
    void shouldFindNothing_whenNothingButRemarksHasChanged() throws IOException {
        ConfigChange change = change("# S\n", "# S, as the thesis calls it\n");
        assertThat(change).isEqualTo(new ConfigChange(List.of(), List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode: act                   | mode: recommend       | mode",
                "sensitivity: 200ms          | sensitivity: 300ms    | timing.sensitivity",
                "# start-grace: 30s          | start-grace: 5s       | timing.start-grace",
                "take-history: 1s            | take-history: 2s      | decision",
                "drain-deadline: 30s         | drain-deadline: 3s    | move",
                "proxy: {min: 1, max: 6}     | proxy: {min: 2, max: 6} | sites.shop.proxy",
                "priority: 1                 | priority: 2           | sites.shop.priority",
                "proxy-hold: 300ms           | proxy-hold: 1s        | sites.shop.proxy-hold",
                "witnesses: | 'edges: [{name: e, site: shop, kind: target-list, file: /e}]\nwitnesses:' | edges"
            })
    void shouldTakeOverWhileRunning(String from, String to, String key) throws IOException {
        assertThat(change(from, to)).isEqualTo(new ConfigChange(List.of(key), List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: example               | name: other           | name",
                "/etc/retier/secret          | /etc/retier/other     | secret-file or secret-env",
                "/var/lib/retier/journal     | /var/lib/retier/other | journal-directory",
                "hosts: [shop.example]       | hosts: [s.example]    | sites.shop.hosts",
                "rdma: 127.0.0.1:19001       | rdma: 127.0.0.1:19901 | nodes.node-1.rdma",
                "agent: 127.0.0.1:18201      | agent: 127.0.0.1:18291 | nodes.node-1.agent",
                "address: 127.0.0.1:18001    | address: 127.0.0.1:18901 | nodes.node-1.server",
                "# lease: 2s                 | lease: 4s             | timing.lease"
            })
    void shouldAskForARestart(String from, String to, String key) throws IOException {
        assertThat(change(from, to).restart()).containsExactly(key);
    }

    /** Listeners and files stay those of the start; what the files say, and who is known by them, need not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "certificate: /c  | certificate: /d      | | admin.tls",
                "tokens-file: /t  | tokens-file: /u      | | admin.tokens-file",
                "viewers: [a]     | viewers: [a, c]      | admin.viewers |",
                "operators: [b]   | operators: [c]       | admin.operators |",
                "viewers: [a]     | 'viewers: [a], open-reads: true' | admin.open-reads |"
            })
    void shouldTakeOverWhoMay(String from, String to, String live, String restart) throws IOException {
        String admin = "admin: {tls: {certificate: /c, key: /k, client-ca: /a}, tokens-file: /t, viewers: [a],"
                + " operators: [b]}\n";
        String text = text();
        assertThat(ConfigChange.between(
                        ClusterConfig.parse(text + admin, "a"),
                        ClusterConfig.parse(text + admin.replace(from, to), "b")))
                .isEqualTo(new ConfigChange(
                        Stream.ofNullable(live).toList(),
                        Stream.ofNullable(restart).toList()));
    }

    @Test
    void shouldAskForARestart_whenANodeHasAnotherName() throws IOException {
        assertThat(change("name: node-7", "name: node-8").restart())
                .containsExactly("nodes.node-7 (removed)", "nodes.node-8 (added)");
    }
}
