package dev.retier.load.drive;

import dev.retier.load.http.ResponseFraming;
import dev.retier.load.measure.Attempt;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Held;
import dev.retier.load.measure.Outcome;
import dev.retier.load.measure.Work;
import dev.retier.load.target.Target;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.TraceEvent;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
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
 * <p>A connection to a target that is no longer listed is left at the next request, never in the middle of one. An
 * exception in here, which is a mistake of ours, costs the request in hand and is counted; the client goes on. All on
 * the client's event loop.
 */
final class Client implements Connector.Caller, HeldStream.Owner {
    private final int number;
    private final LoopDriver driver;
    /** Null when no answers are held. */
    private final @Nullable HeldStream stream;

    private final ResponseFraming framing;
    private final ClientPause pause;
    private final ClientConnection connection;
    private final Runnable advance = this::advance;
    private State state = State.WAITING;
    private @Nullable Work work;
    private long startNanos;
    private int retriesLeft;
    private boolean parked;

    private enum State {
        WAITING,
        CONNECTING,
        BUSY,
        DONE
    }

    Client(int number, LoopDriver driver) {
        this.number = number;
        this.connection = new ClientConnection(number);
        this.driver = driver;
        this.pause = new ClientPause(driver, this::next);
        Streams streams = driver.context().plan().streams();
        this.stream = streams == null ? null : HeldStream.of(streams, driver, this);
        this.framing = stream == null ? new ResponseFraming() : stream.framing();
    }

    /** Its number among all clients of the run, from 0. */
    int number() {
        return number;
    }

    /** Begins the next request, or ends, or waits when no target can be tried. Only when WAITING. */
    void next() {
        guard(advance);
    }

    /** There may be work now: looks if it has been waiting for some. */
    void wakeParked() {
        if (parked) {
            guard(advance);
        }
    }

    /** Ends a rest early; gives up an idle connection to a target that is no longer listed. */
    void wake() {
        guard(this::wakeUp);
    }

    /** Fails the request in flight if it has taken too long; a stream that is held does not. */
    void checkDeadline(long nowNanos) {
        boolean inFlight = state == State.CONNECTING || (state == State.BUSY && !holds());
        long latestNanos = startNanos + driver.context().plan().requestTimeout().toNanos();
        if (inFlight && nowNanos >= latestNanos) {
            guard(this::timedOut);
        }
    }

    /** Gives up the request in flight because the run is over. */
    void drop(long nowNanos) {
        if (state != State.DONE) {
            guard(() -> giveUp(nowNanos));
        }
    }

    private void advance() {
        advance(now());
    }

    private void advance(long nowNanos) {
        pause.isOver();
        parked = false;
        if (state != State.WAITING) {
            return;
        }
        if (driver.isEnding()) {
            pause.hasRested(nowNanos);
            giveUp(nowNanos);
            return;
        }
        Destination chosen = driver.choose(number, connection.target(), nowNanos);
        if (chosen == null) {
            pause.rests(nowNanos);
            pause.set(driver.restNanos(nowNanos));
            return;
        }
        pause.hasRested(nowNanos);
        Work taken = work == null ? driver.work().take(this, nowNanos) : work;
        if (taken != null) {
            begin(taken, chosen, nowNanos);
        } else if (driver.work().isOver()) {
            done();
        } else {
            parked = true;
        }
    }

    private void wakeUp() {
        Target connected = connection.target();
        if (state == State.WAITING
                && connected != null
                && !driver.context().desk().board().lists(connected)) {
            connection.leave();
        }
        if ((state == State.WAITING && pause.cut()) || (parked && driver.isEnding())) {
            advance();
        }
        leaveStreamAtTheEnd();
    }

    @Override
    public void received(Channel from, ByteBuf in) {
        if (!connection.is(from) || state != State.BUSY) {
            var _ = from.close();
            return;
        }
        if (stream != null) {
            receivedOfStream(stream, in);
            return;
        }
        switch (framing.feed(in)) {
            case MORE -> {}
            case COMPLETE -> {
                if (driver.isLast(number, framing.keepsAlive()) || in.isReadable()) {
                    connection.leave();
                }
                answered();
            }
            case BAD -> {
                connection.leave();
                failed(FailureKind.BAD_RESPONSE);
            }
        }
    }

    @Override
    public void closed(Channel from, @Nullable FailureKind why) {
        if (!connection.is(from)) {
            return;
        }
        connection.leave();
        if (state == State.BUSY) {
            if (stream != null && holds()) {
                streamOver(stream.closed());
            } else if (why == null && framing.isCompleteAtClose()) {
                answered();
            } else {
                FailureKind begun = framing.canBeHttp() ? FailureKind.TRUNCATED_BODY : FailureKind.BAD_RESPONSE;
                FailureKind unbegun = why == null ? FailureKind.RESET : why;
                failed(framing.hasBegun() ? begun : unbegun);
            }
        }
    }

    @Override
    public void broke(Channel from, Throwable fault) {
        if (connection.is(from)) {
            recover(fault);
        } else {
            driver.context().faults().add(fault);
            var _ = from.close();
        }
    }

