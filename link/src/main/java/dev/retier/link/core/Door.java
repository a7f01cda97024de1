package dev.retier.link.core;

import dev.retier.link.NodeId;
import dev.retier.link.auth.BadMessage;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Responder;
import dev.retier.link.auth.Terms;
import dev.retier.link.auth.Versions;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Who is let in. A connection request is judged by its first message before anything is made for it; then it takes one
 * of the places for connections that have proven nothing. A peer that asks from its configured address has places of
 * its own, so that peers that share an address never take each other's; there are some more for each address, a bound
 * for all those that are no peer's, and two for the former handshake. Where there is none left, the oldest unproven one
 * of the same kind is put out, so that the newest is never kept waiting.
 *
 * @param <K> names a connection
 */
public final class Door<K> {
    /** Places for each address, and two more for each peer that has it. */
    public static final int STRANGER_PLACES = 4;

    /** Places for all addresses together that are no configured peer's. */
    public static final int STRANGERS = 32;

    /** Places of a peer that asks from its configured address. */
    public static final int OWN_PLACES = 2;

    /** Places of all that speak the former handshake, in which this node has to prove the secret first. */
    public static final int FORMER_PLACES = 2;

    private final Supplier<byte[]> nonces;
    private final Map<K, Place> unproven = new LinkedHashMap<>();
    private final Rivals rivals = new Rivals();
    private Map<NodeId, InetAddress> peers = Map.of();

    /**
     * A kind of place.
     *
     * @param own the peer that has it to itself
     */
    private record Place(InetAddress address, boolean former, Optional<NodeId> own) {}

    /**
     * A connection that is let in.
     *
     * @param challenge what to answer
     * @param out are put out for it
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
    public record LetIn<K>(Responder responder, byte[] challenge, List<K> out) {}

    /** A door at which nobody stands. */
    public Door(Supplier<byte[]> nonces) {
        this.nonces = nonces;
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
     * @param hello what came with it; nothing if the provider hides it, and then it comes as the first message
     * @param from who asks
     * @throws BadMessage if it is not let in
     */
    public LetIn<K> requested(K connection, byte[] hello, InetAddress from, Offer offer) throws BadMessage {
        boolean configured = peers.containsValue(from);
        if (hello.length == 0 && !configured) {
            throw new BadMessage("it says nothing, and its address is no peer's");
        }
        Responder responder = new Responder(offer);
        byte[] challenge = hello.length == 0 ? hello : responder.greeted(hello, nonces.get());
        Optional<Terms> claimed = responder.claimed();
        boolean former =
                claimed.filter(terms -> terms.version() == Versions.FORMER).isPresent();
        if (former && !configured) {
            throw new BadMessage("it speaks the former handshake, and its address is no peer's");
        }
        if (claimed.isPresent()) {
            refuse(claimed.get().peer());
        }
        Optional<NodeId> own = claimed.map(terms -> terms.peer().node()).filter(node -> from.equals(peers.get(node)));
        return new LetIn<>(responder, challenge, take(connection, new Place(from, former, own)));
    }

    private void refuse(Identity who) throws BadMessage {
        if (!peers.containsKey(who.node())) {
            throw new BadMessage(who.node() + " is not among this cell's peers");
        }
        if (rivals.isRefused(who)) {
            throw new BadMessage(who.node() + " runs twice, and the elder of both stands");
        }
    }

    /** Its first message came after its request, and is of the former handshake; whether there is a place for it. */
    public boolean takesFormer(K connection) {
        boolean room = unproven.values().stream().filter(Place::former).count() < FORMER_PLACES;
        unproven.computeIfPresent(
                connection, (_, place) -> room ? new Place(place.address(), true, place.own()) : place);
        return room;
    }

    /** The connection has been proven, or is over. */
    public void left(K connection) {
        unproven.remove(connection);
    }

    /** How many stand at the door. */
    public int unproven() {
        return unproven.size();
    }

    private List<K> take(K connection, Place place) {
        List<K> out = new ArrayList<>();
        int places = STRANGER_PLACES + 2 * Collections.frequency(peers.values(), place.address());
        if (place.former()) {
            makeRoom(FORMER_PLACES, Place::former, out);
        } else {
            makeRoom(place.own().isPresent() ? OWN_PLACES : places, place::equals, out);
        }
        if (!peers.containsValue(place.address())) {
            makeRoom(STRANGERS, other -> !peers.containsValue(other.address()), out);
        }
        unproven.put(connection, place);
        return out;
    }

    /** Puts out the oldest of a kind until there is a place. */
    private void makeRoom(int places, Predicate<Place> kind, List<K> out) {
        List<K> same = unproven.entrySet().stream()
                .filter(entry -> kind.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        for (K oldest : same.subList(0, Math.max(0, same.size() - places + 1))) {
            unproven.remove(oldest);
            out.add(oldest);
        }
    }
}
