package dev.retier.cli.operate;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.options.AgentAccessOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What one agent answers to all questions that change nothing.
 *
 * @param texts by the name that each has in an archive
 * @param failures why others are not there, by their names; by an empty name if the agent did not answer
 */
public record AgentPages(Map<String, String> texts, Map<String, String> failures) {
    /** The name of the status. */
    public static final String STATUS = "status.json";

    /** Each question may take so long. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Agents that are gone take five seconds each: so a minute and a half for a cell of 256. */
    private static final int AT_ONCE = 16;

    private record Question(String name, String path) {}

    private static final List<Question> QUESTIONS = List.of(
            new Question("readyz.txt", "/readyz?verbose"),
            new Question(STATUS, "/v1/status"),
            new Question("explain.json", "/v1/explain"),
            new Question("moves.json", "/v1/moves"),
            new Question("config.json", "/v1/config"),
            new Question("version.json", "/v1/version"),
            new Question("metrics.txt", "/metrics"));

    /**
     * Of all that are named, by the names of their nodes, else their addresses; some are asked at the same time.
     *
     * @throws CommandFailure when they cannot be asked with what {@code access} says
     */
    public static Map<String, AgentPages> of(AskedAgent asked, AgentAccessOptions access) throws InterruptedException {
        Map<String, Future<AgentPages>> answers = new LinkedHashMap<>();
        Map<String, AgentPages> told = new TreeMap<>();
        Map<String, AgentClient> clients = asked.clients(access);
        try (ExecutorService workers =
                Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            clients.forEach((name, client) -> answers.put(name, workers.submit(() -> of(client.within(PATIENCE)))));
            for (Map.Entry<String, Future<AgentPages>> each : answers.entrySet()) {
                told.put(each.getKey(), each.getValue().get());
            }
            return told;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** What one refuses is not there; one that does not answer is asked no more. */
    private static AgentPages of(AgentClient agent) throws InterruptedException {
        Map<String, String> texts = new TreeMap<>();
        Map<String, String> failures = new TreeMap<>();
        for (Question question : QUESTIONS) {
            try {
                texts.put(question.name, agent.text(question.path));
            } catch (CommandFailure e) {
                boolean isThere = AgentClient.hasAnswered(e);
                failures.put(isThere ? question.name : "", String.valueOf(e.getMessage()));
                if (!isThere) {
                    break;
                }
            }
        }
        return new AgentPages(texts, failures);
    }

    /** The names of the volumes that a status tells of; none of what is no JSON. */
    public static List<String> volumes(String status) {
        List<String> names = new ArrayList<>();
        try {
            JsonMapper.shared()
                    .readTree(status)
                    .path("volumes")
                    .forEach(volume -> names.add(volume.path("volume").asString("")));
        } catch (JacksonException e) {
            return List.of();
        }
        return names;
    }
}
