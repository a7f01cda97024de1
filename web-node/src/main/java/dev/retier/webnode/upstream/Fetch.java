package dev.retier.webnode.upstream;

import dev.retier.webnode.core.Answer;
import dev.retier.webnode.measure.Tally;
import io.undertow.util.StatusCodes;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xnio.XnioIoThread;

/**
 * One forwarded request, through as many apps as it takes and the limits allow. An old connection that breaks is
 * replaced by a new one to the same app; an app that breaks a new one is benched and another is tried; an app that
 * says it is too busy is left alone. All requests are GET, so a repeat does no harm (RFC 9110 section 9.2.2). Lives
 * on one I/O thread.
 */
final class Fetch {
    private final UpstreamPool pool;
    private final XnioIoThread thread;
    private final UpstreamRequest request;
    private final Consumer<FetchOutcome> whenDone;
    private final BitSet tried = new BitSet();
    private FetchOutcome.@Nullable Answered busy;
    private String lastReason = "there is none";

    Fetch(UpstreamPool pool, XnioIoThread thread, UpstreamRequest request, Consumer<FetchOutcome> whenDone) {
        this.pool = pool;
        this.thread = thread;
        this.request = request;
        this.whenDone = whenDone;
    }

    /** Tries the next app, or gives up. Called on the thread. */
    void tryNext() {
        int index = tried.cardinality() < pool.maxTries() ? pool.pick(tried) : -1;
        if (index < 0) {
            giveUp();
            return;
        }
        if (!tried.isEmpty()) {
            pool.counters().add(Tally.RETRIES);
        }
        tried.set(index);
        attempt(pool.upstream(index), false);
    }

    private void attempt(Upstream upstream, boolean freshOnly) {
        new Attempt(upstream, thread, request, end -> ended(upstream, end)).start(freshOnly);
    }

    private void ended(Upstream upstream, Attempt.End end) {
        switch (end) {
            case Attempt.End.Answered(Answer answer) -> answered(upstream, answer);
            case Attempt.End.Broken(String reason, boolean reused) -> broken(upstream, reason, reused);
        }
    }

    private void answered(Upstream upstream, Answer answer) {
        FetchOutcome.Answered outcome = new FetchOutcome.Answered(answer, upstream.node());
        if (answer.status() == StatusCodes.SERVICE_UNAVAILABLE) {
            busy = outcome;
            tryNext();
        } else {
            whenDone.accept(outcome);
        }
    }

    private void broken(Upstream upstream, String reason, boolean reused) {
        upstream.countFailure();
        upstream.dropIdle(thread);
        lastReason = upstream.node() + ": " + reason;
        if (reused) {
            pool.counters().add(Tally.RETRIES);
            attempt(upstream, true);
        } else {
            upstream.bench(System.nanoTime());
            tryNext();
        }
    }

    private void giveUp() {
        whenDone.accept(
                busy != null
                        ? busy
                        : new FetchOutcome.Unanswered(
                                "no app node answered (" + tried.cardinality() + " tried, last " + lastReason + ")"));
    }
}
