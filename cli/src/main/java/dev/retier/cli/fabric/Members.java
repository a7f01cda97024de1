package dev.retier.cli.fabric;

/**
 * Where the processes that share words say how far they are: a group of words for each. Owned by one thread.
 */
public final class Members {
    /** It has begun, and is at it. */
    public static final long WORKING = 1;
    /** It makes nothing new any more. */
    public static final long FINISHED = 2;
    /** It asks for nothing any more. */
    public static final long ENDED = 3;

    private static final int PER_MEMBER = 3;

    private final SharedWords words;
    private final int first;
    private final int count;
    private final int self;

    /**
     * The groups of {@code count} processes, of which this is number {@code self}.
     *
     * @param first the first of {@link #words} words
     */
    public Members(SharedWords words, int first, int count, int self) {
        this.words = words;
        this.first = first;
        this.count = count;
        this.self = self;
    }

    /** How many words so many processes have. */
    public static int words(int count) {
        return PER_MEMBER * count;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** The number of this one. */
    public int self() {
        return self;
    }

    /** How far {@code member} is; 0 before it has begun. */
    public long state(int member) {
        return words.get(first + PER_MEMBER * member);
    }

    /** Says how far this one is. */
    public void reach(long state) {
        words.set(first + PER_MEMBER * self, state);
    }

    /**
     * Says that this one asks for nothing any more. The home may end as soon as that is there, before its answer has
     * come: then nothing is lost.
     */
    public void leave() {
        try {
            reach(ENDED);
        } catch (LostException answered) {
            // Nothing is asked for after this.
        }
    }

    /** What {@code member} has made. */
    public long made(int member) {
        return words.get(first + PER_MEMBER * member + 1);
    }

    /** Makes {@code member}'s word say that it has made {@code made}, if it says {@code known}. */
    void raise(int member, long known, long made) {
        words.replace(first + PER_MEMBER * member + 1, known, made);
    }

    /** Says what this one has made. */
    public void haveMade(long made) {
        words.set(first + PER_MEMBER * self + 1, made);
    }
}
