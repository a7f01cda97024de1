package dev.retier.volume.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The requests of one attachment at its client. One is sent when there is a credit for it and no change under way, or
 * asked for before it, touches what it changes: so that after a lost connection all that was under way can be sent
 * again, in any order the server may have done it. Sequence numbers begin at 1 and are never given twice. Not
 * thread-safe.
 *
 * @param <T> what the caller knows of a request
 */
public final class Outstanding<T> {
    private final NavigableMap<Long, Asked<T>> unanswered = new TreeMap<>();
    /** Of those that are not under way. */
    private final NavigableMap<Long, Asked<T>> waiting = new TreeMap<>();

    private final Deque<Integer> tags = new ArrayDeque<>();
    private final List<Sent<T>> underWay = new ArrayList<>();
    private int credits;
    private long sequence;

    /**
     * What a request touches.
     *
     * @param offset in the volume
     * @param length in bytes; 0 for what touches nothing
     * @param isChange whether it changes that
     */
    public record Range(long offset, long length, boolean isChange) {
        /** Of what is about no range, as a flush. */
        public static final Range NONE = new Range(0, 0, false);

        boolean isInTheWayOf(Range other) {
            return isChange && other.isChange && offset < other.offset + other.length && other.offset < offset + length;
        }
    }

    /**
     * A request that is not answered.
     *
     * @param sequence in its attachment
     */
    public record Asked<T>(long sequence, Range range, T what) {}

    /**
     * A request to be sent now.
     *
     * @param tag its place, until it is answered or the connection is lost
     */
    public record Sent<T>(int tag, Asked<T> asked) {}

    /** A connection has come: so many requests may be under way on it, and none is yet. */
    public void connected(int granted) {
        lost();
        credits = granted;
        tags.clear();
        for (int tag = 0; tag < granted; tag++) {
            tags.addLast(tag);
        }
    }

    /** The connection is over: what was under way is to be sent again. */
    public void lost() {
        underWay.forEach(sent -> waiting.put(sent.asked.sequence, sent.asked));
        underWay.clear();
        tags.clear();
        credits = 0;
    }

    /** Asks for something; {@link #due} says when it is sent. Returns its sequence number. */
    public long ask(Range range, T what) {
        Asked<T> asked = new Asked<>(++sequence, range, what);
        unanswered.put(asked.sequence, asked);
        waiting.put(asked.sequence, asked);
        return asked.sequence;
    }

    /** What is to be sent now, in this order. */
    public List<Sent<T>> due() {
        List<Sent<T>> due = new ArrayList<>();
        List<Range> before = new ArrayList<>();
        underWay.forEach(sent -> before.add(sent.asked.range));
        for (Iterator<Asked<T>> next = waiting.values().iterator(); next.hasNext() && underWay.size() < credits; ) {
            Asked<T> asked = next.next();
            if (before.stream().noneMatch(range -> range.isInTheWayOf(asked.range)) && !tags.isEmpty()) {
                Sent<T> sent = new Sent<>(tags.removeFirst(), asked);
                next.remove();
                underWay.add(sent);
                due.add(sent);
            }
            before.add(asked.range);
        }
        return due;
    }

    /**
     * The server has answered; returns what. Empty for an answer to nothing that is under way, which no server gives.
     *
     * @param allowed how many requests may be under way from now on
     */
    public Optional<Asked<T>> answered(int tag, long answeredSequence, int allowed) {
        for (Sent<T> sent : underWay) {
            if (sent.tag == tag && sent.asked.sequence == answeredSequence) {
                underWay.remove(sent);
                tags.addFirst(tag);
                unanswered.remove(answeredSequence);
                credits = allowed;
                return Optional.of(sent.asked);
            }
        }
        return Optional.empty();
    }

    /** The caller gives up all that is not answered: what that is, the oldest first. */
    public List<Asked<T>> giveUp() {
        List<Asked<T>> all = List.copyOf(unanswered.values());
        lost();
        unanswered.clear();
        waiting.clear();
        return all;
    }

    /** Below this sequence number everything is answered. */
    public long answeredBelow() {
        return unanswered.isEmpty() ? sequence + 1 : unanswered.firstKey();
    }

    /** How many are under way. */
    public int underWay() {
        return underWay.size();
    }

    /** How many are not answered. */
    public int size() {
        return unanswered.size();
    }
}
