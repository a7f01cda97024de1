package dev.retier.volume.pool;

import java.util.Arrays;

/** How many maps say of each cluster of the pool's file that it is theirs. Not thread-safe. */
public final class Places {
    private static final int FIRST_COUNT = 1024;

    private int[] users = new int[FIRST_COUNT];
    private int next;
    private long used;

    /** One more has it. */
    public void take(long place) {
        int at = Math.toIntExact(place);
        if (at >= users.length) {
            users = Arrays.copyOf(users, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(at + 1L, users.length * 2L)));
        }
        used += users[at] == 0 ? 1 : 0;
        users[at]++;
    }

    /** One that nobody had, the lowest behind the one that was given last, and which one has now. */
    public long give() {
        while (next < users.length && users[next] > 0) {
            next++;
        }
        take(next);
        return next;
    }

    /**
     * One less has it; when none has, it can be given again.
     *
     * @return whether none has
     */
    public boolean free(long place) {
        int at = Math.toIntExact(place);
        users[at]--;
        if (users[at] == 0) {
            used--;
            next = Math.min(next, at);
        }
        return users[at] == 0;
    }

    /** The first from {@code place} on that nobody has. */
    public long nextUnused(long place) {
        long at = place;
        while (at < users.length && users[(int) at] > 0) {
            at++;
        }
        return at;
    }

    /** The first from {@code place} on that one has; {@code end} if there is none before it. */
    public long nextUsed(long place, long end) {
        long at = place;
        while (at < end && (at >= users.length || users[(int) at] == 0)) {
            at++;
        }
        return at;
    }

    /** Whether more than one has it. */
    public boolean isShared(long place) {
        return users[Math.toIntExact(place)] > 1;
    }

    /** How many are in use. */
    public long used() {
        return used;
    }
}