    private void receivedOfStream(HeldStream held, ByteBuf in) {
        HeldStream.End end = held.received(in);
        if (end != null) {
            streamOver(end);
        } else {
            leaveStreamAtTheEnd();
        }
    }

    private void leaveStreamAtTheEnd() {
        if (driver.isEnding() && state == State.BUSY && stream != null) {
            stream.leave();
        }
    }

    private boolean holds() {
        return stream != null && stream.isOpen();
    }

    @Override
    public Attempt soFar() {
        return attempt(inFlight(), now());
    }

    @Override
    public void streamOver(HeldStream.End end) {
        connection.leave();
        finish(end.failure(), framing.status(), 0, end.isComplete());
    }

    @Override
    public void guard(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            recover(e);
        }
    }

    /** Counts {@code fault} and what it spoiled, and goes on. */
    void recover(Throwable fault) {
        driver.context().faults().add(fault);
        connection.leave();
        if (state == State.DONE) {
            return;
        }
        Work lost = work;
        work = null;
        if (lost != null) {
            over(attempt(lost, now()).failed(FailureKind.GENERATOR));
        }
        pauseAfterFailure();
    }

    private void begin(Work taken, Destination to, long nowNanos) {
        if (work == null) {
            work = taken;
            startNanos = nowNanos;
            retriesLeft = driver.context().plan().retries();
        }
        if (connection.turn(to)) {
            send();
        } else {
            state = State.CONNECTING;
            connection.open(driver.connector(), this);
        }
    }

    @Override
    public void connected(Channel opened, Destination to, @Nullable FailureKind failure) {
        boolean isWanted = connection.is(opened) && state == State.CONNECTING;
        if (isWanted && failure != null && connection.openAnother(failure, to, driver.connector(), this)) {
            return;
        }
        if (failure == null || failure == FailureKind.TLS_FAILED) {
            driver.health().succeeded(to.target());
        } else {
            driver.health().failed(to.target(), now());
        }
        if (!isWanted) {
            var _ = opened.close();
        } else if (failure == null) {
            send();
        } else {
            connection.leave();
            failed(failure);
        }
    }

    private void send() {
        TraceEvent sending = inFlight().event();
        Destination to = connection.destination();
        state = State.BUSY;
        ByteBuf request = connection.request(sending);
        if (stream == null) {
            framing.expect(sending.method() == RequestMethod.HEAD);
            to.head().write(sending, request);
        } else {
            stream.ask(inFlight(), to, connection.channel(), request);
        }
        connection.send(request, sending);
    }

    private void answered() {
        finish(driver.context().statusFailure(framing.status()), framing.status(), framing.bodyBytes(), true);
    }

    /** {@code works} says that the connection did what it should, whatever the answer says: no reason to pause. */
    private void finish(@Nullable FailureKind failure, int status, long bodyBytes, boolean works) {
        long nowNanos = now();
        Attempt ended = attempt(takeWork(), nowNanos);
        over(
                failure == null
                        ? ended.answered(status, bodyBytes, framing.isChunked())
                        : ended.failed(failure, status, bodyBytes));
        if (works) {
            pause.succeeded();
            waitForNext(driver.thinkNanos(), nowNanos);
        } else {
            pauseAfterFailure();
        }
    }

    private void timedOut() {
        if (state == State.CONNECTING) {
            driver.health().failed(connection.skipAddress(), now());
        }
        connection.leave();
        failed(FailureKind.TIMEOUT);
    }

    private void giveUp(long nowNanos) {
        Work lost = work;
        work = null;
        if (lost != null) {
            Attempt ended = attempt(lost, nowNanos);
            over(holds() ? ended.answered(framing.status(), 0, framing.isChunked()) : ended.dropped());
        }
        done();
    }

    private void failed(FailureKind kind) {
        if (retriesLeft > 0 && kind.isRetriable(inFlight().event().method()) && !driver.isEnding()) {
            retriesLeft--;
            driver.account().retried();
            state = State.WAITING;
            pause.rests(now());
            pause.set(FailurePause.FIRST_NANOS);
            return;
        }
        finish(kind, 0, 0, false);
    }

    private void pauseAfterFailure() {
        long nowNanos = now();
        waitForNext(pause.afterFailureNanos(nowNanos), nowNanos);
    }

    private void waitForNext(long pauseNanos, long nowNanos) {
        state = State.WAITING;
        if (pauseNanos == 0 || driver.isEnding()) {
            advance(nowNanos);
        } else {
            pause.set(pauseNanos);
        }
    }

    private void done() {
        connection.release();
        state = State.DONE;
        driver.clientDone();
    }

    private Work inFlight() {
        if (work == null) {
            throw new IllegalStateException("client " + number + " has no request in flight");
        }
        return work;
    }

    /** What is over now: from here on it is somebody else's to count. */
    private Work takeWork() {
        Work over = inFlight();
        work = null;
        return over;
    }

    private void over(Outcome outcome) {
        Held held = stream == null ? null : stream.end();
        driver.account().over(held == null ? outcome : outcome.of(held));
    }

    private Attempt attempt(Work over, long nowNanos) {
        return new Attempt(over, connection.name(), startNanos, nowNanos);
    }

    private long now() {
        return driver.context().nowNanos();
    }
}
