package dev.retier.volume.connect;

import dev.retier.volume.session.Outstanding.Effect;
import dev.retier.volume.session.Outstanding.Range;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A request that was asked for, as long as its end is awaited or it may have to be sent again.
 *
 * @param said what it says, but for its sequence
 * @param data what is behind the request; nobody changes it
 * @param into where the data of its answer goes; no room if it has none
 * @param pending told how it ended
 * @param askedNanos when it was asked for
 */
record Ticket(Request said, Pieces data, Pieces into, Pending pending, long askedNanos) {
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /**
     * It was done.
     *
     * @param data of its answer, where it was not asked to go elsewhere
     */
    record Ended(int volume, int epoch, long value, ByteBuffer data) {}

    /** What is not asked for yet. */
    static Ticket of(Request said, Pieces data, Pieces into, Pending pending) {
        return new Ticket(said, data, into, pending, 0);
    }

    /** It as it is asked for now. */
    Ticket asked(long nowNanos) {
        return new Ticket(said, data, into, pending, nowNanos);
    }

    Operation operation() {
        return said.operation();
    }

    int volume() {
        return said.volume();
    }

    int epoch() {
        return said.epoch();
    }

    /** Whether it, or its answer, has more data than that. */
    boolean isLongerThan(int bytes) {
        return data.bytes() > bytes || into.bytes() > bytes;
    }

    /** Why one that is {@link #isLongerThan longer} than what a server takes now fails. */
    static VolumeException tooLong(String server, int mostBytes) {
        return new VolumeException(
                Status.INVALID,
                server + " takes requests of " + mostBytes + " bytes now, shorter than one that waits for it:"
                        + " attach the volume anew, or raise the server's staging-slot to what it was");
    }

    /** What it touches. */
    Range range() {
        Effect effect = switch (said.operation()) {
            case WRITE, ZERO -> said.isForced() ? Effect.FORCED_CHANGE : Effect.CHANGE;
            case FLUSH -> Effect.FLUSH;
            case HINT -> Effect.ADVICE;
            default -> Effect.NONE;
        };
        long length = Integer.toUnsignedLong(said.length());
        return new Range(said.operation().needsAttachment() ? said.volume() : 0, said.offset(), length, effect);
    }

    /** As it is sent. */
    Request request(long sequence) {
        return new Request(
                said.operation(), said.flags(), said.length(), said.offset(), said.volume(), said.epoch(), sequence);
    }

    /** The server has done it, and answers with that data, which is the caller's. */
    void done(String server, Answer answer, ByteBuffer answered) {
        if (into.bytes() > 0 && answered.remaining() != into.bytes()) {
            fail(new IOException(
                    server + " answers " + answered.remaining() + " bytes to a request for " + into.bytes()));
            return;
        }
        ByteBuffer kept = NOTHING;
        if (into.bytes() > 0) {
            into.fill(answered);
        } else if (answered.hasRemaining()) {
            kept = ByteBuffer.allocate(answered.remaining()).put(answered).flip();
        }
        pending.done(new Ended(answer.volume(), answer.epoch(), answer.value(), kept));
    }

    /** It has ended without the server. */
    void end() {
        pending.done(new Ended(said.volume(), said.epoch(), 0, NOTHING));
    }

    void fail(IOException why) {
        pending.failed(why);
    }
}
