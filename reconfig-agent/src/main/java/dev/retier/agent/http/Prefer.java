package dev.retier.agent.http;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.HttpString;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long a client would wait for an answer, by {@code Prefer: wait=N} (RFC 7240, section 4.3). Stateless. */
final class Prefer {
    private static final HttpString PREFER = new HttpString("Prefer");
    private static final HttpString APPLIED = new HttpString("Preference-Applied");
    private static final Pattern WAIT = Pattern.compile("(?:^|[,;\\s])wait\\s*=\\s*(\\d{1,6})(?:$|[,;\\s])");

    private Prefer() {}

    /** A minute at most; empty when it says nothing. */
    static Optional<Duration> wait(HttpServerExchange exchange) {
        String prefer = exchange.getRequestHeaders().getFirst(PREFER);
        Matcher matcher = WAIT.matcher(prefer == null ? "" : prefer);
        if (!matcher.find()) {
            return Optional.empty();
        }
        long seconds = Math.min(Long.parseLong(matcher.group(1)), TimeUnit.MINUTES.toSeconds(1));
        return Optional.of(Duration.ofSeconds(seconds));
    }

    /** Says in the answer that it is kept to. */
    static void applied(HttpServerExchange exchange, Duration wait) {
        exchange.getResponseHeaders().put(APPLIED, "wait=" + wait.toSeconds());
    }
}
