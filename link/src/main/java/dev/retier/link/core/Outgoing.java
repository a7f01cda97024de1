package dev.retier.link.core;

import dev.retier.link.NodeId;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Initiator;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Terms;
import dev.retier.link.auth.Versions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The life of one node's link to one peer, again and again: back-off, connecting, proving, up, last words.
 *
 * <p>A round tries the present handshake under each secret that there is as it begins, and then the former one, each as
 * soon as the peer has refused the one before; between rounds is back-off. Only {@link Event.Tick} leads to
 * {@link Effect.Drop}, since what tells of a failure must not free the queue pair that it comes from. Not thread-safe.
 */
public final class Outgoing {
    /** How long a try may take until the peer has proven the secret. */
    public static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(3);

    /**
     * A goodbye and the end that follows it come on different threads, in any order, but the goodbye comes before the
     * queue pair says that there is no more to hear. That is waited for so long at most: a provider may not say it.
     */
    public static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Nodes of a cell are started in any order, so that nobody is told at first of peers that are not there yet. One
     * that is there and proves nothing is told of at once.
     */
    public static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Reasons why a peer cannot be connected to that are told until it is. */
    private static final int MOST_TOLD = 5;

    private static final byte[] GOODBYE = "RTBYE".getBytes(StandardCharsets.US_ASCII);

    private final Setup setup;
    private final List<Initiator.Try> tries = new ArrayList<>();
    /** Of the present round. */
    private @Nullable Offer offer;

    private final Backoff backoff;
    private final Supplier<byte[]> nonces;
    private final List<Effect> effects = new ArrayList<>();

    private Phase phase = Phase.IDLE;
    private int nextTry;
    /** When the next thing happens by itself: a try, the end of patience, or the end of last words. */
    private long dueNanos;

    private @Nullable Initiator initiator;
    private boolean challenged;
    private String failure = "";
    /** Why it could not be connected since it was up, as far as told. */
    private final Set<String> told = new HashSet<>();

    private final long bornNanos;
    private boolean hasEverBeenUp;
    private boolean wasUp;
    private boolean hasLeft;
    private boolean refused;

    /** Where a link is in its life. */
    private enum Phase {
        /** Waiting for the next try. */
        IDLE,
        /** The peer is looked up and asked. */
        CONNECTING,
        /** The peer has answered, and both prove the secret. */
        PROVING,
        /** In use. */
        UP,
        /** Over, and perhaps about to be told why. */
        LAST_WORDS
    }

    /**
     * What does not change.
     *
     * @param offer what this node brings to a handshake now
     * @param stallNanos an operation that has not ended for so long ends the connection
     */
    public record Setup(NodeId peer, Supplier<Offer> offer, long stallNanos) {}

    /** What happened to the present try. */
    public sealed interface Event {
        /** Time went by; the oldest operation under way was begun at {@code oldestNanos}, now if there is none. */
        record Tick(long oldestNanos) implements Event {}

        /** The peer has accepted, with these bytes. */
        @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
        record Established(byte[] challenge) implements Event {}

        /** The peer said no, in whatever way: something else may be worth a try. */
        record Refused(String reason) implements Event {}

        /** It did not work. */
        record Failed(String reason) implements Event {}

        /**
         * The queue pair broke. While the peer is asked this is no news: the connection manager tells why, before or
         * after.
         */
        record Broken(String reason) implements Event {}

        /** The peer sent this. */
        @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
        record Received(byte[] message) implements Event {}

        /** It is up and of no use here: what the peer grants is not what this node needs. */
        record Unusable(String reason) implements Event {}

        /** All that the peer has sent has been told. */
        record HeardOut() implements Event {}

        /** This node closes. */
        record Closed() implements Event {}
    }

    /** What to do, in order. */
    public sealed interface Effect {
        /** Resolve the peer's address and the route to it, make a queue pair, and connect with these bytes. */
        @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
        record Connect(byte[] hello) implements Effect {}

        /** Send this. */
        record Send(ByteBuffer message) implements Effect {}

        /** Both have proven the secret: use the connection. */
        record Up(Terms terms, ByteBuffer grant) implements Effect {}

        /** What was up is over: end what is under way. */
        record Abort(String reason) implements Effect {}

        /** A try failed for a reason that is news. */
        record TellFailure(String reason) implements Effect {}

        /** What was up is over because nothing was answered in time. */
        record TellStall() implements Effect {}

        /** What was up is over. */
        record TellEnd(boolean hasLeft, String reason) implements Effect {}

        /** Free everything of this try. */
        record Drop() implements Effect {}
    }

    /**
     * A link whose first try is due at once.
     *
     * @param nonces unpredictable bytes, new ones each time
     */
    public Outgoing(Setup setup, RandomGenerator random, Supplier<byte[]> nonces, long nowNanos) {
        this.setup = setup;
        this.backoff = new Backoff(random);
        this.nonces = nonces;
        this.bornNanos = nowNanos;
        this.dueNanos = nowNanos;
    }

    /** The message by which a node that closes in good order tells those that see it. */
    public static ByteBuffer goodbye() {
        return ByteBuffer.wrap(GOODBYE).asReadOnlyBuffer();
    }

    /** When a tick is due at the latest, but for stalls, which are looked for now and then. */
    public long dueNanos() {
        return dueNanos;
    }

