package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.Agent;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.CommandAsked;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.control.ControlClient;
import dev.retier.agent.fixture.AgentCell;
import dev.retier.agent.fixture.ApiDescription;
import dev.retier.agent.journal.AuditJournal;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator commands running agents over HTTP; they answer as described, and keep who commanded what. */
class CommandsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final ApiDescription API = new ApiDescription();

    /** How each ends in a cell of one proxy and one app, neither of which can go. */
    private static final Map<String, String> ENDS = new TreeMap<>(Map.of(
            "{\"command\":\"plan\"}", "done",
            "{\"command\":\"pause\",\"here\":true}", "done",
            "{\"command\":\"resume\",\"here\":true}", "done",
            "{\"command\":\"diff\"}", "done",
            "{\"command\":\"move\",\"node\":\"node-2\",\"to\":\"shop/proxy\"}", "refused",
            "{\"command\":\"move\",\"node\":\"node-9\",\"to\":\"shop/proxy\"}", "bad_request",
            "{\"command\":\"drain\",\"node\":\"node-1\",\"dry_run\":true}", "refused",
            "{\"command\":\"undo\"}", "refused",
            "{\"command\":\"repair\",\"node\":\"node-1\",\"dry_run\":true}", "done"));

    @TempDir
    private Path folder = Path.of("");

    @Test
    void shouldAnswerAsDescribed_andKeepWhoAsked() throws Exception {
        try (AgentCell cell = AgentCell.startFor(folder, 1, 1, GuardedServer.access(folder));
                TlsCaller caller = TlsCaller.of(cell.agent(1).adminAddress(), folder.resolve("ca.pem"), null)) {
            await().atMost(PATIENCE).until(() -> cell.agents().stream().allMatch(Agent::isReady));
            TlsCaller bob = caller.withToken(GuardedServer.OPERATORS_TOKEN);
            Map<String, String> ends = new TreeMap<>();
            int key = 0;
            for (String command : ENDS.keySet()) {
                key++;
                HttpResponse<String> answer =
                        bob.command(command, "Idempotency-Key", "k" + key, "Content-Type", "application/json");
                API.requireDescribed("post", "/v1/commands", answer);
                API.requireDescribed("get", "/v1/commands/{key}", bob.get("/v1/commands/k" + key));
                ends.put(command, answer.body().replaceAll(".*\"outcome\":\"([a-z_]+)\".*", "$1"));
            }
            assertThat(ends).isEqualTo(ENDS);
            String[] fields = {"Idempotency-Key", "refused", "Content-Type", "application/json"};
            API.requireDescribed(
                    "post", "/v1/commands", bob.command("{\"command\":\"undo\",\"if_epoch\":999}", fields));
            HttpResponse<String> tried =
                    caller.withToken(GuardedServer.VIEWERS_TOKEN).command("{\"command\":\"pause\"}", fields);
            assertThat(tried.statusCode()).isEqualTo(403);
            API.requireProblem("/v1/commands", tried);
            ControlClient.ask(cell.controlSocket(1), new Command.Plan(), PATIENCE);

            Path journal = new AgentConfig(
                            cell.config(), cell.config().nodes().getFirst().id())
                    .journalDirectory();
            List<CommandAsked> kept = AuditJournal.read(journal);
            assertThat(kept).hasSize(ENDS.size() + 3).allMatch(asked -> asked.end() != null);
            assertThat(kept.subList(ENDS.size(), ENDS.size() + 2))
                    .extracting(
                            CommandAsked::by,
                            asked -> asked.end() == null ? "" : asked.end().outcome())
                    .containsExactly(tuple("bob", "refused"), tuple("prometheus", "refused"));
            assertThat(kept.subList(0, ENDS.size()))
                    .allMatch(asked -> asked.by().equals("bob") && asked.from().equals("127.0.0.1"));
            assertThat(kept.getLast().from()).isEqualTo("control socket");
            assertThat(kept.getLast().by()).isEqualTo(System.getProperty("user.name"));
            kept.forEach(asked -> API.requireEvent("command", asked.print()));
        }
    }
}
