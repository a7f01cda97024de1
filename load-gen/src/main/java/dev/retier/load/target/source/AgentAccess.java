package dev.retier.load.target.source;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How agents are reached, and what they are shown by who asks them. Thread-safe.
 *
 * @param clients makes a client of agents, before its own settings, which knows those at {@code https://}
 * @param token shown with each request, if there is one; a secret
 */
public record AgentAccess(Supplier<HttpClient.Builder> clients, Supplier<Optional<String>> token) {
    /** Nothing is shown, and those at {@code https://} are known as Java knows others. */
    public static final AgentAccess OPEN = new AgentAccess(HttpClient::newBuilder, Optional::empty);

    /** A client of agents, before its own settings. */
    HttpClient.Builder client() {
        return clients.get();
    }

    /** A request to one of them. */
    HttpRequest.Builder request(URI uri) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        token.get().ifPresent(shown -> request.header("Authorization", "Bearer " + shown));
        return request;
    }
}
