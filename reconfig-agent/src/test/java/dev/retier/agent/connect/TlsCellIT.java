package dev.retier.agent.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.Agent;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.event.AgentListener;
import dev.retier.agent.fixture.FakeWebNode;
import dev.retier.link.NodeId;
import dev.retier.link.ReservedPorts;
import dev.retier.link.StateException;
import dev.retier.state.SharedState;
import dev.retier.state.SlotReading;
import dev.retier.testsupport.Logged;
import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cells of three nodes whose links are under TLS, over real sockets. */
class TlsCellIT {
    private static final int NODES = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority("cell");
    private final ReservedPorts ports = new ReservedPorts(NODES);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicReference<Double> proxyLoad = new AtomicReference<>(0.0);
    private final Logged logged = new Logged();
    private final List<FakeWebNode> servers = new ArrayList<>();

    @BeforeEach
    void certify() throws IOException {
        Path secret = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "0123456789abcdef0123456789abcdef");
        authority.writeTo(folder);
        for (int id = 1; id <= NODES; id++) {
            authority.issue(Subject.of("node-" + id)).writeTo(folder, "node-" + id);
            servers.add(new FakeWebNode(
                    "node-" + id,
                    folder.resolve("role-" + id).resolve("role.json"),
                    role -> role.equals("proxy") ? proxyLoad.get() : 0.0));
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        servers.forEach(FakeWebNode::close);
        ports.close();
        logged.close();
    }

    private String file() {
        StringBuilder nodes = new StringBuilder();
        for (int id = 1; id <= NODES; id++) {
            FakeWebNode server = servers.get(id - 1);
            nodes.append("""
                      - {id: %d, name: node-%d, rdma: "127.0.0.1:%d", agent: "127.0.0.1:0", role: shop/%s,
                         server: {address: "%s", admin: "%s", role-file: %s}}
                    """.formatted(
                            id,
                            id,
                            ports.numbers().get(id - 1),
                            id == 1 ? "proxy" : "app",
                            server.address(),
                            server.adminAddress(),
                            folder.resolve("role-" + id).resolve("role.json")));
        }
        return """
                name: small
                secret-file: %1$s/secret
                rdma: {tls: {certificate: "%1$s/{node}.pem", key: "%1$s/{node}.key", ca: "%1$s/ca.pem"}}
                journal-directory: %1$s/journal
                timing: {sensitivity: 50ms, publish-interval: 50ms, utilisation-window: 100ms, staleness: 500ms}
                decision: {take-history: 300ms}
                sites: [{id: 1, name: shop, proxy-hold: 0s}]
                nodes:
                %2$switnesses: [node-1, node-2, node-3]
                """.formatted(folder, nodes);
    }

    private static AgentConfig config(String file, int id) {
        return new AgentConfig(ClusterConfig.parse(file, "c.yaml"), new NodeId(id));
    }

    private SharedState join(AgentConfig config) {
        SharedState state = SharedStates.open(config, Instant.now());
        open.add(state);
        return state;
    }

    private List<SharedState> joinAll() {
        List<SharedState> states = new ArrayList<>();
        for (int id = 1; id <= NODES; id++) {
            states.add(join(config(file(), id)));
        }
        return states;
    }

    /** Without agents nobody publishes, so that a slot may be stale; it was read all the same. */
    private static boolean seesAll(SharedState state) {
        return state.look().values().stream()
                .allMatch(slot -> slot instanceof SlotReading.Known
                        || slot.equals(new SlotReading.Unknown(SlotReading.Reason.STALE)));
    }

    private static boolean isConnected(SharedState state, int id) {
        return !new SlotReading.Unknown(SlotReading.Reason.NOT_CONNECTED)
                .equals(state.look().get(new NodeId(id)));
    }

    private static void awaitSeen(List<SharedState> states) {
        await().atMost(PATIENCE).until(() -> states.stream().allMatch(TlsCellIT::seesAll));
    }

    @Test
    void shouldDecideAndMove_underTls() throws IOException {
        List<Agent> agents = new ArrayList<>();
        for (int id = 1; id <= NODES; id++) {
            AgentConfig config = config(file(), id);
            Agent.writeFirstRoleFile(config);
            Agent agent = Agent.start(config, join(config), new AgentListener() {});
            open.add(agent);
            agents.add(agent);
        }

        proxyLoad.set(0.95);

        await().atMost(PATIENCE)
                .until(() -> servers.stream()
                                .filter(server -> server.applied().getLast().contains("proxy"))
                                .count()
                        == 2);
        assertThat(agents.getFirst().statusJson()).contains("\"rdma_security\":\"tls\"");
    }

