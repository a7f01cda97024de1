package dev.retier.load.drive;

import dev.retier.load.http.ResponseFraming;
import dev.retier.load.measure.Attempt;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Work;
import dev.retier.load.target.Target;
import dev.retier.traces.RequestMethod;
import dev.retier.traces.TraceEvent;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
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
 * <p>A connection to a target that is no longer listed is left at the next request, never in the middle of one. An
 * exception in here, which is a mistake of ours, costs the request in hand and is counted; the client goes on. All on
 * the client's event loop.
 */
final class Client implements Connector.Caller {

    private final int number;
    private final LoopDriver driver;
    private final ResponseFraming framing = new ResponseFraming();
    private final FailurePause failurePause = new FailurePause();
    private final RestTime rest;
    private final RequestBuffer buffer = new RequestBuffer();
    private final AddressTurn addresses;
    private final Runnable advance = this::advance;
    private State state = State.WAITING;
    private @Nullable Destination destination;
    private @Nullable Channel channel;
    private @Nullable Work work;
    private @Nullable Future<?> pause;
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
        this.addresses = new AddressTurn(number);
        this.driver = driver;
        this.rest = new RestTime(driver);
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

    /** Ends a pause early; gives up an idle connection to a target that is no longer listed. */
    void wake() {
        guard(this::wakeUp);
    }

    /** Fails the request in flight if it has taken too long. */
    void checkDeadline(long nowNanos) {
        boolean inFlight = state == State.CONNECTING || state == State.BUSY;
        if (inFlight
                && nowNanos - startNanos
                        >= driver.context().plan().requestTimeout().toNanos()) {
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
        pause = null;
        parked = false;
        if (state != State.WAITING) {
            return;
        }
        if (driver.isEnding()) {
            rest.end(nowNanos);
            giveUp(nowNanos);
            return;
        }
        Destination chosen = driver.choose(number, connectedTarget(), nowNanos);
        if (chosen == null) {
            rest.begin(nowNanos);
            pauseFor(driver.restNanos(nowNanos));
            return;
        }
        rest.end(nowNanos);
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
        Target connected = connectedTarget();
        if (state == State.WAITING
                && connected != null
                && !driver.context().desk().board().lists(connected)) {
            leaveConnection();
        }
        if (state == State.WAITING && pause != null) {
            pause.cancel(false);
            advance();
        } else if (parked && driver.isEnding()) {
            advance();
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
                        || driver.context().plan().connections() == Connections.NEW) {
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
    public void closed(Channel from, @Nullable FailureKind why) {
        if (!from.equals(channel)) {
            return;
        }
        leaveConnection();
        if (state == State.BUSY) {
            if (framing.isCompleteAtClose()) {
                answered();
            } else if (framing.hasBegun()) {
                failed(FailureKind.TRUNCATED_BODY);
            } else {
                failed(why == null ? FailureKind.RESET : why);
            }
        }
    }

    @Override
    public void broke(Channel from, Throwable fault) {
        if (from.equals(channel)) {
            recover(fault);
        } else {
            driver.context().faults().add(fault);
            var _ = from.close();
        }
    }

    private void guard(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            recover(e);
        }
    }

    /** Counts {@code fault} and what it spoiled, and goes on. */
    void recover(Throwable fault) {
        driver.context().faults().add(fault);
        leaveConnection();
        if (state == State.DONE) {
            return;
        }
        Work lost = work;
        work = null;
        if (lost != null) {
            over(lost, FailureKind.GENERATOR, now());
        }
        pauseAfterFailure();
    }

    private void begin(Work taken, Destination to, long nowNanos) {
        if (work == null) {
            work = taken;
            startNanos = nowNanos;
            retriesLeft = driver.context().plan().retries();
        }
        boolean connected = channel != null && channel.isActive() && to.target().equals(connectedTarget());
        destination = to;
        if (connected) {
            send();
        } else {
            connect(to, addresses.first(to));
        }
    }

    private void connect(Destination to, InetSocketAddress address) {
        leaveConnection();
        state = State.CONNECTING;
        channel = driver.connector().open(to, address, this);
    }

    @Override
    public void connected(Channel opened, Destination to, @Nullable FailureKind failure) {
        boolean isWanted = opened.equals(channel) && state == State.CONNECTING;
        InetSocketAddress another = failure == null || !isWanted ? null : addresses.after(failure, to);
        if (another != null) {
            connect(to, another);
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
            leaveConnection();
            failed(failure);
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
        ByteBuf request = buffer.empty(to, destination.head().maxLengthBytes(sending));
        destination.head().write(sending, request);
        var _ = to.writeAndFlush(request.retain(), to.voidPromise());
    }

    private void answered() {
        Work over = takeWork();
        long nowNanos = now();
        int status = framing.status();
        FailureKind failure = driver.context().plan().good().failure(status);
        if (failure == null) {
            driver.account().over(attempt(over, nowNanos).answered(status, framing.bodyBytes()));
        } else {
            driver.account().over(attempt(over, nowNanos).failed(failure, status, framing.bodyBytes()));
        }
        // The connection works, whatever the answer says: no reason to pause.
        failurePause.reset();
        waitForNext(driver.thinkNanos(), nowNanos);
    }

    private void timedOut() {
        if (state == State.CONNECTING && destination != null) {
            addresses.skip();
            driver.health().failed(destination.target(), now());
        }
        leaveConnection();
        failed(FailureKind.TIMEOUT);
    }

    private void giveUp(long nowNanos) {
        Work lost = work;
        work = null;
        if (lost != null) {
            driver.account().over(attempt(lost, nowNanos).dropped());
        }
        done();
    }

    private void failed(FailureKind kind) {
        RequestMethod method = inFlight().event().method();
        if (retriesLeft > 0 && kind.isRetriable(method) && !driver.isEnding()) {
            retriesLeft--;
            driver.account().retried();
            state = State.WAITING;
            rest.begin(now());
            pauseFor(FailurePause.FIRST_NANOS);
            return;
        }
        over(takeWork(), kind, now());
        pauseAfterFailure();
    }

    private void pauseAfterFailure() {
        long nowNanos = now();
        rest.begin(nowNanos);
        waitForNext(failurePause.nextNanos(), nowNanos);
    }

    private void waitForNext(long pauseNanos, long nowNanos) {
        state = State.WAITING;
        if (pauseNanos == 0 || driver.isEnding()) {
            advance(nowNanos);
        } else {
            pauseFor(pauseNanos);
        }
    }

    private void pauseFor(long nanos) {
        if (pause != null) {
            pause.cancel(false);
        }
        pause = driver.loop().schedule(this::next, nanos, TimeUnit.NANOSECONDS);
    }

    private void done() {
        leaveConnection();
        buffer.release();
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

    /** What is over now: from here on it is somebody else's to count. */
    private Work takeWork() {
        Work over = inFlight();
        work = null;
        return over;
    }

    private void over(Work failed, FailureKind kind, long nowNanos) {
        driver.account().over(attempt(failed, nowNanos).failed(kind));
    }

    private Attempt attempt(Work over, long nowNanos) {
        return new Attempt(over, destination == null ? "" : destination.name(), startNanos, nowNanos);
    }

    private long now() {
        return driver.context().nowNanos();
    }
}
