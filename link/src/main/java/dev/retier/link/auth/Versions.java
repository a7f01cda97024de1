package dev.retier.link.auth;

/**
 * The versions of the handshake that a node speaks.
 *
 * @param lowest 1 to {@code highest}
 * @param highest up to 255
 */
public record Versions(int lowest, int highest) {
    /** The former handshake, in which the responder proves the secret first. */
    public static final int FORMER = 2;

    /** The present handshake, in which the initiator proves the secret first. */
    public static final int CURRENT = 3;

    private static final int MAX = 0xFF;

    /** Refuses what is no range with {@link IllegalArgumentException}. */
    public Versions {
        if (lowest < 1 || lowest > highest || highest > MAX) {
            throw new IllegalArgumentException(lowest + " to " + highest + " is no range of versions");
        }
    }

    /** What this program speaks. */
    public static Versions spoken(boolean formerToo) {
        return new Versions(formerToo ? FORMER : CURRENT, CURRENT);
    }

    /** Of a peer that says nothing about it. */
    static Versions only(int version) {
        return new Versions(version, version);
    }

    boolean has(int version) {
        return version >= lowest && version <= highest;
    }

    /** Refuses {@code used} if both sides speak a higher one: somebody between them may have seen to that. */
    void refuseDowngrade(int used, Versions other) throws BadMessage {
        int best = Math.min(highest, other.highest);
        if (used < best) {
            throw new BadMessage("version " + used + " is used where both speak " + best);
        }
    }
}
