package dev.retier.fabric;

import dev.retier.fabric.calls.Serving;

/** One call, as its handler sees it. */
public final class IncomingCall {
    private final Serving.Job<? extends Caller> job;

    IncomingCall(Serving.Job<? extends Caller> job) {
        this.job = job;
    }

    /** Who calls. */
    public Caller caller() {
        return job.client();
    }

    /** What was sent. Nobody else has this array. */
    public byte[] body() {
        return job.call().body();
    }

    /** Whether nobody waits for the answer any more, so that a long handler may stop. */
    public boolean isCancelled() {
        return job.isCancelled();
    }
}
