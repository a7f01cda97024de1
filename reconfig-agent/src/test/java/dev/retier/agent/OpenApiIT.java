package dev.retier.agent;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.fixture.WatchedStream;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What running agents answer is what {@code docs/api/openapi.yaml} describes, and every path of it answers. */
class OpenApiIT {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final JsonMapper JSON = new JsonMapper();
    private static final JsonNode API = new YAMLMapper().readTree(Path.of("../docs/api/openapi.yaml"));

    /** What stands for the parameters of a path. */
    private static final Map<String, String> PATHS = Map.of("/v1/targets/{site}", "/v1/targets/shop");

    private static final String STREAM = "/v1/events";

    /** What their data is. */
    private static final Map<String, String> EVENTS = Map.of(
            "status", "#/components/schemas/Status",
            "move", "#/components/schemas/Move",
            "decision", "#/components/schemas/DecisionEvent",
            "gap", "#/components/schemas/Gap");

    @TempDir
    private Path folder = Path.of("");

    @AutoClose
    private final HttpClient client = HttpClient.newHttpClient();

    private final SchemaRegistry schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private HttpResponse<String> ask(HostPort agent, String method, String path)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + agent + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Where a reference leads; the node itself if it is none. */
    private static JsonNode resolved(JsonNode node) {
        JsonNode reference = node.path("$ref");
        return reference.isMissingNode() ? node : API.at(reference.stringValue().substring(1));
    }

    /** Of an answer to a read of that path, as it is described. */
    private void requireDescribed(String path, HttpResponse<String> answer) {
        JsonNode responses = API.path("paths").path(path).path("get").path("responses");
        String status = Integer.toString(answer.statusCode());
        assertThat(responses.has(status)).as("%s: %s", path, status).isTrue();
        requireOf(resolved(responses.path(status)), path, answer);
    }

    private void requireOf(JsonNode response, String path, HttpResponse<String> answer) {
        String type = answer.headers().firstValue("Content-Type").orElse("").split(";", -1)[0];
        assertThat(response.path("content").has(type)).as("%s: %s", path, type).isTrue();
        if (type.endsWith("json")) {
            Schema described = schema(response.path("content").path(type).path("schema"));
            assertThat(described.validate(JSON.readTree(answer.body())))
                    .as("%s: %s", path, answer.body())
                    .isEmpty();
        }
    }

    private Schema schema(JsonNode described) {
        ObjectNode schema = described.deepCopy().asObject();
        schema.set("components", API.path("components"));
        return schemas.getSchema(schema);
    }

    /** The newest of each kind of event, which are as described. */
    private void requireStream(HostPort agent) throws IOException, InterruptedException {
        try (WatchedStream stream = WatchedStream.open(agent, "of-another-life")) {
            await().atMost(PATIENCE)
                    .until(() -> Stream.of("status", "gap", "decision")
                            .noneMatch(kind -> stream.got(kind).isEmpty()));
            assertThat(stream.type()).startsWith("text/event-stream");
            for (WatchedStream.Event event : stream.got()) {
                JsonNode data = JSON.readTree(event.data());
                assertThat(schema(JSON.createObjectNode().put("$ref", EVENTS.get(event.event())))
                                .validate(data))
                        .as("%s: %s", event.event(), event.data())
                        .isEmpty();
            }
        }
    }

    private void requireAll(HostPort agent) throws IOException, InterruptedException {
        for (String path : API.path("paths").propertyNames()) {
            if (path.equals(STREAM)) {
                requireStream(agent);
                continue;
            }
            requireDescribed(path, ask(agent, "GET", PATHS.getOrDefault(path, path)));
        }
    }

    @Test
    void shouldAnswerAsDescribed_atRestAndAfterAMove() throws Exception {
        try (AgentCell cell = AgentCell.startBehind(folder, 1, 3, "edge-1")) {
            await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
            requireAll(cell.agent(1).adminAddress());
            cell.load(APP, 0.0);
            cell.load(PROXY, 1.0);
            await().atMost(PATIENCE).until(() -> cell.serving(PROXY).size() >= 2 && cell.allIdle());
            int moved = cell.serving(PROXY).getLast();
            await().atMost(PATIENCE).until(() -> cell.ask(moved, "/v1/status").contains("\"active\":"));
            for (Agent agent : cell.agents()) {
                requireAll(agent.adminAddress());
                assertThat(ask(agent.adminAddress(), "GET", "/v1/moves").body()).contains("\"state\":\"done\"");
                assertThat(ask(agent.adminAddress(), "GET", "/v1/moves?since=999")
                                .body())
                        .isEqualTo("{\"moves\":[]}");
            }
        }
    }

    @Test
    void shouldTellWhatAShadowFindsAsDescribed() throws Exception {
        try (AgentCell cell = AgentCell.startShadowed(folder, 2, 2)) {
            await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
            cell.load(APP, 1.0);
            await().atMost(PATIENCE).until(() -> cell.serving(APP).size() == 3 && cell.allIdle());
            requireAll(cell.agent(4).adminAddress());
        }
    }

    @Test
    void shouldTellThatItIsInsecure_whereOthersReadInClear() throws Exception {
        AdminConfig insecure = new AdminConfig(null, Optional.empty(), Set.of(), Set.of(), false, true);
        for (String host : List.of("0.0.0.0", "127.0.0.1")) {
            try (AgentCell cell = AgentCell.startFor(folder.resolve(host), host, insecure)) {
                int port = cell.agent(1).adminAddress().port();
                HttpResponse<String> answer = ask(new HostPort("127.0.0.1", port), "GET", "/v1/status");
                requireDescribed("/v1/status", answer);
                assertThat(JSON.readTree(answer.body()).path("insecure").asBoolean())
                        .isEqualTo(host.equals("0.0.0.0"));
            }
        }
    }

    @Test
    void shouldTellWhatIsWrongAsDescribed() throws Exception {
        try (AgentCell cell = AgentCell.start(folder, 1, 1)) {
            HostPort agent = cell.agent(1).adminAddress();
            JsonNode problem = API.at("/components/responses/Problem");
            Map<String, Integer> wrong = new TreeMap<>(Map.of(
                    "GET /v1/targets/none",
                    404,
                    "GET /v2/status",
                    404,
                    "GET /v1/moves?since=x",
                    400,
                    "POST /v1/status",
                    405));
            for (Map.Entry<String, Integer> each : wrong.entrySet()) {
                String[] words = each.getKey().split(" ", -1);
                HttpResponse<String> answer = ask(agent, words[0], words[1]);
                assertThat(answer.statusCode()).as(each.getKey()).isEqualTo(each.getValue());
                requireOf(problem, words[1], answer);
            }
            assertThat(ask(agent, "DELETE", "/v1/status").headers().firstValue("Allow"))
                    .contains("GET, HEAD");
            assertThat(ask(agent, "GET", "/v1/openapi.yaml").body()).startsWith("openapi: 3.1.0");
        }
    }

    /** The description has all paths, and no other. */
    @Test
    void shouldDescribeEveryPath() throws Exception {
        try (AgentCell cell = AgentCell.start(folder, 1, 1)) {
            String remedy = JSON.readTree(
                            ask(cell.agent(1).adminAddress(), "GET", "/none").body())
                    .path("remedy")
                    .stringValue();
            assertThat(remedy.substring("ask for one of ".length()).split(", ", -1))
                    .containsExactlyInAnyOrderElementsOf(API.path("paths").propertyNames());
        }
    }
}
