package dev.retier.agent.http;

import dev.retier.agent.access.Caller;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.CommandText;
import dev.retier.agent.http.CommandKeys.Keyed;
import dev.retier.agent.http.CommandKeys.Taken;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import io.undertow.util.PathTemplateMatch;
import io.undertow.util.StatusCodes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commands of operators over HTTP. Each has a key of its sender's, by which it is carried out once however often it is
 * sent; who does not wait for its end asks for that by its key. Who may is found out before. Thread-safe.
 */
final class Commands {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    static final HttpString KEY = new HttpString("Idempotency-Key");

    private static final Duration USUAL_WAIT = Duration.ofSeconds(5);
    private static final String JSON = "application/json";
    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9._~-]{1,64}");
    private static final String NOT_OPERATOR = "may read, and only operators command";
    private static final String UNDER_WAY = "{\"outcome\":\"under_way\"}";

    private final CommandKeys keys = new CommandKeys();
    private final AdminApi api;
    private final Executor workers;

    /** For an agent; its threads wait for the ends of commands. */
    Commands(AdminApi api, Executor workers) {
        this.api = api;
        this.workers = workers;
    }

    /** Takes a command. */
    void post(HttpServerExchange exchange) {
        Optional<String> key = key(exchange.getRequestHeaders().getFirst(KEY));
        if (key.isEmpty()) {
            new Problem(
                            StatusCodes.BAD_REQUEST,
                            "a command has no key of its own",
                            "send the header " + KEY + " with 1 to 64 letters, digits, dots, dashes, underscores or"
                                    + " tildes that no other command has, such as a UUID")
                    .send(exchange);
            return;
        }
        if (!CommandBody.isOfType(exchange.getRequestHeaders().getFirst(Headers.CONTENT_TYPE))) {
            new Problem(
                            StatusCodes.UNSUPPORTED_MEDIA_TYPE,
                            "a command is no " + JSON + " in UTF-8",
                            "send it with that Content-Type")
                    .send(exchange);
            return;
        }
        exchange.getRequestReceiver()
                .receiveFullBytes(
                        (_, body) -> exchange.dispatch(workers, () -> take(exchange, key.get(), body)),
                        (_, _) -> new Problem(
                                        StatusCodes.REQUEST_ENTITY_TOO_LARGE,
                                        "the command cannot be read, or is longer than any",
                                        "send " + CommandText.MAX_LENGTH + " characters at most")
                                .send(exchange));
    }

    /**
     * Has {@code refusing} answer one who may not command, and keeps what he would have done if he has proven who he
     * is: of all such, as many as {@code access} lets be kept, so that nobody fills the journal of what operators did.
     */
    HttpHandler tried(AdminAccess access, Consumer<HttpServerExchange> refusing) {
        return exchange -> {
            Caller caller = RoleCheck.caller(exchange);
            if (caller.isKnown()) {
                exchange.getRequestReceiver()
                        .receiveFullBytes(
                                (_, body) -> exchange.dispatch(workers, () -> {
                                    CommandBody.parse(body)
                                            .filter(_ -> access.refusals().isKept(System.nanoTime()))
                                            .ifPresent(order -> api.refused(order.command(), caller, NOT_OPERATOR));
                                    refusing.accept(exchange);
                                }),
                                (_, _) -> refusing.accept(exchange));
            } else {
                refusing.accept(exchange);
            }
        };
    }

    /** As a token, or as the string of RFC 8941. */
    private static Optional<String> key(@Nullable String header) {
        String text = header == null ? "" : header.strip();
        String bare = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
        Matcher matcher = BARE.matcher(bare);
        return matcher.matches() ? Optional.of(bare) : Optional.empty();
    }

    private void take(HttpServerExchange exchange, String key, byte[] body) {
        Optional<CommandBody> order = CommandBody.parse(body);
        if (order.isEmpty()) {
            new Problem(
                            StatusCodes.BAD_REQUEST,
                            "this is no command of this version",
                            "send one JSON object such as {\"command\":\"drain\",\"node\":\"web-3\",\"dry_run\":true};"
                                    + " /v1/openapi.yaml has them all")
                    .send(exchange);
            return;
        }
        Caller caller = RoleCheck.caller(exchange);
        switch (keys.take(key, caller.name(), order.get().text())) {
            case Taken.Fresh(Keyed command) -> begin(exchange, key, order.get(), command);
            case Taken.Again(Keyed command) -> answer(exchange, key, command);
            case Taken.Clash _ ->
                new Problem(
                                StatusCodes.UNPROCESSABLE_ENTITY,
                                "another command has this key",
                                "give each command a key of its own")
                        .send(exchange);
            case Taken.Full _ -> {
                exchange.getResponseHeaders().put(Headers.RETRY_AFTER, 1);
                new Problem(
                                StatusCodes.SERVICE_UNAVAILABLE,
                                "as many commands are under way as this agent takes",
                                "wait until one has ended, and send it again with the same key")
                        .send(exchange);
            }
        }
    }

    private void begin(HttpServerExchange exchange, String key, CommandBody order, Keyed keyed) {
        Optional<String> objection = order.objection(api.epoch());
        if (objection.isPresent()) {
            keys.giveBack(key, Answer.of(Answer.Outcome.REFUSED, objection.get()));
            api.refused(order.command(), RoleCheck.caller(exchange), objection.get());
            new Problem(
                            StatusCodes.CONFLICT,
                            objection.get(),
                            "look at what has changed, and send it with a new key and the new epoch")
                    .send(exchange);
            return;
        }
        Caller caller = RoleCheck.caller(exchange);
        workers.execute(() -> {
            try {
                keyed.end().complete(api.command(order.command(), caller));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                keyed.end().complete(Answer.of(Answer.Outcome.FAILED, "the agent is leaving"));
            } catch (RuntimeException e) {
                LOG.error("a command over HTTP has failed for a mistake of the agent's; please report this", e);
                keyed.end().completeExceptionally(e);
            }
        });
        answer(exchange, key, keyed);
    }

    private static void answer(HttpServerExchange exchange, String key, Keyed keyed) {
        exchange.getResponseHeaders().put(Headers.LOCATION, "commands/" + key);
        answer(exchange, keyed, USUAL_WAIT);
    }

    /** What became of a command that was sent. */
    void get(HttpServerExchange exchange) {
        String key = exchange.getAttachment(PathTemplateMatch.ATTACHMENT_KEY)
                .getParameters()
                .getOrDefault("key", "");
        Optional<Keyed> keyed = keys.get(key);
        if (keyed.isEmpty()) {
            new Problem(
                            StatusCodes.NOT_FOUND,
                            "no command of that key is known",
                            "ask the agent that it was sent to; it keeps the newest " + CommandKeys.MOST
                                    + ", and none of an earlier life (retier history --audit has all)")
                    .send(exchange);
            return;
        }
        exchange.dispatch(workers, () -> answer(exchange, keyed.get(), Duration.ZERO));
    }

    private static void answer(HttpServerExchange exchange, Keyed keyed, Duration usual) {
        Optional<Duration> preferred = Prefer.wait(exchange);
        preferred.ifPresent(wait -> Prefer.applied(exchange, wait));
        try {
            Answer answer = keyed.end().get(preferred.orElse(usual).toMillis(), TimeUnit.MILLISECONDS);
            Watched.send(exchange, StatusCodes.OK, JSON, answer.print());
        } catch (TimeoutException e) {
            exchange.getResponseHeaders().put(Headers.RETRY_AFTER, 1);
            Watched.send(exchange, StatusCodes.ACCEPTED, JSON, UNDER_WAY);
        } catch (ExecutionException e) {
            new Problem(StatusCodes.INTERNAL_SERVER_ERROR, "the agent failed at it", "see its log").send(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exchange.setStatusCode(StatusCodes.SERVICE_UNAVAILABLE).endExchange();
        }
    }
}
