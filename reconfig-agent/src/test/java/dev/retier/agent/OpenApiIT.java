package dev.retier.agent;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.fixture.ApiDescription;
import dev.retier.agent.fixture.WatchedStream;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What running agents answer is what {@code docs/api/openapi.yaml} describes, and every path of it answers. */
class OpenApiIT {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final ApiDescription API = new ApiDescription();
    private static final String STREAM = "/v1/events";

    /** What stands for the parameters of a path. */
    private static final Map<String, String> PATHS =
            Map.of("/v1/targets/{site}", "/v1/targets/shop", "/v1/commands/{key}", "/v1/commands/none");

    @TempDir
    private Path folder = Path.of("");

    @AutoClose
    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> ask(HostPort agent, String method, String path)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + agent + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The newest of each kind of event, which are as described. */
    private void requireStream(HostPort agent) throws IOException, InterruptedException {
        try (WatchedStream stream = WatchedStream.open(agent, "of-another-life")) {
            await().atMost(PATIENCE)
                    .until(() -> Stream.of("status", "gap", "decision")
                            .noneMatch(kind -> stream.got(kind).isEmpty()));
            assertThat(stream.type()).startsWith("text/event-stream");
            stream.got().forEach(event -> API.requireEvent(event.event(), event.data()));
        }
    }

    private void requireAll(HostPort agent) throws IOException, InterruptedException {
        for (String path : API.paths("get")) {
            if (path.equals(STREAM)) {
                requireStream(agent);
            } else {
                API.requireDescribed("get", path, ask(agent, "GET", PATHS.getOrDefault(path, path)));
            }
        }
    }

    private JsonNode moves(Agent agent, String query) throws IOException, InterruptedException {
        return JsonMapper.shared()
                .readTree(ask(agent.adminAddress(), "GET", "/v1/moves" + query).body())
                .path("moves");
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
                JsonNode moves = moves(agent, "");
                assertThat(moves.toString()).contains("\"state\":\"done\"");
                assertThat(moves(agent, "?limit=1")).containsExactly(moves.get(moves.size() - 1));
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
    void shouldTellWhatIsWrongAsDescribed() throws Exception {
        try (AgentCell cell = AgentCell.start(folder, 1, 1)) {
            HostPort agent = cell.agent(1).adminAddress();
            Map<String, Integer> wrong = new TreeMap<>(Map.of(
                    "GET /v1/targets/none", 404,
                    "GET /v2/status", 404,
                    "GET /page/none", 404,
                    "GET /v1/moves?since=x", 400,
                    "GET /v1/moves?limit=0", 400,
                    "PUT /v1/commands", 405,
                    "POST /v1/commands", 403,
                    "POST /v1/status", 405));
            for (Map.Entry<String, Integer> each : wrong.entrySet()) {
                String[] words = each.getKey().split(" ", -1);
                HttpResponse<String> answer = ask(agent, words[0], words[1]);
                assertThat(answer.statusCode()).as(each.getKey()).isEqualTo(each.getValue());
                API.requireProblem(words[1], answer);
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
            String remedy = new JsonMapper()
                    .readTree(ask(cell.agent(1).adminAddress(), "GET", "/none").body())
                    .path("remedy")
                    .stringValue();
            assertThat(remedy.substring("ask for one of ".length()).split(", ", -1))
                    .containsExactlyInAnyOrderElementsOf(API.paths());
        }
    }
}
