package dev.retier.cli.fabric;

import java.util.Optional;

/**
 * A queue of bounded length that any process may add to and take from, and that any process may leave at any moment
 * without a word: each step is one compare-and-set, and whoever finds a step half done completes it.
 *
 * <pre>
 *  word 0: first full place   word 1: first free place   then places   then marks, one for each item there can be
 *  place:  lap 24 | member + 1: 8 | item 32;  no member: free
 *  mark:   0, or the member + 1 that has taken the item
 * </pre>
 *
 * <p>The place is filled by the same step that takes it, so a member that dies leaves no hole. An item is taken by the
 * step that sets its mark; only then is its place freed, by whoever comes. So an item is taken once. Owned by one
 * thread.
 */
public final class SharedQueue {
    /** Items that one member can make. */
    public static final int MAX_ITEMS = 10_000;

    private static final int HEAD = 0;
    private static final int TAIL = 1;
    private static final int PLACES_FROM = 2;
    private static final int PLACES = 64;
    private static final int MARKS_FROM = PLACES_FROM + PLACES;
    private static final int LAP_SHIFT = 40;
    private static final int MEMBER_SHIFT = 32;
    private static final long MEMBER_MASK = 0xFF;

    private final SharedWords words;
    private final int self;

    /** An item: the {@code number}th that {@code member} made. */
    public record Item(int member, int number) {
        private long word() {
            return (long) (member + 1) << MEMBER_SHIFT | number;
        }
    }

    /** The queue in {@code words}, as member {@code self} sees it. */
    public SharedQueue(SharedWords words, int self) {
        this.words = words;
        this.self = self;
    }

    /** How many words a queue for so many members has. */
    public static int words(int members) {
        return MARKS_FROM + members * MAX_ITEMS;
    }

    /** Adds an item of this member; false if there is no room. An item that is there already is not added again. */
    public boolean add(int number) {
        Item item = new Item(self, number);
        while (true) {
            long at = words.get(TAIL);
            long place = words.get(placeOf(at));
            if (place >>> LAP_SHIFT < lapOf(at)) {
                return false; // what was put here a lap ago has not been taken
            }
            if (place >>> LAP_SHIFT == lapOf(at) && isFree(place)) {
                switch (words.replace(placeOf(at), place, place | item.word())) {
                    case DONE -> {
                        words.replace(TAIL, at, at + 1);
                        return true;
                    }
                    case REFUSED -> {}
                    case UNKNOWN -> {
                        if (isAdded(item)) {
                            return true;
                        }
                    }
                }
            } else {
                words.replace(TAIL, at, at + 1);
            }
        }
    }

    /** Takes the oldest item, if there is one. Nothing, too, if another was faster. */
    public Optional<Item> take() {
        long at = words.get(HEAD);
        long place = words.get(placeOf(at));
        if (place >>> LAP_SHIFT != lapOf(at)) {
            words.replace(HEAD, at, at + 1);
            return Optional.empty();
        }
        if (isFree(place)) {
            return Optional.empty();
        }
        Item item = itemIn(place);
        SharedWords.Tried mark = words.replace(markOf(item), 0, self + 1L);
        long taker = mark == SharedWords.Tried.UNKNOWN ? words.get(markOf(item)) : self + 1L;
        if (taker == 0) {
            return Optional.empty();
        }
        // Who does not know whether the place is free leaves it to the next to see.
        if (words.replace(placeOf(at), place, (lapOf(at) + 1) << LAP_SHIFT) != SharedWords.Tried.UNKNOWN) {
            words.replace(HEAD, at, at + 1);
        }
        return mark != SharedWords.Tried.REFUSED && taker == self + 1L ? Optional.of(item) : Optional.empty();
    }

    /** Whether nothing is in it. */
    public boolean isEmpty() {
        return words.get(HEAD) >= words.get(TAIL) && isFree(words.get(placeOf(words.get(HEAD))));
    }

    /** How many items {@code member} has taken. */
    public long taken(int member, int members) {
        long taken = 0;
        for (int maker = 0; maker < members; maker++) {
            for (long mark : words.get(markOf(new Item(maker, 0)), MAX_ITEMS)) {
                taken += mark == member + 1L ? 1 : 0;
            }
        }
        return taken;
    }

    /** The number of the first item that this member has not made, in this life or an earlier one. */
    public int nextNumber() {
        int next = 0;
        long[] marks = words.get(markOf(new Item(self, 0)), MAX_ITEMS);
        for (int number = 0; number < MAX_ITEMS; number++) {
            next = marks[number] == 0 ? next : number + 1;
        }
        for (long place : words.get(PLACES_FROM, PLACES)) {
            if (!isFree(place) && itemIn(place).member() == self) {
                next = Math.max(next, itemIn(place).number() + 1);
            }
        }
        return next;
    }

    private boolean isAdded(Item item) {
        for (long place : words.get(PLACES_FROM, PLACES)) {
            if (!isFree(place) && itemIn(place).equals(item)) {
                return true;
            }
        }
        return words.get(markOf(item)) != 0;
    }

    private static int placeOf(long position) {
        return PLACES_FROM + (int) (position % PLACES);
    }

    private static long lapOf(long position) {
        return position / PLACES;
    }

    private static int markOf(Item item) {
        return MARKS_FROM + item.member() * MAX_ITEMS + item.number();
    }

    private static boolean isFree(long place) {
        return (place >>> MEMBER_SHIFT & MEMBER_MASK) == 0;
    }

    private static Item itemIn(long place) {
        return new Item((int) (place >>> MEMBER_SHIFT & MEMBER_MASK) - 1, (int) place);
    }
}
