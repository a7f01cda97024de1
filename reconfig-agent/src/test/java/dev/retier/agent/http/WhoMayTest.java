package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.access.CallerRole;
import dev.retier.agent.access.Tokens;
import dev.retier.config.HostPort;
import dev.retier.testsupport.Logged;
import dev.retier.testsupport.TestAuthority;
import dev.retier.testsupport.TestAuthority.Subject;
import io.undertow.server.HttpHandler;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The listener over loopback, with real certificates. */
class WhoMayTest {
    private static final String ADMIN = "viewers: [eve], operators: [ann]";
    private static final List<String> OPEN = List.of("/livez", "/readyz", "/v1/openapi.yaml");

    @TempDir
    private Path folder = Path.of("");

    @AutoClose
    private final GuardedServer server = new GuardedServer();

    @BeforeEach
    void start() throws IOException {
        server.start(folder, ADMIN);
    }

    /** Who asks, and what is to become of it. */
    enum Who {
        NOBODY(CallerRole.NONE),
        BAD_TOKEN(CallerRole.NONE),
        VIEWERS_TOKEN(CallerRole.VIEWER),
        OPERATORS_TOKEN(CallerRole.OPERATOR),
        UNNAMED(CallerRole.NONE),
        NODE(CallerRole.VIEWER),
        VIEWER(CallerRole.VIEWER),
        OPERATOR(CallerRole.OPERATOR);

        private final CallerRole role;

        Who(CallerRole role) {
            this.role = role;
        }

        private TlsCaller in(GuardedServer server) throws IOException {
            return switch (this) {
                case NOBODY -> server.caller();
                case BAD_TOKEN -> server.caller().withToken("no-such-token");
                case VIEWERS_TOKEN -> server.caller().withToken(GuardedServer.VIEWERS_TOKEN);
                case OPERATORS_TOKEN -> server.caller().withToken(GuardedServer.OPERATORS_TOKEN);
                case UNNAMED -> server.caller(server.authority(), Subject.of("mallory"));
                case NODE -> server.caller(server.authority(), Subject.of("node-1"));
                case VIEWER -> server.caller(server.authority(), Subject.of("eve"));
                case OPERATOR ->
                    server.caller(server.authority(), Subject.of("ann").withNames());
            };
        }

        /** Refused by that status; 0 if it is not. */
        private int refusal(String method, boolean isOpen) {
            if (isOpen) {
                return 0;
            }
            if (role == CallerRole.NONE) {
                return this == UNNAMED ? 403 : 401;
            }
            return method.equals("POST") && role == CallerRole.VIEWER ? 403 : 0;
        }
    }