    @Test
    void shouldMissNoLook_whileCertificatesAreReplaced() throws IOException {
        List<SharedState> states = joinAll();
        awaitSeen(states);
        TestAuthority next = new TestAuthority("next");

        Files.writeString(folder.resolve("ca.pem"), authority.certificate() + next.certificate());
        for (int id = 1; id <= NODES; id++) {
            next.issue(Subject.of("node-" + id)).writeTo(folder, "node-" + id);
            for (int look = 0; look < 20; look++) {
                assertThat(states).as("standing connections").allMatch(TlsCellIT::seesAll);
            }
        }
        states.getLast().close();
        SharedState again = join(config(file(), NODES));
        awaitSeen(List.of(states.getFirst(), states.get(1), again)); // new connections, by the new certificates
        next.writeTo(folder);
        for (int look = 0; look < 20; look++) {
            assertThat(List.of(states.getFirst(), again)).allMatch(TlsCellIT::seesAll);
        }
        assertThat(logged.warnings("is refused")).isEmpty();
    }

    /** What the secret alone cannot tell: a member that takes another's name. */
    @Test
    void shouldRefuseAMember_whenItClaimsToBeAnother() {
        SharedState one = join(config(file(), 1));
        String forged = file().replace("name: node-1,", "name: old-1,")
                .replace("name: node-2,", "name: node-1,")
                .replace("name: old-1,", "name: node-2,");

        join(config(forged, 2)); // shows the certificate of node-1, and says that its id is 2

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(logged.warnings("node-1 refuses 127.0.0.1: it claims to be node-2 and"
                                + " shows a certificate of node-1"))
                        .hasSize(1));
        assertThat(seesAll(one)).isFalse();
    }

    /** A certificate file may have those of who issued it, too, even the one that all believe. */
    @Test
    void shouldJudgeAMemberByItsOwnCertificate_whenItShowsItsIssuersToo() throws IOException {
        Path own = folder.resolve("node-1.pem");
        Files.writeString(own, Files.readString(own) + authority.certificate());

        awaitSeen(joinAll());

        assertThat(logged.warnings("it claims to be")).isEmpty();
    }

    /** What both sides say of it is tested where it is said, in soft-iwarp: an address is told of once per hour. */
    @Test
    void shouldKeepAMemberOut_whenItsCertificateIsNotBelieved() throws IOException {
        SharedState one = join(config(file(), 1));
        SharedState three = join(config(file(), 3));
        Instant end = Instant.now().minusSeconds(5);
        authority.issue(Subject.of("node-2").valid(end.minusSeconds(60), end)).writeTo(folder, "node-2");
        SharedState expired = join(config(file(), 2));

        await().atMost(PATIENCE).until(() -> isConnected(one, 3) && isConnected(three, 1));
        assertThat(isConnected(one, 2)).isFalse();
        assertThat(isConnected(expired, 1)).isFalse();

        expired.close();
        new TestAuthority("cell").issue(Subject.of("node-2")).writeTo(folder, "node-2"); // of that name only
        SharedState stranger = join(config(file(), 2));
        authority.issue(Subject.of("node-3")).writeTo(folder, "node-3");
        three.close();
        SharedState again = join(config(file(), 3));
        await().atMost(PATIENCE).until(() -> isConnected(one, 3) && isConnected(again, 1));
        assertThat(isConnected(one, 2)).isFalse();
        assertThat(isConnected(stranger, 1)).isFalse();
    }

    @Test
    void shouldNotStart_whenTheCertificateIsAnothers() throws IOException {
        authority.issue(Subject.of("node-2")).writeTo(folder, "node-1");

        assertThatThrownBy(() -> SharedStates.open(config(file(), 1), Instant.now()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("rdma.tls.certificate: " + folder.resolve("node-1.pem"))
                .hasMessageContaining("it claims to be node-1 and shows a certificate of node-2");
    }

    @Test
    void shouldNotStart_whenOthersMayReadTheKey() throws IOException {
        Files.setPosixFilePermissions(folder.resolve("node-1.key"), PosixFilePermissions.fromString("rw-r--r--"));

        assertThatThrownBy(() -> SharedStates.open(config(file(), 1), Instant.now()))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("others may use it");
    }
}
