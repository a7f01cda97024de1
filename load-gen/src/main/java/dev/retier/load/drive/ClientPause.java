package dev.retier.load.drive;

import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** When one client does nothing: it thinks, or rests after a failure. On the client's event loop. */
final class ClientPause {
    private final LoopDriver driver;
    private final Runnable whenOver;
    private final FailurePause failures = new FailurePause();
    private final RestTime rest;
    private @Nullable Future<?> timer;

    /** {@code whenOver} runs when a pause ends by itself. */
    ClientPause(LoopDriver driver, Runnable whenOver) {
        this.driver = driver;
        this.whenOver = whenOver;
        this.rest = new RestTime(driver);
    }

    /** A pause of {@code nanos} from now on, in the place of one that there may be. */
    void set(long nanos) {
        cancel();
        timer = driver.loop().schedule(whenOver, nanos, TimeUnit.NANOSECONDS);
    }

    /** Ends a rest early; whether there was one. A client that thinks does so for its time, unless the run ends. */
    boolean cut() {
        return (rest.isRunning() || driver.isEnding()) && cancel();
    }

    private boolean cancel() {
        Future<?> known = timer;
        timer = null;
        return known != null && known.cancel(false);
    }

    /** The pause, if there was one, is over. */
    void isOver() {
        timer = null;
    }

    /** From now on the client does nothing because something failed. */
    void rests(long nowNanos) {
        rest.begin(nowNanos);
    }

    /** No longer. */
    void hasRested(long nowNanos) {
        rest.end(nowNanos);
    }

    /** The connection works. */
    void succeeded() {
        failures.reset();
    }

    /** How long to rest after a failed connection: longer after each. */
    long afterFailureNanos(long nowNanos) {
        rest.begin(nowNanos);
        return failures.nextNanos();
    }
}
