package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterConfigTest {
    private static final String SMALLEST = """
            name: small
            secret-env: RETIER_SECRET
            journal-directory: /var/lib/retier/journal
            sites:
              - {id: 1, name: shop}
            nodes:
              - id: 1
                name: one
                rdma: 10.0.0.1:9000
                server: {address: "10.0.0.1:80", admin: "127.0.0.1:81", role-file: /run/one.json}
                agent: 127.0.0.1:9001
                role: shop/proxy
            witnesses: [one]
            """;

    private static String replaced(String old, String replacement) {
        assertThat(SMALLEST).contains(old);
        return SMALLEST.replace(old, replacement);
    }

    private static ConfigException refused(String text) {
        return catchThrowableOfType(ConfigException.class, () -> ClusterConfig.parse(text, "c.yaml"));
    }

    @Test
    void shouldUseEveryDefault_whenNothingElseIsSaid() {
        ClusterConfig config = ClusterConfig.parse(SMALLEST, "c.yaml");
        assertThat(config.mode()).isEqualTo(Mode.ACT);
        assertThat(config.timing()).isEqualTo(Timing.DEFAULTS);
        assertThat(config.decision()).isEqualTo(DecisionRules.DEFAULTS);
        assertThat(config.move()).isEqualTo(MoveRules.DEFAULTS);
        assertThat(config.secret()).isEqualTo(new SecretSource.InEnvironment("RETIER_SECRET"));
        assertThat(config.journalDirectory()).isEqualTo(Path.of("/var/lib/retier/journal"));
        assertThat(config.sites().getFirst().proxy()).isEqualTo(TierBounds.DEFAULTS);
        assertThat(config.sites().getFirst().guaranteeRequestsPerSecond()).isNull();
        assertThat(config.nodes().getFirst().initialRole()).isEqualTo(Role.serving(new SiteId(1), Tier.PROXY));
        assertThat(config.nodes().getFirst().server().kind()).isEqualTo(ServerKind.WEB_NODE);
        assertThat(config.witnesses()).containsExactly(new NodeId(1));
    }

    @Test
    void shouldKeepTheDocumentedDefaults_whenSomebodyEditsThem() {
        assertThat(Timing.DEFAULTS)
                .isEqualTo(new Timing(
                        Duration.ofMillis(200),
                        Duration.ofMillis(100),
                        Duration.ofMillis(200),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(2)));
        assertThat(DecisionRules.DEFAULTS)
                .isEqualTo(new DecisionRules(Duration.ofSeconds(1), 0.8, 0.1, 600, 1.0 / 3, 1.0, List.of()));
        assertThat(MoveRules.DEFAULTS)
                .isEqualTo(new MoveRules(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(30),
                        Duration.ofMillis(40),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(2),
                        Duration.ZERO));
    }

    @Test
    void shouldReadEveryKey_whenAllAreGiven() {
        ClusterConfig config = ClusterConfig.parse(SMALLEST.replace("sites:", """
                        mode: recommend
                        timing: {sensitivity: 1s, publish-interval: 50ms, utilisation-window: 300ms,
                                 read-deadline: 1500us, staleness: 2s, dead-after: 3s, lease: 4s}
                        decision: {take-history: 5s, take-threshold: 0.7, tolerance: 0.2,
                                   moves-per-hour: 7, max-unknown-share: 0.5,
                                   max-in-transit-share: 0.25}
                        move: {upstream-deadline: 1s, drain-deadline: 20s, quiet-time: 10ms, switch-deadline: 3s,
                               prove-deadline: 4s}
                        sites:"""), "c.yaml");
        assertThat(config.mode()).isEqualTo(Mode.RECOMMEND);
        assertThat(config.timing().readDeadline()).isEqualTo(Duration.ofNanos(1_500_000));
        assertThat(config.timing().lease()).isEqualTo(Duration.ofSeconds(4));
        assertThat(config.decision())
                .isEqualTo(new DecisionRules(Duration.ofSeconds(5), 0.7, 0.2, 7, 0.5, 0.25, List.of()));
        assertThat(config.move().proveDeadline()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void shouldWarn_whenNobodyIsSaidToSendToTheProxiesOfASite() {
        assertThat(ClusterConfig.parse(SMALLEST, "c.yaml").warnings())
                .extracting(ConfigWarning::text)
                .filteredOn(warning -> !warning.startsWith("the tiers of all sites"))
                .singleElement()
                .asString()
                .startsWith("site shop has neither an edge nor a proxy-hold")
                .contains("under edges, or set proxy-hold");
        assertThat(ClusterConfig.parse(replaced("name: shop}", "name: shop, proxy-hold: 0s}"), "c.yaml")
                        .warnings())
                .extracting(ConfigWarning::text)
                .filteredOn(warning -> !warning.startsWith("the tiers of all sites"))
                .isEmpty();
        String edge = "edges: [{name: front, site: shop, kind: target-list, file: /e}]\nwitnesses:";
        assertThat(ClusterConfig.parse(replaced("witnesses:", edge), "c.yaml").warnings())
                .extracting(ConfigWarning::text)
                .filteredOn(warning -> !warning.startsWith("the tiers of all sites"))
                .isEmpty();
    }

    @Test
    void shouldHoldProxies_whenASiteAsksForIt() {
        ClusterConfig config = ClusterConfig.parse(replaced("name: shop}", "name: shop, proxy-hold: 45s}"), "c.yaml");

        assertThat(config.sites().getFirst().hold()).isEqualTo(Duration.ofSeconds(45));
        assertThat(config.longestMove()).isEqualTo(MoveRules.DEFAULTS.total().plusSeconds(45));
        assertThat(ClusterConfig.parse(SMALLEST, "c.yaml").sites().getFirst().hold())
                .isZero();
        assertThat(refused(replaced("name: shop}", "name: shop, proxy-hold: 61m}")))
                .hasMessageContaining("proxy-hold");
    }

    @Test
    void shouldGiveAnEdgeThatIsReloadedItsTime() {
        String edge = "edges: [{name: front, site: shop, kind: nginx, address: \"h:1\", admin: \"h:2\", file: /e,"
                + " config: /c, pid-file: /p}]\nwitnesses:";
        assertThat(ClusterConfig.parse(replaced("witnesses:", edge), "c.yaml")
                        .move()
                        .upstreamDeadline())
                .isEqualTo(Duration.ofSeconds(16));
        assertThat(ClusterConfig.parse(replaced("witnesses:", "move: {upstream-deadline: 2s}\n" + edge), "c.yaml")
                        .warnings())
                .extracting(ConfigWarning::text)
                .filteredOn(warning -> !warning.startsWith("the tiers of all sites"))
                .singleElement()
                .asString()
                .startsWith("move.upstream-deadline of 2s is shorter than the 16s that front (nginx) may take");
    }

    @Test
    void shouldNameFilesPerNode_whenTlsIsAskedFor() {
        String tls = "rdma: {tls: {certificate: \"/etc/tls/{node}.pem\", key: /etc/tls/key.pem, ca: /etc/ca.pem}}"
                + "\nsites:";
        RdmaTls read =
                ClusterConfig.parse(replaced("sites:", tls), "c.yaml").rdmaTls().orElseThrow();

        assertThat(read.certificate("web-1")).isEqualTo(Path.of("/etc/tls/web-1.pem"));
        assertThat(read.key("web-1")).isEqualTo(Path.of("/etc/tls/key.pem"));
        assertThat(read.authorities("web-1")).isEqualTo(Path.of("/etc/ca.pem"));
        assertThat(ClusterConfig.parse(SMALLEST, "c.yaml").rdmaTls()).isEmpty();
        assertThat(refused(replaced("sites:", tls.replace(", ca: /etc/ca.pem", ""))))
                .hasMessageContaining("rdma.tls.ca: missing");
        assertThat(refused(replaced("sites:", tls.replace("{node}", "{nod}"))))
                .hasMessageContaining("rdma.tls.certificate: \"/etc/tls/{nod}.pem\" is not accepted; name a PEM file");
        assertThat(refused(replaced("sites:", "transport: native\n" + tls)))
                .hasMessageContaining("rdma.tls: transport native has none, as RDMA hardware speaks no TLS");
    }

    @Test
    void shouldReadTheExample_whenShipped() {
        Path example = Path.of("..", "conf", "cluster.yaml");
        ClusterConfig config = dev.retier.agent.files.ConfigFile.read(example);
        assertThat(config.nodes()).hasSize(7);
        assertThat(config.nodeNamed("node-7")).isPresent();
    }

    @Test
    void shouldListAllProblemsWithTheirLines_whenSeveralThingsAreWrong() {
        String text = SMALLEST.replace("name: small", "name: small\nmood: good")
                .replace("10.0.0.1:9000", "10.0.0.1")
                .replace("role: shop/proxy", "role: stop/proxy");
        assertThat(refused(text).problems().stream().map(ConfigProblem::toString))
                .containsExactly(
                        "c.yaml:2: mood: unknown key; remove it or use one of name, mode, transport, former-handshake,"
                                + " secret-file, secret-env, rdma, journal-directory, timing, decision, move, sites,"
                                + " admin, nodes, witnesses, edges, volume-servers, volumes",
                        "c.yaml:10: nodes[0].rdma: \"10.0.0.1\" is not accepted; write host:port with a port in"
                                + " 1..65535",
                        "c.yaml:13: nodes[0].role: \"stop/proxy\" names no site; the sites are shop");
    }

    @Test
    void shouldSayWhatIsMissing_whenARequiredKeyIsAbsent() {
        assertThat(refused(replaced("name: small\n", "")).getMessage()).isEqualTo("c.yaml:1: name: missing; add it");
    }

    @Test
    void shouldRefuseADuration_whenItHasNoUnit() {
        String text = SMALLEST.replace("sites:", "timing: {sensitivity: 200}\nsites:");
        assertThat(refused(text).getMessage())
                .isEqualTo("c.yaml:4: timing.sensitivity: \"200\" is not accepted; write a whole number with unit us,"
                        + " ms, s, m or h, such as 250ms, in 10ms..3600s");
    }

    @Test
    void shouldRefuseAStartGrace_whenItIsLongerThanAnHour() {
        String text = SMALLEST.replace("sites:", "timing: {start-grace: 2h}\nsites:");
        assertThat(refused(text).getMessage()).startsWith("c.yaml:4: timing.start-grace: \"2h\" is not accepted");
    }

    @Test
    void shouldRefuseALease_whenItCannotBeRenewedInTime() {
        String text = SMALLEST.replace("sites:", "timing: {lease: 200ms}\nsites:");
        assertThat(refused(text).getMessage())
                .isEqualTo("c.yaml:4: timing.lease: could not be renewed in time; make it six read-deadlines, 600ms");
    }

    @Test
    void shouldRefuseTheFile_whenItIsNoYaml() {
        assertThat(refused("a: [1, 2").getMessage()).startsWith("c.yaml:1: not valid YAML: ");
        assertThat(refused("").getMessage()).isEqualTo("c.yaml:1: the file is empty; see conf/ for an example");
        assertThat(refused("- a\n- b").getMessage())
                .startsWith("c.yaml:1: expected keys with values but found a list of 2");
    }

    @Test
    void shouldRefuseAKey_whenItIsThereTwice() {
        assertThat(refused(replaced("name: small\n", "name: small\nname: other\n"))
                        .getMessage())
                .contains("c.yaml:2:");
    }

    @Test
    void shouldRefuseWitnesses_whenTheyCanTieOrAreNoNodes() {
        assertThat(refused(replaced("[one]", "[one, two]")).getMessage())
                .contains("witnesses: 2 witnesses can tie; name 1, 3 or 5 nodes")
                .contains("\"two\" is no node; the nodes are one");
    }

    @Test
    void shouldRefuseBothSecrets_whenBothAreNamed() {
        assertThat(refused(replaced("secret-env:", "secret-file: /etc/s\nsecret-env:"))
                        .getMessage())
                .contains("give exactly one of secret-file and secret-env");
    }

    @Test
    void shouldRefuseNodes_whenTwoShareAnAddress() {
        String second = SMALLEST.substring(SMALLEST.indexOf("  - id: 1\n    name: one"), SMALLEST.indexOf("witnesses"));
        String text = SMALLEST.replace("witnesses", second.replace("name: one", "name: two") + "witnesses");
        assertThat(refused(text).getMessage())
                .contains("nodes: two items have id node-1; give each its own")
                .contains("nodes: two items have rdma 10.0.0.1:9000; give each its own");
    }

    @Test
    void shouldRefuseAnRdmaAddress_whenNobodyElseCanConnectToIt() {
        assertThat(refused(SMALLEST.replace("10.0.0.1:9000", "0.0.0.0:9000")).getMessage())
                .startsWith("c.yaml:9: nodes[0].rdma: 0.0.0.0:9000 is every address of a machine");
    }

    /** Each machine has a loopback address of its own, and no other. */
    @Test
    void shouldRefuseNodes_whenTheirAgentsShareAnAddress() {
        String first = SMALLEST.substring(SMALLEST.indexOf("  - id: 1\n    name: one"), SMALLEST.indexOf("witnesses"));
        String second = first.replace("id: 1", "id: 2")
                .replace("name: one", "name: two")
                .replace("10.0.0.1", "10.0.0.2");
        String text = SMALLEST.replace("witnesses", second + "witnesses");
        assertThat(ClusterConfig.parse(text, "c.yaml").nodes()).hasSize(2);

        assertThat(refused(text.replace("agent: 127.0.0.1:9001", "agent: 10.0.0.1:9001"))
                        .getMessage())
                .contains("nodes: two items have agent 10.0.0.1:9001; give each its own");
    }

    /** As a proxy each of the others would send to itself. */
    @Test
    void shouldRefuseALoopbackAddressOfAServer_whenTheNodesAreMachines() {
        String first = SMALLEST.substring(SMALLEST.indexOf("  - id: 1\n    name: one"), SMALLEST.indexOf("witnesses"));
        String second = first.replace("id: 1", "id: 2")
                .replace("name: one", "name: two")
                .replace("10.0.0.1", "10.0.0.2")
                .replace("address: \"10.0.0.2:", "address: \"127.0.0.1:");
        String text = SMALLEST.replace("witnesses", second + "witnesses");

        assertThat(refused(text).getMessage())
                .containsPattern("server.address 127.0.0.1:\\d+ of two is a loopback address, at which other nodes"
                        + " reach themselves; write the one by which they reach this node");
        assertThat(ClusterConfig.parse(text.replace("rdma: 10.0.0.2", "rdma: 127.0.0.1"), "c.yaml")
                        .nodes())
                .hasSize(2);
    }

    @Test
    void shouldTakeAHostName_whenItsLabelsAreNotTooLong() {
        String label = "a".repeat(63);
        String longest = String.join(".", label, label, label, "b".repeat(61));
        String hosts = "sites:\n  - {id: 1, name: shop, hosts: [HOST]}";
        String text = replaced("sites:\n  - {id: 1, name: shop}", hosts);

        assertThat(ClusterConfig.parse(text.replace("HOST", longest), "c.yaml")
                        .sites()
                        .getFirst()
                        .hosts())
                .containsExactly(longest);
        for (String wrong : List.of(longest + "b", label + "a.example", "a..example", "-a.example")) {
            assertThat(refused(text.replace("HOST", wrong)).getMessage())
                    .as(wrong)
                    .contains("is not accepted; write a host name");
        }
    }

    @Test
    void shouldRefuseANumberOutOfRange_whenAsked() {
        String text = SMALLEST.replace("sites:", "decision: {take-threshold: 1.5, moves-per-hour: many}\nsites:");
        assertThat(refused(text).problems()).hasSize(2);
    }

    @Test
    void shouldRefuseAnUnknownNode_whenAnAgentIsConfigured() {
        ClusterConfig config = ClusterConfig.parse(SMALLEST, "c.yaml");
        assertThatThrownBy(() -> new AgentConfig(config, new NodeId(9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node-9 is not in cluster small");
    }
}
