package dev.retier.link;

import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.link.auth.Terms;
import dev.retier.link.core.Door;
import dev.retier.link.core.Incoming;
import dev.retier.link.core.Incoming.Effect;
import dev.retier.link.core.Incoming.Event;
import dev.retier.link.core.Outgoing;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A peer's way to this node: does what {@link Incoming} decides. After the handshake the provider serves reads and
 * atomics without this node's threads; what else is to be done is the host's business.
 *
 * <p>Thread-safe. Made and freed by the keeper's thread; messages come on the completion thread.
 */
final class IncomingLink implements QueuePair.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(IncomingLink.class);

    private final LinkHost<?> local;
    private final RdmaCmId id;
    private final Reception reception;
    private final String address;
    private final QueuePair pair;
    /** Guarded by this. */
    private final Incoming life;

    private final AtomicReference<Connection> use = new AtomicReference<>(Connection.PASSIVE);

    private volatile @Nullable Terms terms;

    /**
     * Accepts the connection request {@code id}, which was let in.
     *
     * @param from the peer's address, for people
     */
    IncomingLink(LinkHost<?> local, RdmaCmId id, Door.LetIn<?> in, Reception reception, String from)
            throws IOException {
        this.local = local;
        this.id = id;
        this.reception = reception;
        this.address = from;
        Incoming.Setup setup =
                new Incoming.Setup(reception::isPeer, local.links().stallBound().toNanos());
        this.life = new Incoming(setup, in.responder(), local.nowNanos());
        this.pair = new QueuePair(id, local.queues(id.getVerbs(), false), local.sizes(), this);
        try {
            PrivateData.pass(in.challenge(), id::accept);
        } catch (IOException | RuntimeException | OutOfMemoryError failed) {
            pair.destroy();
            throw failed;
        }
    }

    /** Does what is due; whether it is to be freed. */
    boolean tick(long nowNanos) {
        // Not under the lock: to be asked for its oldest operation, a user may need a lock of its own.
        take(new Event.Tick(use.get().oldestNanos(nowNanos)));
        synchronized (this) {
            return life.isToBeFreed(nowNanos);
        }
    }

    /** When a tick is due at the latest, but for stalls. */
    synchronized long dueNanos() {
        return life.dueNanos();
    }

    /** Who is at the other end, once it is proven. */
    Optional<Terms> terms() {
        return Optional.ofNullable(terms);
    }

    /** Names it at the door. */
    RdmaCmId id() {
        return id;
    }

    /** Where the other end is. */
    String address() {
        return address;
    }

    /** There is no connection any more. */
    void disconnected() {
        take(new Event.Disconnected());
    }

    /** Tells the peer, if it is proven, that this node closes in good order. */
    synchronized void sayGoodbye() {
        try {
            if (life.phase() == Incoming.Phase.PROVEN) {
                pair.send(Outgoing.goodbye());
            }
        } catch (IOException failed) {
            LOG.debug("{} could not say goodbye to {}: {}", local.self(), terms, failed.toString());
        }
    }

    /** Frees everything; after it returns the peer can reach nothing through this connection. */
    void close() {
        take(new Event.Broken("the connection is closed"));
        pair.destroy();
        Connection ended = use.getAndSet(Connection.PASSIVE);
        ended.abort("the connection is closed");
        ended.freed();
    }

    @Override
    public void received(byte[] message) {
        if (message.length == 0 && terms().isPresent()) {
            use.get().nudged();
        } else {
            take(new Event.Received(message));
        }
    }

    @Override
    public void immediate(int value) {
        use.get().immediate(value);
    }

    @Override
    public void broken(String reason) {
        take(new Event.Broken(reason));
    }

    @Override
    public void heardOut(int terminateWord) {
        take(new Event.HeardOut(terminateWord));
    }

    private synchronized void take(Event event) {
        perform(life.on(event, local.nowNanos()));
    }

    private void perform(List<Effect> effects) {
        for (Effect effect : effects) {
            try {
                perform(effect);
            } catch (IOException failed) {
                take(new Event.Broken(String.valueOf(failed.getMessage())));
            } catch (RuntimeException fault) {
                LOG.error("{} ends a connection that cannot be handled", local.self(), fault);
                take(new Event.Broken("it could not be handled here: " + fault.getMessage()));
            }
        }
    }

    private void perform(Effect effect) throws IOException {
        switch (effect) {
            case Effect.Admit(Terms who) -> admit(who);
            case Effect.Refuse(String reason) -> reception.tell(LinkMetric.HANDSHAKES_REFUSED, address, reason);
            case Effect.TellUnproven(boolean ofItself) -> reception.unproven(address, ofItself);
            case Effect.TellForger _ ->
                reception.tell(
                        LinkMetric.KEYS_REFUSED,
                        terms == null ? address : terms.peer().node() + " at " + address,
                        "it used a key or an address that it may not use");
            case Effect.TellOver(String reason) ->
                LOG.debug("{} is no longer seen by {}: {}", local.self(), terms, reason);
        }
    }

    private void admit(Terms who) throws IOException {
        String refusal = reception.proven(who, this);
        if (!refusal.isEmpty()) {
            perform(life.refuse(refusal, local.nowNanos()));
            return;
        }
        terms = who;
        LinkHost.Admission admission = local.admit(new LinkHost.Ready(pair, pair.receives(), who, this::broken));
        use.set(admission.use());
        pair.send(life.welcome(admission.grant()));
        LOG.debug("{} is seen by {} in version {}", local.self(), who.peer(), who.version());
    }
}
