package dev.retier.iwarp.net;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of connections that have not yet sent a whole Request. Each source address has a few. Those of expected
 * peers are their own; all others share a number of places. Who comes when there is none left takes that of the
 * longest silent one: an honest initiator sends its Request at once, so it is hardly ever the one that goes.
 *
 * <p>Pure, and owned by the loop's thread. Bounded by {@code most} and {@code perAddress} times the expected addresses.
 */
final class HalfOpenPlaces<T> {
    /** Of the descriptors: one in so many. */
    private static final int SHARE = 4;

    private static final int LEAST = 16;
    private static final int MOST = 1024;

    private final int most;
    private final int perAddress;
    /** All, the oldest first. */
    private final LinkedHashSet<T> all = new LinkedHashSet<>();
    /** Those that are not from expected addresses, the oldest first. */
    private final LinkedHashSet<T> strangers = new LinkedHashSet<>();

    private final Map<InetAddress, LinkedHashSet<T>> byAddress = new HashMap<>();

    /** How many unexpected addresses share in a process of so many descriptors: it needs some for its files. */
    static int most(long descriptors) {
        return Math.clamp(descriptors / SHARE, LEAST, MOST);
    }

    /**
     * No places taken.
     *
     * @param most places that all unexpected addresses share
     * @param perAddress places of one address at most
     */
    HalfOpenPlaces(int most, int perAddress) {
        this.most = most;
        this.perAddress = perAddress;
    }

    /** Gives {@code who} a place. Returns who has to go for it, and still holds its own, or null. */
    @Nullable
    T enter(InetAddress from, T who, Set<InetAddress> expected) {
        LinkedHashSet<T> same = byAddress.computeIfAbsent(from, _ -> new LinkedHashSet<>());
        same.add(who);
        all.add(who);
        if (!expected.contains(from)) {
            strangers.add(who);
        }
        if (same.size() > perAddress) {
            return same.getFirst();
        }
        return strangers.size() > most ? strangers.getFirst() : null;
    }

    /** Frees the place of {@code who}, if it has one. */
    void leave(InetAddress from, T who) {
        all.remove(who);
        strangers.remove(who);
        LinkedHashSet<T> same = byAddress.get(from);
        if (same != null && same.remove(who) && same.isEmpty()) {
            byAddress.remove(from);
        }
    }

    /** Who has been silent for longest, or null if nobody is; one from an expected address if there is no other. */
    @Nullable
    T oldest() {
        if (!strangers.isEmpty()) {
            return strangers.getFirst();
        }
        return all.isEmpty() ? null : all.getFirst();
    }

    /** Places taken. */
    int count() {
        return all.size();
    }
}
