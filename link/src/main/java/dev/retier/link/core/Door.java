package dev.retier.link.core;

import dev.retier.link.NodeId;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Responder;
import dev.retier.link.auth.Terms;
import dev.retier.link.auth.Versions;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Who is let in. A connection request is judged by its first message before anything is made for it; then it takes one
 * of the places for connections that have proven nothing yet: each peer has two, for messages that prove the secret and
 * were never heard before; all that speak the former handshake, in which this node has to prove the secret first, have
 * two together. Where there is none
 * left, the oldest of the same kind is put out, unless it has not had the time to prove itself: so one that asks again
 * and again costs little. A guest is who its life says: its id may be anybody's.
 *
 * @param <K> names a connection
 */
public final class Door<K> {
    /** Places of one kind. */
    public static final int PLACES = 2;

    /** For so long nobody is put out. */
    public static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** First messages that are remembered; each life of a link has one. */
    private static final int REMEMBERED = 1024;

    private final Supplier<byte[]> nonces;
    private final Map<K, Place> unproven = new LinkedHashMap<>();
    private final Set<ByteBuffer> heard = new LinkedHashSet<>();
    private final Rivals rivals = new Rivals();
    private final boolean admitsGuests;
    private final BiFunction<K, NodeId, Optional<String>> impostors;
    private Map<NodeId, InetAddress> peers = Map.of();

    /**
     * A place at the door.
     *
     * @param kind what {@link #name} says, or {@link Versions#FORMER}
     */
    private record Place(Object kind, long sinceNanos) {}

    /**
     * A connection that is let in.
     *
     * @param challenge what to answer
     * @param out are put out for it
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
    public record LetIn<K>(Responder responder, byte[] challenge, List<K> out) {}

    /**
     * A door at which nobody stands.
     *
     * @param admitsGuests whether who proves the secret is let in though it is not among the peers
     * @param impostors why who is at the other end of a connection is not the node that it claims to be, which need not
     *     be known; asked of peers alone
     */
    public Door(Supplier<byte[]> nonces, boolean admitsGuests, BiFunction<K, NodeId, Optional<String>> impostors) {
        this.nonces = nonces;
        this.admitsGuests = admitsGuests;
        this.impostors = impostors;
    }

    /** From now on these are the configured peers. */
    public void peers(Map<NodeId, InetAddress> addresses) {
        peers = Map.copyOf(addresses);
    }

    /** Which of several agents with one id counts. */
    public Rivals rivals() {
        return rivals;
    }

    /**
     * Judges a connection request.
     *
     * @param hello what came with it
     * @param from who asks
     * @throws BadMessage if it is not let in
     */
    public LetIn<K> requested(K connection, byte[] hello, InetAddress from, Offer offer, long nowNanos)
            throws BadMessage {
        Responder responder = new Responder(offer);
        byte[] challenge = responder.greeted(hello, nonces.get());
        Terms claimed = responder.claimed().orElseThrow();
        boolean isFormer = claimed.version() == Versions.FORMER;
        if (isFormer && !peers.containsValue(from)) {
            throw new BadMessage("its first message proves nothing");
        }
        refuse(connection, claimed.peer());
        if (!isFormer && !heard.add(ByteBuffer.wrap(hello))) {
            throw new BadMessage("it repeats what was said before");
        }
        if (heard.size() > REMEMBERED) {
            heard.remove(heard.iterator().next());
        }
        Object kind = isFormer ? Versions.FORMER : name(claimed.peer());
        return new LetIn<>(responder, challenge, take(connection, new Place(kind, nowNanos)));
    }

    /** Whether it is let in though it is not among the peers. */
    public boolean isGuest(Identity who) {
        return admitsGuests && !peers.containsKey(who.node());
    }

    /** What has one connection: a peer by its node, whatever its life; each life of a guest. */
    public Object name(Identity who) {
        return isGuest(who) ? who : who.node();
    }

    private void refuse(K connection, Identity who) throws BadMessage {
        if (!admitsGuests && !peers.containsKey(who.node())) {
            throw new BadMessage(who.node() + " is not among this cell's peers");
        }
        Optional<String> impostor = isGuest(who) ? Optional.empty() : impostors.apply(connection, who.node());
        if (impostor.isPresent()) {
            throw new BadMessage(impostor.get());
        }
        if (!isGuest(who) && rivals.isRefused(who)) {
            throw new BadMessage(who.node() + " runs twice, and the elder of both stands");
        }
    }

    /** The connection has been proven, or is over. */
    public void left(K connection) {
        unproven.remove(connection);
    }

    private List<K> take(K connection, Place place) throws BadMessage {
        List<Map.Entry<K, Place>> same = same(place.kind());
        List<Map.Entry<K, Place>> out = same.subList(0, Math.max(0, same.size() - PLACES + 1));
        for (Map.Entry<K, Place> one : out) {
            if (place.sinceNanos() - one.getValue().sinceNanos() < TURN_NANOS) {
                throw new BadMessage("too many of its connections prove nothing");
            }
        }
        List<K> names = out.stream().map(Map.Entry::getKey).toList();
        unproven.keySet().removeAll(names);
        unproven.put(connection, place);
        return names;
    }

    /** Those that have a place of this kind, oldest first. */
    private List<Map.Entry<K, Place>> same(Object kind) {
        return unproven.entrySet().stream()
                .filter(entry -> entry.getValue().kind().equals(kind))
                .map(Map.Entry::copyOf)
                .toList();
    }
}