    /** All that the server has, so that a new one is asked for as well. */
    private List<String> paths() throws Exception {
        try (TlsCaller operator = Who.OPERATORS_TOKEN.in(server)) {
            JsonNode problem =
                    JsonMapper.shared().readTree(operator.get("/none").body());
            String remedy = problem.path("remedy").asString();
            List<String> paths = Stream.of(
                            remedy.substring("ask for one of ".length()).split(", ", -1))
                    .map(path -> path.replaceAll("\\{[a-z]+}", "shop"))
                    .toList();
            assertThat(paths).contains("/v1/status", "/v1/targets/shop", "/metrics", "/livez");
            return paths;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetEachCallerDoWhatItsRoleMay(Who who) throws Exception {
        Map<String, Integer> statuses = new TreeMap<>();
        List<String> paths = paths();
        try (TlsCaller caller = who.in(server)) {
            for (String method : List.of("GET", "POST")) {
                for (String path : paths) {
                    statuses.put(method + " " + path, caller.status(method, path));
                }
            }
        }
        assertThat(statuses).isNotEmpty().allSatisfy((asked, status) -> {
            String[] words = asked.split(" ", -1);
            int refusal = who.refusal(words[0], OPEN.contains(words[1]));
            if (words[0].equals("POST") && status == 405) {
                assertThat(refusal)
                        .as("what takes no commands says so only to those who may read")
                        .isIn(0, 403);
            } else if (refusal == 0) {
                assertThat(status).isNotIn(401, 403, 429);
            } else if (who == Who.BAD_TOKEN && status == 429) {
                assertThat(refusal)
                        .as("none of so many bad tokens is looked at")
                        .isEqualTo(401);
            } else {
                assertThat(status).isEqualTo(refusal);
            }
        });
    }

    @Test
    void shouldRefuseAStranger_andSayNothing() throws Exception {
        for (Subject subject : List.of(Subject.of("ann"), Subject.of("stranger"))) {
            try (TlsCaller stranger = server.caller(new TestAuthority("cluster"), subject)) {
                for (String path : paths()) {
                    assertThatThrownBy(() -> stranger.get(path)).as(path).isInstanceOf(IOException.class);
                }
            }
        }
    }

    @Test
    void shouldRefuseACertificate_outsideItsTime() throws Exception {
        Instant now = Instant.now();
        Subject ann = Subject.of("ann");
        for (Subject subject : List.of(
                ann.valid(now.minusSeconds(7_200), now.minusSeconds(60)),
                ann.valid(now.plusSeconds(3_600), now.plusSeconds(7_200)))) {
            try (TlsCaller late = server.caller(server.authority(), subject)) {
                assertThatThrownBy(() -> late.get("/v1/status")).isInstanceOf(IOException.class);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.1"})
    void shouldSpeakTls13Only(String protocol) throws Exception {
        try (TlsCaller old = server.caller().withProtocol(protocol)) {
            assertThatThrownBy(() -> old.get("/livez")).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void shouldLetAllReadTargetsAndMetrics_whenReadsAreOpen() throws Exception {
        server.configure(ADMIN + ", open-reads: true");
        try (TlsCaller nobody = server.caller()) {
            assertThat(nobody.get("/metrics").statusCode()).isEqualTo(200);
            assertThat(nobody.get("/v1/targets/shop").statusCode()).isEqualTo(200);
            for (String path : List.of("/v1/status", "/v1/targets", "/v1/version", "/metrics2")) {
                assertThat(nobody.get(path).statusCode()).as(path).isEqualTo(401);
            }
            assertThat(nobody.get("/v1/targets/../status").statusCode())
                    .as("no way around")
                    .isEqualTo(404);
        }
    }

    @Test
    void shouldSayWhoMay_asAProblem() throws Exception {
        try (TlsCaller nobody = server.caller();
                TlsCaller bad = Who.BAD_TOKEN.in(server)) {
            HttpResponse<String> unproven = nobody.get("/v1/status");
            assertThat(unproven.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"retier\"");
            assertThat(unproven.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(unproven.body()).contains("\"status\":401", "client certificate", "Authorization: Bearer");
            HttpResponse<String> refused = bad.get("/v1/status");
            assertThat(refused.headers().firstValue("WWW-Authenticate"))
                    .contains("Bearer realm=\"retier\", error=\"invalid_token\"");
            assertThat(refused.body()).contains("retier token new").doesNotContain("no-such-token");
        }
    }

    @Test
    void shouldLogWhoWasRefused_onceInAWhile() throws Exception {
        try (Logged log = new Logged();
                TlsCaller bad = Who.BAD_TOKEN.in(server);
                TlsCaller stranger = server.caller(new TestAuthority("other"), Subject.of("ann"))) {
            for (int i = 0; i < 10; i++) {
                assertThat(bad.get("/v1/status?x=%0aINFO").statusCode()).isEqualTo(401);
            }
            assertThatThrownBy(() -> stranger.get("/v1/status")).isInstanceOf(IOException.class);
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("node-1: refused GET /v1/status of anybody at 127.0.0.1: 401 this token")
                    .doesNotContain("no-such-token");
        }
    }

    @Test
    void shouldLogStrangers_withTheirSigner() throws Exception {
        try (Logged log = new Logged();
                TlsCaller stranger = server.caller(new TestAuthority("other"), Subject.of("ann"))) {
            assertThatThrownBy(() -> stranger.get("/v1/status")).isInstanceOf(IOException.class);
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .contains("node-1: refused to connect to 127.0.0.1", "of ann is signed by CN=other", "/ca.pem");
        }
    }

    @Test
    void shouldTakeNoCommand_fromAPageOfAnotherOrigin() throws Exception {
        try (TlsCaller operator = Who.OPERATORS_TOKEN.in(server)) {
            for (String origin : List.of("https://evil.example", "null", "https://127.0.0.1", "http://:::")) {
                assertThat(operator.ask("POST", "/v1/status", "Origin", origin).statusCode())
                        .as(origin)
                        .isEqualTo(403);
            }
            assertThat(operator.ask("POST", "/v1/status", "Origin", "https://" + server.address())
                            .statusCode())
                    .isEqualTo(405);
            assertThat(operator.ask("GET", "/v1/status", "Origin", "https://evil.example")
                            .statusCode())
                    .as("what is read no browser shows to that page")
                    .isEqualTo(200);
        }
    }

    @Test
    void shouldNotLookAtTokens_afterTwentyBadOnesOfASecond() throws Exception {
        try (TlsCaller bad = Who.BAD_TOKEN.in(server);
                TlsCaller good = Who.VIEWERS_TOKEN.in(server);
                TlsCaller certified = Who.VIEWER.in(server)) {
            Map<Integer, Integer> statuses = new TreeMap<>();
            HttpResponse<String> last = bad.get("/v1/status");
            for (int i = 0; i < 5_000 && last.statusCode() != 429; i++) {
                last = bad.get("/v1/status");
                statuses.merge(last.statusCode(), 1, Integer::sum);
            }
            assertThat(statuses).containsKeys(401, 429);
            assertThat(statuses.get(401)).isGreaterThanOrEqualTo(19);
            assertThat(last.headers().firstValue("Retry-After")).contains("1");
            assertThat(certified.get("/v1/status").statusCode()).isEqualTo(200);
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> good.get("/v1/status").statusCode() == 200);
        }
    }

    /** Those who ask meanwhile see the old or the new, each whole. */
    @Test
    void shouldTakeNewFiles_whileRequestsRun() throws Exception {
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        AtomicInteger answered = new AtomicInteger();
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        String before = server.serverSerial();
        for (Who who : List.of(Who.VIEWERS_TOKEN, Who.VIEWER)) {
            threads.add(Thread.startVirtualThread(() -> {
                while (!isOver.get()) {
                    try (TlsCaller caller = who.in(server)) {
                        int status = caller.get("/v1/status").statusCode();
                        if (status != 200) {
                            failed.add(who + " " + status);
                        }
                    } catch (IOException | InterruptedException e) {
                        failed.add(who + " " + e);
                    }
                    answered.incrementAndGet();
                }
            }));
        }
        for (int i = 0; i < 10; i++) {
            int known = answered.get();
            server.renew();
            server.writeTokens(
                    GuardedServer.TOKENS + Tokens.line("extra-" + i, CallerRole.VIEWER, "extra-" + i) + "\n");
            try (TlsCaller extra = server.caller().withToken("extra-" + i)) {
                assertThat(extra.get("/v1/status").statusCode()).isEqualTo(200);
            }
            await().until(() -> answered.get() > known);
        }
        isOver.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failed).isEmpty();
        assertThat(server.serverSerial()).isNotEqualTo(before);
        try (TlsCaller extra = server.caller().withToken("extra-8")) {
            assertThat(extra.get("/v1/status").statusCode())
                    .as("of the file before")
                    .isEqualTo(401);
        }
    }

    @Test
    void shouldKeepTokens_whileTheirFileCannotBeUsed() throws Exception {
        try (TlsCaller viewer = Who.VIEWERS_TOKEN.in(server)) {
            for (String text : List.of("viewer:" + GuardedServer.VIEWERS_TOKEN, "\u0000", "x".repeat(300_000))) {
                server.writeTokens(text);
                assertThat(viewer.get("/v1/status").statusCode()).isEqualTo(200);
            }
            Files.delete(folder.resolve("tokens"));
            assertThat(viewer.get("/v1/status").statusCode()).isEqualTo(200);
            server.writeTokens("");
            assertThat(viewer.get("/v1/status").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void shouldRefuseACertificateOnItsOldConnection_whenItsSignerIsTakenAway() throws Exception {
        try (TlsCaller viewer = Who.VIEWER.in(server)) {
            assertThat(viewer.get("/v1/status").statusCode()).isEqualTo(200);
            new TestAuthority("other").writeTo(folder);
            HttpResponse<String> answer = viewer.get("/v1/status");
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.body()).contains("eve is not good any more");
            assertThat(viewer.get("/livez").statusCode()).isEqualTo(200);
        }
        try (TlsCaller viewer = Who.VIEWER.in(server)) {
            assertThatThrownBy(() -> viewer.get("/v1/status")).isInstanceOf(IOException.class);
        }
    }

    /** And whoever gets through is known by name to what answers. */
    @ParameterizedTest
    @EnumSource
    void shouldLetOperatorsAloneCommand(Who who) throws Exception {
        AdminAccess access = server.open(ADMIN);
        HttpHandler commands = RoleCheck.forOperators(
                exchange -> Watched.send(
                        exchange, 200, "text/plain", RoleCheck.caller(exchange).name()),
                exchange -> RoleCheck.refuseCommand(access, exchange));
        try (AdminEndpoint endpoint = new AdminEndpoint(
                new HostPort("127.0.0.1", 0), AdminLimits.usual(), access.tls(), new RoleCheck(access, commands))) {
            endpoint.start();
            try (TlsCaller caller = who.in(server).to(endpoint.address())) {
                HttpResponse<String> answer = caller.ask("POST", "/v1/commands");
                int refusal = who.refusal("POST", false);
                assertThat(answer.statusCode()).isEqualTo(refusal == 0 ? 200 : refusal);
                if (refusal == 0) {
                    assertThat(answer.body()).isEqualTo(who == Who.OPERATOR ? "ann" : "bob");
                }
            }
        }
    }

    @Test
    void shouldGiveAnotherRole_onceTheClusterFileSaysSo() throws Exception {
        try (TlsCaller mallory = Who.UNNAMED.in(server)) {
            assertThat(mallory.get("/v1/status").statusCode()).isEqualTo(403);
            server.configure("viewers: [eve, Mallory]");
            assertThat(mallory.get("/v1/status").statusCode()).isEqualTo(200);
            server.configure("viewers: [eve]");
            assertThat(mallory.get("/v1/status").body()).contains("admin.viewers");
        }
    }

    @Test
    void shouldNotStart_whenOthersMayReadItsFiles() throws Exception {
        for (String name : List.of("node.key", "tokens")) {
            Path file = folder.resolve(name);
            Files.setPosixFilePermissions(file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
            assertThatThrownBy(() -> server.open(ADMIN))
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("chmod o=");
            Files.setPosixFilePermissions(file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----"));
            server.open(ADMIN);
        }
    }
}
