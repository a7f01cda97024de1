package dev.retier.load.target.source;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What agents are shown by who asks them. Thread-safe.
 *
 * @param tls by which those at {@code https://} are reached; null for what Java has by itself
 * @param token shown with each request, if there is one; a secret
 */
public record AgentAccess(@Nullable SSLContext tls, Supplier<Optional<String>> token) {
    /** Nothing is shown. */
    public static final AgentAccess OPEN = new AgentAccess(null, Optional::empty);

    /** A client of agents, before its own settings. */
    HttpClient.Builder client() {
        HttpClient.Builder client = HttpClient.newBuilder();
        return tls == null ? client : client.sslContext(tls);
    }

    /** A request to one of them. */
    HttpRequest.Builder request(URI uri) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        token.get().ifPresent(shown -> request.header("Authorization", "Bearer " + shown));
        return request;
    }
}
