package dev.retier.load.target.source;

import dev.retier.load.target.Target;
import dev.retier.load.target.TargetList;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Says where the requests of a site should go, now and whenever that changes. Immutable, thread-safe. */
public interface TargetSource {
    /**
     * Starts to report. {@code listener} gets every list that arrives, unjudged, on threads of the source's own,
     * possibly several at once; the first one perhaps before this returns.
     *
     * @throws dev.retier.load.LoadException when there is no hope of ever getting a list
     */
    Subscription follow(String site, Consumer<TargetList> listener);

    /** What is followed, in a few words. */
    String description();

    /** Ends the reporting. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    /** Always the same targets. */
    static TargetSource fixed(List<Target> targets) {
        return new FixedTargets(targets);
    }

    /** A JSON file, read again when it changes; looked at several times a second. */
    static TargetSource file(Path file) {
        return new FileTargets(file);
    }

    /**
     * The agents at {@code agents}, each serving {@code GET /v1/targets/{site}}. All are asked at once; the highest
     * epoch wins, so any one of them is enough.
     *
     * @param agents base URLs, such as {@code http://127.0.0.1:7001}
     * @param access what they are shown
     * @throws IllegalArgumentException when there is none, too many, or one is no http(s) URL
     */
    static TargetSource agents(List<URI> agents, AgentAccess access) {
        return new HttpTargets(agents, Duration.ofSeconds(20), access);
    }
}
