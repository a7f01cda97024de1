package dev.retier.link.core;

import dev.retier.link.NodeId;
import dev.retier.link.auth.Handshake;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Offer;
import dev.retier.link.auth.Responder;
import dev.retier.link.auth.Terms;
import dev.retier.link.auth.Versions;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Who is let in. A connection request is judged by its first message before anything is made for it; then it takes one
 * of the places for connections that have proven nothing. There are places for each configured peer's address, a few
 * for each other address, and a bound for all of those together; where there is none left, the oldest unproven one of
 * the same kind is put out, so that the newest is never kept waiting.
 *
 * @param <K> names a connection
 */
public final class Door<K> {
    /** Places for each address that is no configured peer's. */
    public static final int STRANGER_PLACES = 4;

    /** Places for all addresses together that are no configured peer's. */
    public static final int STRANGERS = 32;

    /** Places for a configured address beside two for each peer that has it. */
    public static final int PEER_PLACES = 4;

    /** Places for those who speak the former handshake, all addresses together. */
    public static final int FORMER_PLACES = 2;

    private final Supplier<byte[]> nonces;
    private final Map<K, Place> unproven = new LinkedHashMap<>();
    private final Rivals rivals = new Rivals();
    private Map<InetAddress, Integer> peersAt = Map.of();
    private Predicate<NodeId> isPeer = _ -> false;

    private record Place(InetAddress address, boolean former) {}

    /** What came of a request. */
    public sealed interface Verdict<K> {
        /** Let in, with what to answer; those in {@code out} are put out for it. */
        @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
        record In<K>(Responder responder, byte[] challenge, List<K> out) implements Verdict<K> {}

        /** Not let in. */
        record No<K>(String reason) implements Verdict<K> {}
    }

    /** A door at which nobody stands. */
    public Door(Supplier<byte[]> nonces) {
        this.nonces = nonces;
    }

    /** From now on these are the configured peers. */
    public void peers(Map<NodeId, InetAddress> peers) {
        Map<InetAddress, Integer> counts = new HashMap<>();
        peers.values().forEach(address -> counts.merge(address, 1, Integer::sum));
        peersAt = counts;
        isPeer = Map.copyOf(peers)::containsKey;
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
     */
    public Verdict<K> requested(K connection, byte[] hello, InetAddress from, Offer offer) {
        boolean configured = peersAt.containsKey(from);
        Responder responder = new Responder(offer);
        byte[] challenge = {};
        if (hello.length > 0) {
            switch (responder.greeted(hello, nonces.get())) {
                case Handshake.Send(var message) -> {
                    challenge = new byte[message.remaining()];
                    message.get(challenge);
                }
                case Handshake.Refused(String reason) -> {
                    return new Verdict.No<>(reason);
                }
                case Handshake.Proven _, Handshake.Welcomed _ ->
                    throw new IllegalStateException("a greeting is followed by a challenge");
            }
        } else if (!configured) {
            return new Verdict.No<>("it says nothing, and its address is no peer's");
        }
        boolean former = responder.claimed().map(Terms::version).orElse(0) == Versions.FORMER;
        if (former && !configured) {
            return new Verdict.No<>("it speaks the former handshake, and its address is no peer's");
        }
        String refusal = former ? "" : responder.claimed().map(this::refusal).orElse("");
        return refusal.isEmpty()
                ? new Verdict.In<>(responder, challenge, take(connection, new Place(from, former), configured))
                : new Verdict.No<>(refusal);
    }

    private String refusal(Terms terms) {
        Identity who = terms.peer();
        if (!isPeer.test(who.node())) {
            return who.node() + " is not among this cell's peers";
        }
        return rivals.isRefused(who) ? who.node() + " runs twice, and the elder of both stands" : "";
    }

    /** The connection has been proven, or is over. */
    public void left(K connection) {
        unproven.remove(connection);
    }

    /** How many stand at the door. */
    public int unproven() {
        return unproven.size();
    }

    private List<K> take(K connection, Place place, boolean configured) {
        List<K> out = new ArrayList<>();
        Integer peers = peersAt.get(place.address());
        int places = peers == null ? STRANGER_PLACES : PEER_PLACES + 2 * peers;
        makeRoom(places, other -> other.address().equals(place.address()), out);
        if (!configured) {
            makeRoom(STRANGERS, other -> !peersAt.containsKey(other.address()), out);
        }
        if (place.former()) {
            makeRoom(FORMER_PLACES, Place::former, out);
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
