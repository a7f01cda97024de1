package dev.retier.cli.operate;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Asks an agent by its admin API. Stateless. */
final class AgentClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** An agent within a few percent of a processor that has never answered takes longer than five seconds. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private AgentClient() {}

    /**
     * What {@code /v1/status} of the agent at {@code agent} answers.
     *
     * @throws CommandFailure in one line that names the address and the remedy
     */
    private static String statusText(String agent) throws InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build()) {
            HostPort address =
                    HostPort.parse(agent).orElseThrow(() -> new IllegalArgumentException("no host and port"));
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/v1/status"))
                    .timeout(ANSWER_TIMEOUT)
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        agent + " answered " + response.statusCode() + "; is it an agent's admin address?");
            }
            return response.body();
        } catch (HttpConnectTimeoutException e) {
            throw noAnswer(agent, e);
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the agent at " + agent + " has not answered in " + ANSWER_TIMEOUT.toSeconds()
                            + " s; does it get the processor time that it needs?",
                    e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--agent " + agent + ": write HOST:PORT", e);
        } catch (IOException e) {
            throw noAnswer(agent, e);
        }
    }

    private static CommandFailure noAnswer(String agent, IOException cause) {
        return new CommandFailure(
                ExitCode.FAILED,
                "no agent answers at " + agent + "; is it running, and is this its admin address?",
                cause);
    }

    /**
     * What {@code /v1/status} of the first of these agents that answers tells.
     *
     * @throws CommandFailure when none does
     */
    static String firstStatusText(List<String> agents) throws InterruptedException {
        CommandFailure last = null;
        for (String agent : agents) {
            try {
                return statusText(agent);
            } catch (CommandFailure e) {
                if (e.exitCode() != ExitCode.FAILED) {
                    throw e;
                }
                last = e;
            }
        }
        if (agents.size() == 1 && last != null) {
            throw last;
        }
        throw new CommandFailure(ExitCode.FAILED, "no agent answers at any of " + String.join(", ", agents));
    }

    /**
     * That text as JSON.
     *
     * @throws CommandFailure when it is none, or not an object
     */
    static ObjectNode status(String agent, String text) {
        try {
            if (JsonMapper.shared().readTree(text) instanceof ObjectNode status) {
                return status;
            }
            throw new CommandFailure(ExitCode.FAILED, agent + " answered with other JSON; is it an agent?");
        } catch (JacksonException e) {
            throw new CommandFailure(ExitCode.FAILED, agent + " answered with no JSON; is it an agent?", e);
        }
    }
}
