package dev.retier.cli.fabric;

import java.util.HashMap;
import java.util.Map;

/**
 * A counter in one shared word to which each member adds 1 exactly once, whoever is killed and whatever answer is lost.
 *
 * <p>The word says beside the total who added last, and the how manieth addition of that member it was. Who replaces it
 * first sees to it that the member's own word says as much; so a member finds in one or the other whether an addition
 * of which it heard nothing was done. Following Attiya, Ben-Baruch and Hendler, Nesting-Safe Recoverable
 * Linearizability (PODC 2018), the recoverable compare-and-swap. Owned by one thread.
 */
public final class SharedCounter {
    /** The most that all members may add together. */
    public static final long MAX_TOTAL = (1L << 28) - 1;
    /** The most members. */
    public static final int MAX_MEMBERS = 254;

    private static final int NUMBER_SHIFT = 8;
    private static final int TOTAL_SHIFT = 36;
    private static final long MEMBER_MASK = 0xFF;

    private final SharedWords words;
    private final int word;
    private final Members members;
    /** What others' own words say at least. */
    private final Map<Integer, Long> recorded = new HashMap<>();

    private long made;

    /** The counter in {@code word}; the additions of each member stand in its group of {@code members}. */
    public SharedCounter(SharedWords words, int word, Members members) {
        this.words = words;
        this.word = word;
        this.members = members;
        this.made = madeUntil(words.get(word));
    }

    /** What all have added. */
    public long total() {
        return total(words.get(word));
    }

    /** What this member has added, in all its lives. */
    public long made() {
        return made;
    }

    /** Adds 1; what was there before. */
    public long add() {
        while (true) {
            long before = words.get(word);
            record(before);
            long next = (total(before) + 1) << TOTAL_SHIFT | (made + 1) << NUMBER_SHIFT | (members.self() + 1);
            boolean isDone = switch (words.replace(word, before, next)) {
                case DONE -> true;
                case REFUSED -> false;
                case UNKNOWN -> madeUntil(words.get(word)) > made;
            };
            if (isDone) {
                members.haveMade(++made);
                return total(before);
            }
        }
    }

    /** What this member has added, given what the word says now. */
    private long madeUntil(long now) {
        return adder(now) == members.self() ? number(now) : members.made(members.self());
    }

    /** Makes the own word of who added last say so. */
    private void record(long now) {
        int member = adder(now);
        long number = number(now);
        if (member < 0 || member == members.self() || recorded.getOrDefault(member, 0L) >= number) {
            return;
        }
        long known = members.made(member);
        while (known < number) {
            members.raise(member, known, number);
            known = members.made(member);
        }
        recorded.put(member, known);
    }

    private static long total(long value) {
        return value >>> TOTAL_SHIFT;
    }

    private static long number(long value) {
        return value >>> NUMBER_SHIFT & MAX_TOTAL;
    }

    /** Who added last; -1 if nobody has. */
    private static int adder(long value) {
        return (int) (value & MEMBER_MASK) - 1;
    }
}
