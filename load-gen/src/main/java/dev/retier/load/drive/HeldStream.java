package dev.retier.load.drive;

import dev.retier.load.http.BodySink;
import dev.retier.load.http.EventCounter;
import dev.retier.load.http.ResponseFraming;
import dev.retier.load.measure.Attempt;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Held;
import dev.retier.load.measure.StreamMeter;
import dev.retier.load.measure.Work;
import dev.retier.traces.RequestMethod;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The stream that one client holds, one after the other: from the head of a good answer on, for the time that the plan
 * says or until the run ends. On the client's event loop.
 *
 * <pre>
 *   IDLE --send--> ASKED --good head--> OPEN --its time is over--> LEAVING --the server agrees, or is too slow--> IDLE
 *                    `--any other answer, no answer--> IDLE          |
 *                                         `--ended by the server--> IDLE
 * </pre>
 */
class HeldStream implements BodySink {
    private static final String EVENT_STREAM = "text/event-stream";

    private final LoopDriver driver;
    private final Owner owner;
    private final EventCounter counter = new EventCounter();
    private final ResponseFraming framing = new ResponseFraming(this);
    private @Nullable Work work;
    private @Nullable Future<?> timer;
    private boolean isOpen;
    private boolean hasEvents;
    private long openedNanos;
    private long firstNanos;
    private long events;
    private long bytes;

    /** Who holds it. */
    interface Owner {
        /** The request as far as it has come. */
        Attempt soFar();

        /** Runs {@code action}, a mistake in which costs this request alone. */
        void guard(Runnable action);

        /** The stream is over. */
        void streamOver(End end);
    }

    /**
     * What has become of a stream that is over.
     *
     * @param failure null when all is well
     * @param isComplete whether the answer, or the other protocol, ended as it should, so that no connection failed
     */
    record End(@Nullable FailureKind failure, boolean isComplete) {
        /** It was held as long as was wanted. */
        static final End HELD = new End(null, true);
    }

    HeldStream(LoopDriver driver, Owner owner) {
        this.driver = driver;
        this.owner = owner;
    }

    /** One as {@code streams} say. */
    static HeldStream of(Streams streams, LoopDriver driver, Owner owner) {
        return streams.isWebSocket() ? new HeldWebSocket(streams, driver, owner) : new HeldStream(driver, owner);
    }

    /** Reads the answers of this stream's connections. */
    ResponseFraming framing() {
        return framing;
    }

    LoopDriver driver() {
        return driver;
    }

    StreamMeter meter() {
        return driver.meter().streams();
    }

    /** Whether the head of a good answer has come and the stream is not over. */
    boolean isOpen() {
        return isOpen;
    }

    /** Appends the request to {@code out}; the answer will come over {@code to}. */
    void ask(Work asking, Destination destination, Channel to, ByteBuf out) {
        begin(asking);
        framing.expect(asking.event().method() == RequestMethod.HEAD);
        destination.head().write(asking.event(), out);
    }

    final void begin(Work asking) {
        work = asking;
        counter.start();
        hasEvents = false;
    }

    /** Bytes came; null when the stream goes on, or there is no whole answer. */
    @Nullable
    End received(ByteBuf in) {
        ResponseFraming.Progress progress = framing.feed(in);
        if (!isOpen && framing.hasHead() && statusFailure() == null) {
            open();
            hasEvents = isEventStream(framing.field("content-type"));
        }
        told();
        return switch (progress) {
            case MORE -> null;
            case BAD -> new End(FailureKind.BAD_RESPONSE, false);
            case COMPLETE -> new End(isOpen ? FailureKind.STREAM_ENDED : statusFailure(), true);
        };
    }

    /** Why the answer's status is no good one; null when it is. */
    final @Nullable FailureKind statusFailure() {
        return driver.context().statusFailure(framing.status());
    }

    private static boolean isEventStream(@Nullable String type) {
        return type != null
                && type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(EVENT_STREAM);
    }

    /** Its connection ended while it was open. */
    End closed() {
        return new End(FailureKind.STREAM_ENDED, framing.isCompleteAtClose());
    }

    /** The run is over, or the stream's time. */
    void leave() {
        if (isOpen) {
            owner.streamOver(End.HELD);
        }
    }

    @Override
    public void body(ByteBuf in, int from, int length) {
        if (hasEvents || !isOpen) {
            counter.feed(in, from, length);
        }
    }

    /** Tells of what has come since the last time. */
    private void told() {
        if (!isOpen) {
            return;
        }
        long newEvents = hasEvents ? counter.events() - events : 0;
        long newBytes = framing.bodyBytes() - bytes;
        if (newBytes > 0) {
            came(newEvents, newBytes, !hasEvents || newEvents > 0);
        }
    }

    /** {@code hasContent} says whether it can be the first of the stream. */
    final void came(long newEvents, long newBytes, boolean hasContent) {
        long nowNanos = driver.context().nowNanos();
        events += newEvents;
        bytes += newBytes;
        Work asked = work;
        if (firstNanos == Held.NOTHING && hasContent && asked != null) {
            firstNanos = nowNanos;
            meter().first(nowNanos - asked.dueNanos());
        }
        meter().came(newEvents, newBytes, nowNanos);
    }

    /** The answer is good: from now on it is held. */
    final void open() {
        isOpen = true;
        Attempt soFar = owner.soFar();
        openedNanos = soFar.endNanos();
        firstNanos = Held.NOTHING;
        events = 0;
        bytes = 0;
        driver.meter().opened(soFar);
        Streams streams = driver.context().plan().streams();
        if (streams != null && streams.hold() != null) {
            timer = after(streams.hold().toNanos(), this::leave);
        }
    }

    final Future<?> after(long nanos, Runnable action) {
        return driver.loop().schedule(() -> owner.guard(action), nanos, TimeUnit.NANOSECONDS);
    }

    /** What it has been; null when it was not opened. From now on there is none. */
    @Nullable
    Held end() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
        work = null;
        boolean wasOpen = isOpen;
        isOpen = false;
        return wasOpen ? new Held(openedNanos, firstNanos, events, bytes) : null;
    }

    final Owner owner() {
        return owner;
    }

    final long openedNanos() {
        return openedNanos;
    }
}
