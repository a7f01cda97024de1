package dev.retier.agent.daemon;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.http.AgentMetric;
import dev.retier.agent.http.AgentMetrics;
import dev.retier.agent.loop.LoopEvent;
import dev.retier.agent.render.EdgeWord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What edges have told this agent: held against the cluster file, and kept until the loop takes it. Of each configured
 * edge there is one word at a time, however many come. Thread-safe.
 */
final class EdgesHeard {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private final String name;
    private final AgentMetrics metrics;
    private final Runnable whenTold;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Heard> newest = new HashMap<>(); // guarded by lock
    private final Set<String> waiting = new LinkedHashSet<>(); // guarded by lock
    private final Set<Result> told = EnumSet.noneOf(Result.class); // guarded by lock

    /** What became of a word. */
    enum Result {
        /** It is kept. */
        TAKEN,
        /** It is of no edge of that site. */
        UNKNOWN,
        /** It is none. */
        MALFORMED
    }

    /** A word of an edge as it was configured then. */
    private record Heard(EdgeConfig edge, EdgeWord word, long atNanos) {}

    /**
     * A configured edge.
     *
     * @param word what it has told last, empty for nothing
     * @param age since it was told
     */
    record Shown(EdgeConfig edge, Optional<EdgeWord> word, Duration age) {}

    /** {@code whenTold}, of a word of a known edge that is another one than before, must not block. */
    EdgesHeard(String name, AgentMetrics metrics, Runnable whenTold) {
        this.name = name;
        this.metrics = metrics;
        this.whenTold = whenTold;
    }

    /** Takes a word that came with a request for the targets of {@code site}, if it is one of an edge of that site. */
    void offer(ClusterConfig config, String site, String text) {
        Optional<EdgeWord> word = EdgeWord.parse(text);
        Optional<EdgeConfig> edge = word.flatMap(some -> config.edgeNamed(some.edge()))
                .filter(known -> config.site(known.site())
                        .filter(its -> its.name().equals(site))
                        .isPresent());
        Result result = edge.isPresent() ? Result.TAKEN : word.isPresent() ? Result.UNKNOWN : Result.MALFORMED;
        metrics.count(AgentMetric.EDGE_WORDS, "result", AgentMetrics.label(result));
        if (edge.isPresent() && word.isPresent()) {
            if (isNews(new Heard(edge.get(), word.get(), System.nanoTime()))) {
                whenTold.run();
            }
        } else if (isFirst(result)) {
            LOG.warn("{}: {}", name, complaint(word, site));
        }
    }

    /** Keeps it. Returns whether it is another word than before. */
    private boolean isNews(Heard heard) {
        lock.lock();
        try {
            Heard before = newest.put(heard.edge.name(), heard);
            waiting.add(heard.edge.name());
            return before == null || !before.word.equals(heard.word);
        } finally {
            lock.unlock();
        }
    }

    private boolean isFirst(Result result) {
        lock.lock();
        try {
            return told.add(result);
        } finally {
            lock.unlock();
        }
    }

    /** Told once: whoever sends this may do so thousands of times. */
    private static String complaint(Optional<EdgeWord> word, String site) {
        return word.map(some -> "the cluster file of this agent has no edge " + some.edge() + " before site " + site
                        + ", which tells what it runs; nothing is made of it: give both the same cluster file")
                .orElse("a request for the targets of a site has a header " + EdgeWord.HEADER
                        + " that no edge of this version sends; nothing is made of it");
    }

    /** What was told since the last call, for the loop. */
    List<LoopEvent> take() {
        lock.lock();
        try {
            List<LoopEvent> words = new ArrayList<>();
            waiting.forEach(edge -> Optional.ofNullable(newest.get(edge))
                    .ifPresent(heard -> words.add(new LoopEvent.EdgeTold(heard.word()))));
            waiting.clear();
            return words;
        } finally {
            lock.unlock();
        }
    }

    /** All edges of that configuration; what one told that was configured otherwise says nothing of it. */
    List<Shown> show(ClusterConfig config) {
        lock.lock();
        try {
            long nowNanos = System.nanoTime();
            return config.edges().stream()
                    .map(edge -> {
                        Optional<Heard> heard =
                                Optional.ofNullable(newest.get(edge.name())).filter(some -> some.edge.equals(edge));
                        return new Shown(
                                edge,
                                heard.map(Heard::word),
                                Duration.ofNanos(
                                        nowNanos - heard.map(Heard::atNanos).orElse(nowNanos)));
                    })
                    .toList();
        } finally {
            lock.unlock();
        }
    }
}
