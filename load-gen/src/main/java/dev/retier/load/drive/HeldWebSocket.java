package dev.retier.load.drive;

import dev.retier.load.http.ResponseFraming;
import dev.retier.load.http.WebSocketFrame;
import dev.retier.load.http.WebSocketHandshake;
import dev.retier.load.http.WebSocketReader;
import dev.retier.load.measure.FailureKind;
import dev.retier.load.measure.Held;
import dev.retier.load.measure.Work;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket that one client holds: pings are answered, messages counted, and one is sent at equal times if wanted.
 * The n-th message that comes is taken for the reply to the n-th that was sent; the meter gives that up for the whole
 * run as soon as a message comes that nobody asked for. On the client's event loop.
 */
final class HeldWebSocket extends HeldStream implements WebSocketReader.Listener {
    /** Messages without a reply that are kept in mind; a server that owes more does not reply to each. */
    private static final int MOST_WAITING = 1000;

    private static final int NONCE_BYTES = 16;
    private static final long LONGEST_CLOSE_NANOS = 1_000_000_000L;

    private final byte @Nullable [] message;
    private final long everyNanos;
    private final ArrayDeque<Long> waiting = new ArrayDeque<>();
    private WebSocketReader reader = new WebSocketReader(this);
    private @Nullable WebSocketHandshake handshake;
    private @Nullable Channel channel;
    private @Nullable Future<?> timer;
    private long sendDueNanos;
    private boolean isLeaving;
    private boolean isCloseAnswered;

    HeldWebSocket(Streams streams, LoopDriver driver, Owner owner) {
        super(driver, owner);
        String text = streams.message();
        Duration every = streams.sendEvery();
        message = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        everyNanos = every == null ? 0 : every.toNanos();
    }

    @Override
    void ask(Work asking, Destination destination, Channel to, ByteBuf out) {
        begin(asking);
        channel = to;
        reader = new WebSocketReader(this);
        isLeaving = false;
        isCloseAnswered = false;
        byte[] nonce = new byte[NONCE_BYTES];
        ThreadLocalRandom.current().nextBytes(nonce);
        WebSocketHandshake asked = WebSocketHandshake.of(nonce);
        handshake = asked;
        framing().expectUpgrade();
        destination.head().writeUpgrade(asking.event(), asked, out);
    }

    @Override
    @Nullable
    End received(ByteBuf in) {
        if (!isOpen()) {
            switch (framing().feed(in)) {
                case MORE -> {
                    return null;
                }
                case BAD -> {
                    return new End(FailureKind.BAD_RESPONSE, false);
                }
                case COMPLETE -> {
                    FailureKind refusal = refusal();
                    if (refusal != null) {
                        return new End(refusal, true);
                    }
                    open();
                    scheduleSending();
                }
            }
        }
        return switch (reader.feed(in)) {
            case MORE -> null;
            case CLOSED -> closedByServer();
            case BAD, TOO_LONG -> new End(FailureKind.BAD_FRAME, false);
        };
    }

    private @Nullable FailureKind refusal() {
        WebSocketHandshake asked = handshake;
        if (framing().status() != ResponseFraming.SWITCHING_PROTOCOLS || asked == null) {
            FailureKind ofStatus = statusFailure();
            return ofStatus == null ? FailureKind.NOT_UPGRADED : ofStatus;
        }
        String problem = asked.problem(framing());
        if (problem == null) {
            return null;
        }
        driver().context().causes().add(FailureKind.NOT_UPGRADED, problem);
        return FailureKind.NOT_UPGRADED;
    }

    private End closedByServer() {
        isCloseAnswered = true;
        if (isLeaving) {
            return End.HELD;
        }
        write(WebSocketFrame.CLOSE, WebSocketFrame.closing(WebSocketFrame.NORMAL_CLOSURE));
        return new End(FailureKind.STREAM_ENDED, true);
    }

    @Override
    End closed() {
        return isLeaving ? End.HELD : new End(FailureKind.STREAM_ENDED, false);
    }

    /** Asks the server to close the connection as well, and waits for that, but not for long. */
    @Override
    void leave() {
        if (isOpen() && !isLeaving) {
            isLeaving = true;
            write(WebSocketFrame.CLOSE, WebSocketFrame.closing(WebSocketFrame.NORMAL_CLOSURE));
            cancel();
            timer = after(LONGEST_CLOSE_NANOS, () -> owner().streamOver(End.HELD));
        }
    }

    @Override
    @Nullable
    Held end() {
        cancel();
        long nowNanos = driver().context().nowNanos();
        waiting.forEach(dueNanos -> meter().noReply(nowNanos - dueNanos));
        waiting.clear();
        if (isLeaving && !isCloseAnswered) {
            meter().closeUnanswered();
        }
        isLeaving = false;
        channel = null;
        return super.end();
    }

    @Override
    public void message(boolean isText, long lengthBytes) {
        came(1, lengthBytes, true);
        if (isText) {
            meter().text();
        }
        if (message != null) {
            Long dueNanos = waiting.poll();
            if (dueNanos == null) {
                meter().unmatched();
            } else {
                meter().reply(driver().context().nowNanos() - dueNanos);
            }
        }
    }

    @Override
    public void ping(byte[] payload) {
        meter().ping();
        Channel to = channel;
        // A server that does not read gets no more pongs: an answer to the newest ping is enough (RFC 6455 section
        // 5.5.3).
        if (to != null && to.isWritable()) {
            write(WebSocketFrame.PONG, payload);
        }
    }

    private void scheduleSending() {
        if (message != null) {
            sendDueNanos = openedNanos() + everyNanos;
            timer = after(everyNanos, this::send);
        }
    }

    /** Messages are due at their times, however late the replies and this loop are. */
    private void send() {
        byte[] sending = message;
        Channel to = channel;
        if (sending == null || to == null || !isOpen() || isLeaving) {
            return;
        }
        long nowNanos = driver().context().nowNanos();
        if (to.isWritable()) {
            write(WebSocketFrame.TEXT, sending);
            meter().messageSent(nowNanos);
            waiting.add(sendDueNanos);
            if (waiting.size() > MOST_WAITING) {
                waiting.remove();
                meter().unmatched();
            }
        } else {
            meter().messageLeftOut();
        }
        sendDueNanos += everyNanos;
        timer = after(Math.max(0, sendDueNanos - nowNanos), this::send);
    }

    /** The mask keeps others' scripts from choosing bytes on the wire; here all bytes are the user's own. */
    private void write(int opcode, byte[] payload) {
        Channel to = channel;
        if (to != null && to.isActive()) {
            ByteBuf frame = to.alloc().ioBuffer(WebSocketFrame.maxLengthBytes(payload.length));
            WebSocketFrame.write(opcode, payload, ThreadLocalRandom.current().nextInt(), frame);
            var _ = to.writeAndFlush(frame, to.voidPromise());
        }
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
