package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.retier.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminConfigTest {
    private static final String TLS = "tls: {certificate: /c, key: /k, client-ca: /ca}";

    /** The seven nodes of the example, of which the first agent listens there. */
    private static String text(String host, String admin) throws IOException {
        String text = Files.readString(Path.of("..", "conf", "cluster.yaml"));
        assertThat(text).contains("agent: 127.0.0.1:18201");
        return text.replace("agent: 127.0.0.1:18201", "agent: \"" + host + ":18201\"") + "\n" + admin + "\n";
    }

    private static AdminConfig parse(String host, String admin) throws IOException {
        return ClusterConfig.parse(text(host, admin), "file").admin();
    }

    private static List<String> problems(String host, String admin) throws IOException {
        String text = text(host, admin);
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> ClusterConfig.parse(text, "file"));
        return refused.problems().stream()
                .map(problem -> problem.key() + ": " + problem.message())
                .toList();
    }

    @Test
    void shouldReadAllKeys_whenGiven() throws IOException {
        assertThat(parse(
                        "192.0.2.1",
                        "admin: {" + TLS + ", tokens-file: /t, viewers: [Ops.example, eve], operators: [Jane Doe],"
                                + " open-reads: true}"))
                .isEqualTo(new AdminConfig(
                        new AdminConfig.Tls(Path.of("/c"), Path.of("/k"), Path.of("/ca")),
                        Optional.of(Path.of("/t")),
                        Set.of("ops.example", "eve"),
                        Set.of("jane doe"),
                        true,
                        false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
    void shouldNeedNothing_whenAllAgentsListenOnLoopback(String host) throws IOException {
        assertThat(parse(host.contains("::") ? "[" + host + "]" : host, "")).isEqualTo(AdminConfig.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "0.0.0.0", "[::]", "web-1.example"})
    void shouldRefuseAnAgentThatOthersReach_whenNothingSaysWhoMay(String host) throws IOException {
        assertThat(problems(host, ""))
                .singleElement()
                .asString()
                .startsWith("nodes[0].agent: others reach "
                        + host.replaceAll("[\\[\\]]", "").replace("::", "[::]"))
                .contains("give admin.tls", "127.0.0.1", "admin: {insecure: true}");
        assertThat(parse(host, "admin: {insecure: true}").isInsecureAt(host.replaceAll("[\\[\\]]", "")))
                .isTrue();
        assertThat(parse(host, "admin: {" + TLS + "}").isInsecureAt(host)).isFalse();
    }

    @Test
    void shouldTellOfTheFirstAgentOnly_whenManyAreRefused() throws IOException {
        String all = text("192.0.2.1", "").replace("agent: 127.0.0.1:", "agent: 192.0.2.2:");
        assertThat(catchThrowableOfType(ConfigException.class, () -> ClusterConfig.parse(all, "file"))
                        .problems())
                .hasSize(1);
    }

    @Test
    void shouldNotCallAnAgentInsecure_whenOnlyItsMachineReachesIt() throws IOException {
        AdminConfig admin = parse("192.0.2.1", "admin: {insecure: true}");
        assertThat(admin.isInsecureAt("127.0.0.1")).isFalse();
        assertThat(AdminConfig.NONE.isInsecureAt("192.0.2.1")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "192.0.2.1 | tokens-file: /t | tokens-file: tokens would be sent in clear",
                "192.0.2.1 | tokens-file: /t, insecure: true | tokens-file: tokens would be sent in clear",
                "127.0.0.1 | viewers: [a] | viewers: are names of client certificates",
                "127.0.0.1 | operators: [a] | operators: are names of client certificates",
                "192.0.2.1 | tls: {certificate: /c, key: /k}, tokens-file: /t, viewers: [a] | tls.client-ca: missing",
                "127.0.0.1 | open-reads: true | open-reads: without tls everybody may read",
                "127.0.0.1 | tls: {certificate: /c, key: /k}, tokens-file: /t | tls.client-ca: missing",
                "127.0.0.1 | tls: {certificate: /c, key: /k, client-ca: /a}, insecure: true | insecure: is for agents",
                "127.0.0.1 | tls: {certificate: /c, client-ca: /a} | tls.key: missing",
                "127.0.0.1 | tls: {key: /k, client-ca: /a} | tls.certificate: missing",
                "127.0.0.1 | tls: {certificate: /c, key: /k, ca: /a, client-ca: /a} | tls.ca: unknown key",
                "127.0.0.1 | tls: {certificate: '{node}', key: /k, client-ca: /a} | tls.certificate: \"{node}\" is",
                "127.0.0.1 | roles: [a] | roles: unknown key"
            })
    void shouldRefuseWhatContradictsItself(String host, String admin, String problem) throws IOException {
        assertThat(problems(host, "admin: {" + admin + "}"))
                .singleElement()
                .asString()
                .startsWith("admin." + problem);
    }

    @Test
    void shouldTakeTokensInClear_whenNobodyElseReachesTheAgents() throws IOException {
        assertThat(parse("127.0.0.1", "admin: {tokens-file: /t}").tokensFile()).contains(Path.of("/t"));
    }
}
