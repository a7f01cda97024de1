package dev.retier.link.core;

import dev.retier.link.NodeId;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.Responder;
import dev.retier.link.auth.Terms;
import dev.retier.verbs.TerminateWord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The life of one connection from a peer: unproven, proven, over. Not thread-safe.
 */
public final class Incoming {
    /** How long a peer may take to prove the secret. */
    public static final long PROVE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Setup setup;
    private final Responder responder;
    private Phase phase = Phase.UNPROVEN;
    private boolean isForger;
    private boolean isHeardOut;
    /** When what has proven nothing is over, or what is over is to be freed. */
    private long dueNanos;

    /** Where the connection is in its life. */
    public enum Phase {
        /** The peer has not proven the secret. */
        UNPROVEN,
        /** In use. */
        PROVEN,
        /** Of no use any more. */
        OVER
    }

    /**
     * What does not change.
     *
     * @param isPeer who may be let in once proven
     * @param stallNanos an operation that has not ended for so long ends the connection
     */
    public record Setup(Predicate<NodeId> isPeer, long stallNanos) {}

    /** What happened. */
    public sealed interface Event {
        /** Time went by; the oldest operation under way was begun at {@code oldestNanos}, now if there is none. */
        record Tick(long oldestNanos) implements Event {}

        /** The peer sent this. */
        @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
        record Received(byte[] message) implements Event {}

        /** The connection is of no use any more, or gone. */
        record Broken(String reason) implements Event {}

        /** There is no connection any more: its keys are good for nothing, and there may be last words. */
        record Disconnected() implements Event {}

        /** All that the peer has sent has been told; the first 16 bits of our own RDMAP Terminate, or 0. */
        record HeardOut(int terminateWord) implements Event {}
    }

    /** What to do, in order. */
    public sealed interface Effect {
        /** The peer is proven and of this cell: register what it may use, then send {@link Incoming#welcome}. */
        record Admit(Terms terms) implements Effect {}

        /** Somebody was refused. */
        record Refuse(String reason) implements Effect {}

        /** Somebody who has proven nothing is gone, of itself or because it took too long. */
        record TellUnproven(boolean ofItself) implements Effect {}

        /** The peer used a key or an address that it may not use. */
        record TellForger() implements Effect {}

        /** A proven peer's connection is over. */
        record TellOver(String reason) implements Effect {}
    }

    /**
     * A connection whose request was let in.
     *
     * @param responder has been greeted, and its challenge is on the way
     */
    public Incoming(Setup setup, Responder responder, long nowNanos) {
        this.setup = setup;
        this.responder = responder;
        this.dueNanos = nowNanos + PROVE_NANOS;
    }

    /** Where the connection is. */
    public Phase phase() {
        return phase;
    }

    /** When a tick is due at the latest, but for stalls, which are looked for now and then. */
    public long dueNanos() {
        return phase == Phase.PROVEN ? Long.MAX_VALUE : dueNanos;
    }

    /** Whether all of it is to be freed now, by the thread that may. */
    public boolean isToBeFreed(long nowNanos) {
        return phase == Phase.OVER && nowNanos - dueNanos >= 0;
    }

    /** The last message of the handshake, which grants what an admitted peer may use. */
    public ByteBuffer welcome(byte[] grant) {
        return ByteBuffer.wrap(responder.welcome(grant));
    }

    /** Takes one event; what to do. */
    public List<Effect> on(Event event, long nowNanos) {
        return switch (event) {
            case Event.HeardOut(int word) -> heardOut(word, nowNanos);
            case Event.Tick(long oldestNanos) -> tick(oldestNanos, nowNanos);
            case Event.Broken(String reason) -> over(reason, nowNanos);
            case Event.Disconnected _ -> over("the connection is over", nowNanos + Outgoing.LAST_WORDS_NANOS);
            case Event.Received(byte[] message) -> received(message, nowNanos);
        };
    }

    private List<Effect> tick(long oldestNanos, long nowNanos) {
        if (phase == Phase.UNPROVEN && nowNanos - dueNanos > 0) {
            return end(nowNanos, new Effect.TellUnproven(false));
        }
        boolean stalled = phase == Phase.PROVEN && nowNanos - oldestNanos > setup.stallNanos();
        return stalled ? over("an operation was not answered in time", nowNanos) : List.of();
    }

    private List<Effect> received(byte[] message, long nowNanos) {
        return switch (phase) {
            case OVER -> List.of();
            case PROVEN -> over("it says more than a handshake", nowNanos);
            case UNPROVEN -> {
                try {
                    yield proven(message, nowNanos);
                } catch (BadMessage refusal) {
                    yield refuse(refusal.reason(), nowNanos);
                }
            }
        };
    }

    private List<Effect> proven(byte[] proof, long nowNanos) throws BadMessage {
        Terms terms = responder.proven(proof);
        NodeId node = terms.peer().node();
        if (!setup.isPeer().test(node)) {
            return refuse(node + " is not among this cell's peers", nowNanos);
        }
        phase = Phase.PROVEN;
        return List.of(new Effect.Admit(terms));
    }

    /** Ends a connection whose peer was to be admitted, and must not. */
    public List<Effect> refuse(String reason, long nowNanos) {
        return end(nowNanos, new Effect.Refuse(reason));
    }

    private List<Effect> end(long freeNanos, Effect told) {
        phase = Phase.OVER;
        dueNanos = freeNanos;
        return List.of(told);
    }

    private List<Effect> over(String reason, long freeNanos) {
        if (phase == Phase.OVER) {
            return List.of();
        }
        Effect told = phase == Phase.UNPROVEN ? new Effect.TellUnproven(true) : new Effect.TellOver(reason);
        return end(isHeardOut ? freeNanos - Outgoing.LAST_WORDS_NANOS : freeNanos, told);
    }

    private List<Effect> heardOut(int terminateWord, long nowNanos) {
        isHeardOut = true;
        if (phase == Phase.OVER) {
            dueNanos = nowNanos;
        }
        if (isForger || !TerminateWord.of(terminateWord).isProtectionError()) {
            return List.of();
        }
        isForger = true;
        return List.of(new Effect.TellForger());
    }
}
