package dev.retier.agent.observe;

import dev.retier.agent.view.VolumesSeen;
import dev.retier.link.NodeId;
import dev.retier.volume.connect.TableReader.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the tables of the cluster's volume servers again and again, by a thread of its own: a server that does not
 * answer keeps no look waiting, which takes what was read last. Thread-safe.
 */
public final class VolumeWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeWatch.class);
    /** For one that is connected; one that is not is not waited for. */
    private static final Duration PATIENCE = Duration.ofMillis(500);
    /** Tables are written twice per second. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);

    private final String node;
    private final List<Source> sources;
    private final Supplier<Duration> pause;
    private final Thread thread;
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private volatile VolumesSeen newest;

    /** A volume server. */
    public interface Source extends AutoCloseable {
        /** On whose machine it is. */
        NodeId node();

        /** What it tells now, or why that is not known; waits no longer than that. */
        Outcome read(Duration patience);

        @Override
        void close();
    }

    /**
     * One that has not begun.
     *
     * @param node whose agent this is, for the log
     * @param sources closed with it
     * @param pause between two reads of all, asked for each time
     */
    public VolumeWatch(String node, List<Source> sources, Supplier<Duration> pause) {
        this.node = node;
        this.sources = List.copyOf(sources);
        this.pause = pause;
        SortedMap<NodeId, VolumesSeen.Server> unread = new TreeMap<>();
        sources.forEach(source -> unread.put(source.node(), VolumesSeen.Server.UNREAD));
        this.newest = new VolumesSeen(unread);
        this.thread =
                Thread.ofPlatform().name("retier-volumes-" + node).daemon().unstarted(this::work);
    }

    /** Begins; there is no thread where there is nothing to read. */
    public void start() {
        if (!sources.isEmpty()) {
            thread.start();
        }
    }

    /** What is known. Any thread; at once. */
    public VolumesSeen newest() {
        return newest;
    }

    private void work() {
        try {
            do {
                read();
            } while (!isClosed.await(pauseNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long pauseNanos() {
        return Math.max(pause.get().toNanos(), SHORTEST_PAUSE.toNanos());
    }

    private void read() {
        for (Source source : sources) {
            if (isClosed.getCount() == 0) {
                return;
            }
            SortedMap<NodeId, VolumesSeen.Server> servers = new TreeMap<>(newest.servers());
            servers.compute(source.node(), (_, before) -> {
                VolumesSeen.Server known = before == null ? VolumesSeen.Server.UNREAD : before;
                VolumesSeen.Server now = read(source, known);
                tell(source.node(), known, now);
                return now;
            });
            newest = new VolumesSeen(servers);
        }
    }

    private static VolumesSeen.Server read(Source source, VolumesSeen.Server known) {
        try {
            return switch (source.read(PATIENCE)) {
                case Outcome.Read(var table) -> known.read(table, System.nanoTime());
                case Outcome.Unread(String why) -> known.unread(why);
            };
        } catch (RuntimeException fault) {
            LOG.error("the volume server of {} could not be read", source.node(), fault);
            return known.unread(fault.toString());
        }
    }

    /** Each change once. */
    private void tell(NodeId server, VolumesSeen.Server before, VolumesSeen.Server now) {
        if (!now.problem().isEmpty() && before.problem().isEmpty()) {
            LOG.warn("{}: nothing new is known of the volume server of {}: {}", node, server, now.problem());
        } else if (now.problem().isEmpty() && !before.problem().isEmpty()) {
            LOG.info("{}: reads the volume server of {}", node, server);
        }
    }

    @Override
    public void close() {
        isClosed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sources.forEach(Source::close);
    }
}
