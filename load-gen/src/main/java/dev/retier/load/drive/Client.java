package dev.retier.load.drive;

import dev.retier.load.http.ResponseFraming;
import dev.retier.load.measure.Answer;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.target.Target;
import dev.retier.load.trace.RequestMethod;
import dev.retier.load.trace.TraceEvent;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ConnectTimeoutException;
import io.netty.util.concurrent.Future;
import java.net.ConnectException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One client of a closed loop: one connection, one request outstanding, the next one only when that is over.
 *
 * <pre>
 *   WAITING --next--> CONNECTING --connected--> BUSY --answered, failed--> WAITING
 *      |                   `--failed, timed out--> WAITING
 *      `--trace or run over--> DONE
 * </pre>
 *
 * All on the client's event loop. A connection to a target that is no longer listed is left at the next request, never
 * in the middle of one.
 */
final class Client implements ConnectionHandler.Owner {
    /** Pause after the first of several failures in a row; doubles with each. */
    private static final long FIRST_PAUSE_NANOS = 5_000_000L;

    private static final int MOST_DOUBLINGS = 6;

    private final int number;
    private final LoopDriver driver;
    private final ResponseFraming framing = new ResponseFraming();
    private State state = State.WAITING;
    private @Nullable Destination destination;
    private @Nullable Channel channel;
    private @Nullable Work work;
    private @Nullable Future<?> pause;
    private long startNanos;
    private int failuresInARow;
    private boolean parked;

    private enum State {
        WAITING,
        CONNECTING,
        BUSY,
        DONE
    }

    Client(int number, LoopDriver driver) {
        this.number = number;
        this.driver = driver;
    }

    /** Begins the next request, or ends, or waits when no target can be tried. Only when WAITING. */
    void next() {
        pause = null;
        parked = false;
        if (state != State.WAITING) {
            return;
        }
        long nowNanos = now();
        if (driver.isEnding()) {
            done();
            return;
        }
        Destination chosen = driver.choose(number, connectedTarget(), nowNanos);
        if (chosen == null) {
            pauseFor(driver.restNanos(nowNanos));
            return;
        }
        Work taken = driver.work().take(this, nowNanos);
        if (taken != null) {
            begin(taken, chosen, nowNanos);
        } else if (driver.work().isOver()) {
            done();
        } else {
            parked = true;
        }
    }

    /** Ends a pause early; gives up an idle connection to a target that is no longer listed. */
    void wake() {
        Target connected = connectedTarget();
        if (state == State.WAITING
                && connected != null
                && !driver.context().desk().board().lists(connected)) {
            leaveConnection();
        }
        if (state == State.WAITING && pause != null) {
            pause.cancel(false);
            next();
        } else if (parked && driver.isEnding()) {
            next();
        }
    }

    /** Fails the request in flight if it has taken too long. */
    void checkDeadline(long nowNanos) {
        boolean inFlight = state == State.CONNECTING || state == State.BUSY;
        if (inFlight
                && nowNanos - startNanos
                        >= driver.context().plan().requestTimeout().toNanos()) {
            timedOut();
        }
    }

    /** Gives up the request in flight because the run is over. */
    void drop(long nowNanos) {
        if (state == State.CONNECTING || state == State.BUSY) {
            driver.meter().dropped(nowNanos);
            done();
        } else if (state == State.WAITING) {
            done();
        }
    }

    @Override
    public void received(Channel from, ByteBuf in) {
        if (!from.equals(channel) || state != State.BUSY) {
            var _ = from.close();
            return;
        }
        switch (framing.feed(in)) {
            case MORE -> {}
            case COMPLETE -> {
                if (!framing.keepsAlive()
                        || in.isReadable()
                        || !driver.context().plan().keepAlive()) {
                    leaveConnection();
                }
                answered();
            }
            case BAD -> {
                leaveConnection();
                failed(FailureKind.BAD_RESPONSE);
            }
        }
    }

    @Override
    public void closed(Channel from) {
        if (!from.equals(channel)) {
            return;
        }
        leaveConnection();
        if (state == State.BUSY) {
            if (framing.isCompleteAtClose()) {
                answered();
            } else {
                failed(framing.hasBegun() ? FailureKind.TRUNCATED_BODY : FailureKind.RESET);
            }
        }
    }

