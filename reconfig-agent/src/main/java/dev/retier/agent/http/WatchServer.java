package dev.retier.agent.http;

import dev.retier.agent.ReconfigException;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.util.Optional;

/**
 * Serves {@code /metrics}, {@code /livez} and {@code /readyz} of a process that is no agent, over HTTP, within the
 * bounds of the agents' listener. Thread-safe.
 */
public final class WatchServer implements AutoCloseable {
    private final AdminEndpoint endpoint;

    private WatchServer(AdminEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Listens at {@code listen}.
     *
     * @throws ReconfigException when the address cannot be listened at
     */
    public static WatchServer start(HostPort listen, Health health, Meters meters) {
        try {
            AdminEndpoint endpoint = new AdminEndpoint(
                    listen, AdminLimits.usual(), Optional.empty(), new Watched(health, meters::scrape).to(new Paths()));
            endpoint.start();
            return new WatchServer(endpoint);
        } catch (IOException | RuntimeException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "cannot listen at " + listen + "; free that port or change the key admin",
                    e);
        }
    }

    /** Where it listens, with the port that the system chose if none was asked for. */
    public HostPort address() {
        return endpoint.address();
    }

    /** Stops listening. */
    @Override
    public void close() {
        endpoint.close();
    }
}
