package dev.retier.cli.operate;

import dev.retier.agent.tls.Credentials;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks agents by their admin API.
 *
 * @param agents their addresses, in the order in which they are asked
 * @param credentials how they are reached, and what they are shown
 * @param patience how long one of them may take to answer, to the last byte
 */
record AgentClient(List<HostPort> agents, Credentials credentials, Duration patience) {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** An agent within a few percent of a processor that has never answered takes longer than five seconds. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    /** Where an agent answers with another code when it is not ready, and why. */
    private static final String READINESS = "/readyz";

    private static final int OK = 200;
    private static final int NOT_READY = 503;
    private static final int UNPROVEN = 401;
    /** A status of 256 nodes has some 150 KiB, metrics as much. */
    private static final long MOST_BYTES = 16 << 20;

    private static final String PROOF = "; here that is --client-cert with --client-key, or --token-file";

    /** Keeps its own copy. */
    AgentClient {
        agents = List.copyOf(agents);
    }

    /** With patience for an agent that gets little processor time. */
    AgentClient(List<HostPort> agents, Credentials credentials) {
        this(agents, credentials, ANSWER_TIMEOUT);
    }

    /** The same with other patience. */
    AgentClient within(Duration time) {
        return new AgentClient(agents, credentials, time);
    }

    /** Of each of them alone, in their order. */
    List<AgentClient> each() {
        return agents.stream()
                .map(agent -> new AgentClient(List.of(agent), credentials, patience))
                .toList();
    }

    /**
     * What the first agent that answers tells at that path.
     *
     * @throws CommandFailure in one line that names the addresses and the remedy, when none does; {@link #hasAnswered}
     */
    String text(String path) throws InterruptedException {
        CommandFailure first = null;
        for (HostPort agent : agents) {
            try {
                return text(agent, path);
            } catch (CommandFailure e) {
                first = first == null ? e : first;
            }
        }
        CommandFailure failure = Objects.requireNonNull(first, "picocli asks for an agent");
        throw agents.size() == 1
                ? failure
                : new CommandFailure(
                        ExitCode.FAILED,
                        (hasAnswered(failure) ? "none answers of " : "no agent answers at any of ") + names()
                                + "; the first: " + failure.getMessage(),
                        failure);
    }

    /** Whether the one agent that was asked is there and has refused, so that other questions are worth asking. */
    static boolean hasAnswered(CommandFailure failure) {
        return failure.getCause() == null;
    }

    /** Their addresses, for messages. */
    String names() {
        return agents.stream().map(HostPort::toString).collect(Collectors.joining(", "));
    }

    private String text(HostPort agent, String path) throws InterruptedException {
        try (HttpClient client =
                credentials.client().connectTimeout(CONNECT_TIMEOUT).build()) {
            String scheme = credentials.isTls() ? "https://" : "http://";
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(scheme + agent + path));
            credentials.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
            HttpResponse<String> response = answer(client, request.build());
            boolean isNotReady = response.statusCode() == NOT_READY && path.startsWith(READINESS);
            if (response.statusCode() != OK && !isNotReady) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        agent + " answered " + response.statusCode() + problem(response.body())
                                + (response.statusCode() == UNPROVEN ? PROOF : ""));
            }
            return response.body();
        } catch (HttpConnectTimeoutException e) {
            throw noAnswer(agent, e);
        } catch (HttpTimeoutException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the agent at " + agent + " has not answered in " + patience.toSeconds()
                            + " s; does it get the processor time that it needs?",
                    e);
        } catch (SSLException e) {
            throw new CommandFailure(ExitCode.FAILED, "the agent at " + agent + ": " + Credentials.reason(e), e);
        } catch (IOException e) {
            throw noAnswer(agent, e);
        }
    }

    /** The JDK's own time limit ends with the head; a body may take as long as it likes. */
    private HttpResponse<String> answer(HttpClient client, HttpRequest request)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                request, HttpResponse.BodyHandlers.limiting(HttpResponse.BodyHandlers.ofString(), MOST_BYTES));
        try {
            return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            client.shutdownNow();
            throw new HttpTimeoutException("no whole answer");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            client.shutdownNow();
            throw e;
        }
    }

    /** Why, if it is one of ours that says so. */
    private static String problem(String body) {
        try {
            JsonNode problem = JsonMapper.shared().readTree(body);
            if (problem.has("detail")) {
                return ": " + problem.path("detail").asString() + "; "
                        + problem.path("remedy").asString();
            }
        } catch (JacksonException e) {
            return "; is it an agent's admin address?";
        }
        return "; is it an agent's admin address?";
    }

    private CommandFailure noAnswer(HostPort agent, IOException cause) {
        if (String.valueOf(cause.getMessage()).contains("capacity: " + MOST_BYTES)) {
            return new CommandFailure(
                    ExitCode.FAILED,
                    agent + " answers with more than " + (MOST_BYTES >> 20) + " MiB; is it an agent's admin address?",
                    cause);
        }
        return new CommandFailure(ExitCode.FAILED, "no agent answers at " + agent + remedy(cause), cause);
    }

    /** What speaks no TLS may never answer the beginning of it, as if nobody were there. */
    private String remedy(IOException cause) {
        if (cause instanceof HttpConnectTimeoutException && credentials.isTls()) {
            return "; is it running, is this its admin address, and does it speak TLS?";
        }
        if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
            return "; is it running, and is this its admin address?";
        }
        return credentials.isTls() ? " over TLS; does it speak that?" : " without TLS; if it speaks that, give --ca";
    }

    /**
     * A text that one of them answered, as JSON.
     *
     * @throws CommandFailure when it is none, or not an object
     */
    ObjectNode json(String text) {
        String who = names();
        try {
            if (JsonMapper.shared().readTree(text) instanceof ObjectNode object) {
                return object;
            }
            throw new CommandFailure(ExitCode.FAILED, who + " answered with other JSON; is it an agent?");
        } catch (JacksonException e) {
            throw new CommandFailure(ExitCode.FAILED, who + " answered with no JSON; is it an agent?", e);
        }
    }
}