    private void begin(Work taken, Destination to, long nowNanos) {
        work = taken;
        startNanos = nowNanos;
        boolean connected = channel != null && channel.isActive() && to.target().equals(connectedTarget());
        destination = to;
        if (connected) {
            send();
        } else {
            connect(to);
        }
    }

    private void connect(Destination to) {
        leaveConnection();
        state = State.CONNECTING;
        ChannelFuture connecting =
                driver.bootstrap().clone().handler(new ConnectionHandler(this)).connect(to.address());
        Channel opened = connecting.channel();
        channel = opened;
        connecting.addListener(future -> connected(opened, to, future.cause()));
    }

    private void connected(Channel opened, Destination to, @Nullable Throwable failure) {
        if (failure == null) {
            driver.health().succeeded(to.target());
        } else {
            driver.health().failed(to.target(), now());
        }
        if (!opened.equals(channel) || state != State.CONNECTING) {
            var _ = opened.close();
        } else if (failure == null) {
            send();
        } else {
            leaveConnection();
            failed(kindOf(failure));
        }
    }

    private void send() {
        Channel to = channel;
        TraceEvent sending = work == null ? null : work.event();
        if (to == null || sending == null || destination == null) {
            throw new IllegalStateException("client " + number + " has nothing to send, or no connection");
        }
        state = State.BUSY;
        framing.expect(sending.method() == RequestMethod.HEAD);
        ByteBuf head = to.alloc().ioBuffer(destination.head().maxLengthBytes(sending));
        destination.head().write(sending, head);
        var _ = to.writeAndFlush(head, to.voidPromise());
    }

    private void answered() {
        int status = framing.status();
        if (status >= 500) {
            failed(FailureKind.STATUS_5XX);
        } else if (status >= 400) {
            failed(FailureKind.STATUS_4XX);
        } else {
            long nowNanos = now();
            Answer answer = new Answer(
                    destinationName(),
                    framing.bodyBytes(),
                    nowNanos - startNanos,
                    nowNanos - inFlight().dueNanos());
            driver.meter().answered(inFlight().event(), answer, nowNanos);
            failuresInARow = 0;
            waitForNext(driver.thinkNanos());
        }
    }

    private void timedOut() {
        if (state == State.CONNECTING && destination != null) {
            driver.health().failed(destination.target(), now());
        }
        leaveConnection();
        failed(FailureKind.TIMEOUT);
    }

    private void failed(FailureKind kind) {
        driver.meter().failed(inFlight().event(), destinationName(), kind, now());
        long pauseNanos = FIRST_PAUSE_NANOS << Math.min(failuresInARow, MOST_DOUBLINGS);
        failuresInARow++;
        waitForNext(pauseNanos);
    }

    private void waitForNext(long pauseNanos) {
        work = null;
        state = State.WAITING;
        if (pauseNanos == 0 || driver.isEnding()) {
            next();
        } else {
            pauseFor(pauseNanos);
        }
    }

    private void pauseFor(long nanos) {
        pause = driver.loop().schedule(this::next, nanos, TimeUnit.NANOSECONDS);
    }

    private void done() {
        leaveConnection();
        work = null;
        state = State.DONE;
        driver.clientDone();
    }

    private void leaveConnection() {
        Channel left = channel;
        channel = null;
        if (left != null) {
            var _ = left.close();
        }
    }

    private @Nullable Target connectedTarget() {
        return channel != null && destination != null ? destination.target() : null;
    }

    private Work inFlight() {
        if (work == null) {
            throw new IllegalStateException("client " + number + " has no request in flight");
        }
        return work;
    }

    private String destinationName() {
        return destination == null ? "" : destination.name();
    }

    private long now() {
        return driver.context().nowNanos();
    }

    private static FailureKind kindOf(Throwable failure) {
        if (failure instanceof ConnectTimeoutException) {
            return FailureKind.TIMEOUT;
        }
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        boolean refused = failure instanceof ConnectException && message.contains("refused");
        return refused ? FailureKind.CONNECT_REFUSED : FailureKind.CONNECT_FAILED;
    }
}
