package dev.retier.load.target.source;

import dev.retier.load.target.TargetList;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Asks several agents at once, each by long polls on a virtual thread of its own, so that a dead or silent agent delays
 * nothing.
 */
record HttpTargets(List<URI> agents, Duration pollWait, AgentAccess access) implements TargetSource {
    /** Any one agent is enough; more than this is a mistake. */
    static final int MAX_AGENTS = 64;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    HttpTargets {
        agents = List.copyOf(agents);
        if (agents.isEmpty() || agents.size() > MAX_AGENTS) {
            throw new IllegalArgumentException(agents.size() + " agent URLs; give 1.." + MAX_AGENTS);
        }
        agents.forEach(HttpTargets::requireHttp);
    }

    @Override
    public Subscription follow(String site, Consumer<TargetList> listener) {
        HttpClient client = access.client()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .build();
        CountDownLatch closed = new CountDownLatch(1);
        List<Thread> threads = agents.stream()
                .map(agent -> new AgentPoll(client, pollOf(agent, site), closed, listener))
                .map(poll -> Thread.ofVirtual().name("load-targets").start(poll))
                .toList();
        return () -> {
            closed.countDown();
            threads.forEach(Thread::interrupt);
            client.shutdownNow();
        };
    }

    @Override
    public String description() {
        return agents.size() == 1 ? "agent " + agents.getFirst() : agents.size() + " agents";
    }

    private AgentPoll.Address pollOf(URI agent, String site) {
        String base = agent.toString().replaceAll("/+$", "");
        return new AgentPoll.Address(URI.create(base + "/v1/targets/" + site), pollWait, access);
    }

    private static void requireHttp(URI agent) {
        boolean http = "http".equals(agent.getScheme()) || "https".equals(agent.getScheme());
        if (!http || agent.getHost() == null) {
            throw new IllegalArgumentException("agent URL '" + agent + "' is no http://host:port");
        }
    }
}
