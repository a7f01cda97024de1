package dev.retier.agent.edge;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.render.EdgeWord;
import dev.retier.agent.render.TargetList;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.tls.Credentials;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the agent of every node what an edge runs and whether it sends to that node by it: at once after each change,
 * again every second until it has answered, and every ten seconds to one that has, as it may have been started since.
 * Each agent is told over one kept connection and in order; a long poll, which is another connection, carries no word,
 * as it might arrive after a newer one. Thread-safe; a virtual thread for each agent.
 */
final class Telling implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    /** Below the time after which agents close a connection without requests. */
    private static final Duration REPEAT = Duration.ofSeconds(10);

    /** To those who may not read. */
    private static final Set<Integer> REFUSALS = Set.of(401, 403, 429);

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(5);

    private final String edge;
    private final String path;
    private final Credentials credentials;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Thread> threads = new ArrayList<>();
    private News news = new News(0, null); // guarded by lock
    private boolean isClosed; // guarded by lock

    /** What runs, null while that is not known; of two the higher number is the newer. */
    private record News(long number, @Nullable TargetList runs) {
        EdgeWord word(String edge, HostPort node) {
            return runs == null
                    ? EdgeWord.unknown(edge)
                    : new EdgeWord(edge, runs.stamp(), runs.targets().contains(node));
        }
    }

    /** Of {@code edge}, to the agents at these addresses, which are in the order of the nodes of {@code config}. */
    Telling(ClusterConfig config, EdgeConfig edge, List<HostPort> agents, Credentials credentials) {
        this.credentials = credentials;
        this.edge = edge.name();
        this.path = "/v1/targets/" + config.site(edge.site()).orElseThrow().name();
        for (int node = 0; node < agents.size(); node++) {
            NodeConfig told = config.nodes().get(node);
            HostPort agent = agents.get(node);
            threads.add(Thread.ofVirtual()
                    .name("retier-tell-" + edge.name() + "-" + told.name())
                    .unstarted(() -> tellAgainAndAgain(told, agent)));
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** From now on the edge runs this. */
    void runs(TargetList list) {
        lock.lock();
        try {
            news = new News(news.number + 1, list);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void tellAgainAndAgain(NodeConfig node, HostPort agent) {
        Reach reach = new Reach();
        try (HttpFetch fetch = new HttpFetch(agent, credentials)) {
            for (News next = newest(); next != null; ) {
                EdgeWord word = next.word(edge, node.server().address());
                Optional<String> unheard = tell(fetch, word);
                Reach.Change change = reach.after(unheard.isEmpty(), System.nanoTime());
                say(change, node.name(), agent, unheard.orElse(""));
                next = awaitAfter(next.number, unheard.isEmpty() ? REPEAT : AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(Reach.Change change, String node, HostPort agent, String why) {
        switch (change) {
            case LOST ->
                LOG.warn(
                        "{}: the agent of {} has not answered at {} for {} s ({}); while that lasts {}, if it is a"
                                + " proxy, stays one",
                        edge,
                        node,
                        agent,
                        Reach.PATIENCE.toSeconds(),
                        why,
                        node);
            case BACK -> LOG.info("{}: the agent of {} answers again", edge, node);
            case NOTHING -> {}
        }
    }

    /** Why the agent has not the word; nothing if it has, as whatever it answers to one that it knows. */
    private Optional<String> tell(HttpFetch fetch, EdgeWord word) {
        try {
            int status = fetch.getSaying(path, EdgeWord.HEADER, word.header(), TIMEOUT)
                    .status();
            return REFUSALS.contains(status)
                    ? Optional.of("it answers " + status + ": show it a token or a certificate")
                    : Optional.empty();
        } catch (IOException e) {
            LOG.debug("{}: not told: {}", edge, e.toString());
            return Optional.of(Credentials.reason(e));
        }
    }

    private @Nullable News newest() {
        lock.lock();
        try {
            return isClosed ? null : news;
        } finally {
            lock.unlock();
        }
    }

    /** The newest once there is newer than that, or after so long; null at the end. */
    private @Nullable News awaitAfter(long number, Duration most) throws InterruptedException {
        long leftNanos = most.toNanos();
        lock.lock();
        try {
            while (!isClosed && leftNanos > 0 && news.number == number) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return isClosed ? null : news;
        } finally {
            lock.unlock();
        }
    }

    /** Tells nobody anything any more. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        long untilNanos = System.nanoTime() + JOIN_TIMEOUT.toNanos();
        try {
            for (Thread thread : threads) {
                // A virtual thread that waits for a socket is woken by this.
                thread.interrupt();
                thread.join(Duration.ofNanos(Math.max(1, untilNanos - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