    /** Takes one event; what to do. An event that the phase has no use for does nothing. */
    public List<Effect> on(Event event, long nowNanos) {
        effects.clear();
        switch (event) {
            case Event.Tick(long oldestNanos) -> tick(oldestNanos, nowNanos);
            case Event.Closed _ -> close();
            case Event.Refused(String reason) -> fail(reason, true, nowNanos);
            case Event.Failed(String reason) -> fail(reason, false, nowNanos);
            case Event.Broken(String reason) -> {
                if (phase != Phase.CONNECTING) {
                    fail(reason, false, nowNanos);
                }
            }
            case Event.Unusable(String reason) -> {
                wasUp = false;
                fail(reason, false, nowNanos);
            }
            case Event.HeardOut _ -> dueNanos = phase == Phase.LAST_WORDS ? nowNanos : dueNanos;
            case Event.Received(byte[] message) -> received(message, nowNanos);
            case Event.Established(byte[] challenge) -> {
                if (phase == Phase.CONNECTING) {
                    phase = Phase.PROVING;
                    answer(challenge, nowNanos);
                }
            }
        }
        return List.copyOf(effects);
    }

    private void tick(long oldestNanos, long nowNanos) {
        if (phase == Phase.UP && nowNanos - oldestNanos > setup.stallNanos()) {
            effects.add(new Effect.TellStall());
            fail("an operation was not answered in time", false, nowNanos);
        } else if (phase != Phase.UP && phase != Phase.IDLE && phase != Phase.LAST_WORDS && nowNanos - dueNanos > 0) {
            fail("no answer in " + TimeUnit.NANOSECONDS.toSeconds(CONNECT_NANOS) + " s", false, nowNanos);
        }
        if (phase == Phase.LAST_WORDS && nowNanos - dueNanos >= 0) {
            if (wasUp) {
                effects.add(new Effect.TellEnd(hasLeft, failure));
            }
            drop(nowNanos);
        } else if (phase == Phase.IDLE && nowNanos - dueNanos >= 0) {
            begin(nowNanos);
        }
    }

    private void begin(long nowNanos) {
        initiator = new Initiator(round(), tries.get(nextTry), setup.peer());
        phase = Phase.CONNECTING;
        challenged = false;
        wasUp = false;
        hasLeft = false;
        refused = false;
        dueNanos = nowNanos + CONNECT_NANOS;
        effects.add(new Effect.Connect(initiator.hello(nonces.get())));
    }

    /** What the present round brings; a new one brings what there is now. */
    private Offer round() {
        if (offer != null && nextTry > 0) {
            return offer;
        }
        Offer now = setup.offer().get();
        tries.clear();
        for (ClusterSecret secret : now.secrets().all()) {
            tries.add(new Initiator.Try(Versions.CURRENT, secret));
        }
        if (now.spoken().lowest() <= Versions.FORMER) {
            tries.add(new Initiator.Try(Versions.FORMER, now.secrets().first()));
        }
        offer = now;
        return now;
    }

    private void received(byte[] message, long nowNanos) {
        if (phase == Phase.PROVING) {
            answer(message, nowNanos);
        } else if (wasUp && ByteBuffer.wrap(message).equals(goodbye())) {
            hasLeft = true;
            fail("it has left", false, nowNanos);
            dueNanos = nowNanos;
        }
    }

    private void answer(byte[] message, long nowNanos) {
        Initiator asking = Objects.requireNonNull(initiator);
        try {
            if (challenged) {
                up(asking.welcomed(message));
            } else {
                challenged = true;
                effects.add(new Effect.Send(ByteBuffer.wrap(asking.challenged(message))));
            }
        } catch (BadMessage refusal) {
            fail(refusal.reason(), true, nowNanos);
        }
    }

    private void up(Initiator.Welcomed welcomed) {
        phase = Phase.UP;
        wasUp = true;
        hasEverBeenUp = true;
        nextTry = 0;
        effects.add(new Effect.Up(welcomed.terms(), welcomed.grant()));
    }

    private void fail(String reason, boolean byPeer, long nowNanos) {
        if (phase == Phase.IDLE || phase == Phase.LAST_WORDS) {
            return;
        }
        boolean isStarting = phase == Phase.CONNECTING && !hasEverBeenUp && nowNanos - bornNanos < START_NANOS;
        failure = reason;
        refused = byPeer && !wasUp;
        phase = Phase.LAST_WORDS;
        dueNanos = wasUp ? nowNanos + LAST_WORDS_NANOS : nowNanos;
        if (wasUp) {
            told.clear();
            backoff.succeeded();
            effects.add(new Effect.Abort(reason));
        } else if (!isStarting && !mayTryAnother() && told.size() < MOST_TOLD && told.add(reason)) {
            effects.add(new Effect.TellFailure(reason));
        }
    }

    private boolean mayTryAnother() {
        return refused && nextTry < tries.size() - 1;
    }

    private void drop(long nowNanos) {
        effects.add(new Effect.Drop());
        phase = Phase.IDLE;
        initiator = null;
        if (mayTryAnother()) {
            nextTry++;
            dueNanos = nowNanos;
        } else {
            nextTry = 0;
            dueNanos = nowNanos + backoff.afterFailureNanos();
        }
    }

    private void close() {
        if (phase == Phase.UP) {
            effects.add(new Effect.Abort("this node closed the connection"));
        }
        if (phase != Phase.IDLE) {
            effects.add(new Effect.Drop());
        }
        phase = Phase.IDLE;
        dueNanos = Long.MAX_VALUE;
    }
}
