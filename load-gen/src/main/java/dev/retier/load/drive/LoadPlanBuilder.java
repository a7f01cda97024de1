package dev.retier.load.drive;

import dev.retier.load.http.HeaderField;
import dev.retier.load.measure.GoodStatuses;
import dev.retier.load.schedule.Pacing;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.Trace;
import dev.retier.traces.play.Promise;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a {@link LoadPlan}; what is not set keeps its default. Values are checked when the run starts. One thread. */
public final class LoadPlanBuilder {
    private static final Duration USUAL_GRACE = Duration.ofSeconds(2);

    private final String site;
    private final Trace trace;
    private final TargetSource targets;
    private int loops = 1;
    private int clients = 48;
    private @Nullable String host;
    private Duration interval = Duration.ofMillis(250);
    private Duration requestTimeout = Duration.ofSeconds(10);
    private @Nullable Duration duration;
    private long maxRequests;
    private int eventLoops = 1;
    private @Nullable Duration stopGrace;
    private Duration stallLimit = Duration.ofSeconds(60);
    private Pacing pacing = Pacing.CLOSED;
    private int maxQueued = 10_000;
    private Connections connections = Connections.SPREAD;
    private List<HeaderField> headers = List.of();
    private GoodStatuses good = GoodStatuses.USUAL;
    private int retries;
    private boolean conditional;
    private @Nullable TlsOptions tls;
    private @Nullable Duration answerWithin;
    private @Nullable Streams streams;
    private Duration targetWait = Duration.ofSeconds(10);

    LoadPlanBuilder(String site, Trace trace, TargetSource targets) {
        this.site = site;
        this.trace = trace;
        this.targets = targets;
    }

    /** How often to go through the trace; default once. */
    public LoadPlanBuilder withLoops(int value) {
        loops = value;
        return this;
    }

    /** Connections; default 48. */
    public LoadPlanBuilder withClients(int value) {
        clients = value;
        return this;
    }

    /** Host field of all requests; default the target's host and port. */
    public LoadPlanBuilder withHost(String value) {
        host = value;
        return this;
    }

    /** Length of the intervals; default 250 ms. */
    public LoadPlanBuilder withInterval(Duration value) {
        interval = value;
        return this;
    }

    /** Longest wait for an answer; default 10 s. */
    public LoadPlanBuilder withRequestTimeout(Duration value) {
        requestTimeout = value;
        return this;
    }

    /** End by the clock; default none. */
    public LoadPlanBuilder withDuration(Duration value) {
        duration = value;
        return this;
    }

    /** End by count; default 0, none. */
    public LoadPlanBuilder withMaxRequests(long value) {
        maxRequests = value;
        return this;
    }

    /** Sending threads; default 1. */
    public LoadPlanBuilder withEventLoops(int value) {
        eventLoops = value;
        return this;
    }

    /** Time for requests in flight at the end; default 2 s, or as long as an answer may take to be in time. */
    public LoadPlanBuilder withStopGrace(Duration value) {
        stopGrace = value;
        return this;
    }

    /** Longest time without a good answer; default 60 s. */
    public LoadPlanBuilder withStallLimit(Duration value) {
        stallLimit = value;
        return this;
    }

    /** When requests are sent; default a closed loop without think time. */
    public LoadPlanBuilder withPacing(Pacing value) {
        pacing = value;
        return this;
    }

    /** Open loop: due requests that may wait for a free client, per event loop; default 10,000. */
    public LoadPlanBuilder withMaxQueued(int value) {
        maxQueued = value;
        return this;
    }

    /** What becomes of connections; default kept alive and spread. */
    public LoadPlanBuilder withConnections(Connections value) {
        connections = value;
        return this;
    }

    /** Fields of every request's head; default none beside the usual. */
    public LoadPlanBuilder withHeaders(List<HeaderField> value) {
        headers = List.copyOf(value);
        return this;
    }

    /** Which statuses count as good; default all below 400. */
    public LoadPlanBuilder withGood(GoodStatuses value) {
        good = value;
        return this;
    }

    /** How often a request whose connection failed may be sent again; default 0. */
    public LoadPlanBuilder withRetries(int value) {
        retries = value;
        return this;
    }

    /** Whether requests that were answered 304 in the trace become conditional; default false. */
    public LoadPlanBuilder withConditional(boolean value) {
        conditional = value;
        return this;
    }

    /** How all targets are spoken to over TLS; default: only those whose list says {@code https://}, checked. */
    public LoadPlanBuilder withTls(TlsOptions value) {
        tls = value;
        return this;
    }

    /** How soon answers must come to be in time; default one interval, at least 1 s. */
    public LoadPlanBuilder withAnswerWithin(Duration value) {
        answerWithin = value;
        return this;
    }

    /** That answers are streams to be held; default: they have an end. */
    public LoadPlanBuilder withStreams(Streams value) {
        streams = value;
        return this;
    }

    /** Longest wait for the first target list; default 10 s. */
    public LoadPlanBuilder withTargetWait(Duration value) {
        targetWait = value;
        return this;
    }

    /** The plan as it stands. */
    public LoadPlan build() {
        Duration within = answerWithin == null ? Promise.longer(interval, Promise.SECOND) : answerWithin;
        return new LoadPlan(
                site,
                trace,
                loops,
                targets,
                clients,
                host,
                interval,
                requestTimeout,
                duration,
                maxRequests,
                eventLoops,
                stopGrace == null ? Promise.longer(within, USUAL_GRACE) : stopGrace,
                stallLimit,
                pacing,
                maxQueued,
                connections,
                retries,
                conditional,
                headers,
                good,
                tls,
                within,
                streams,
                targetWait);
    }
}
