package dev.retier.agent.real;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.server.InstallerEvents;
import dev.retier.agent.server.ManagedServer;
import dev.retier.agent.server.ManagedServers;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** How each file came into force, or did not. Thread-safe. */
final class Installations implements InstallerEvents {
    private final Queue<Result> results = new ConcurrentLinkedQueue<>();

    @Override
    public void ended(Result result) {
        results.add(result);
    }

    /** All so far, the oldest first. */
    Queue<Result> results() {
        return results;
    }

    /** The server, as an agent sees it that begins now. */
    ManagedServer open(ServerConfig server) {
        ManagedServer managed = ManagedServers.open("test", server, this);
        managed.start();
        return managed;
    }
}
