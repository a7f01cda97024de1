package dev.retier.volume.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The requests of a client at one server. One is sent when there is a slot for it and no change under way, or asked for
 * before it, touches what it changes: so that after a lost connection all that was under way can be sent again, in any
 * order the server may have done it. What was answered and is not on the disk yet is kept, and is sent again, before
 * all else, when the server's machine has been started anew. Sequence numbers begin at 1 and are never given twice. Not
 * thread-safe.
 *
 * @param <T> what the caller knows of a request
 */
public final class Outstanding<T> {
    /** Of all that is not under way. */
    private final NavigableMap<Long, Asked<T>> waiting = new TreeMap<>();

    /** What the server could not do yet; until {@link #again}. */
    private final NavigableMap<Long, Asked<T>> postponed = new TreeMap<>();

    private final Map<Integer, Flying<T>> underWay = new HashMap<>();
    private final NavigableMap<Long, Kept<T>> kept = new TreeMap<>();
    /** Of all that is kept, by volume. */
    private final Map<Integer, Long> keptBytes = new HashMap<>();

    private final Deque<Integer> slots = new ArrayDeque<>();
    private long sequence;
    /** How many answers have come. */
    private long answers;

    /** What a request does. */
    public enum Effect {
        /** It changes nothing. */
        NONE,
        /** It changes its range, which is on the disk after the next flush. */
        CHANGE,
        /** It changes its range, and brings that to the disk, and what was answered before. */
        FORCED_CHANGE,
        /** It brings to the disk what was answered before. */
        FLUSH
    }

    /**
     * What a request touches.
     *
     * @param offset in the volume
     * @param length in bytes; 0 for what touches nothing
     */
    public record Range(int volume, long offset, long length, Effect effect) {
        boolean isChange() {
            return effect == Effect.CHANGE || effect == Effect.FORCED_CHANGE;
        }

        boolean isFlush() {
            return effect == Effect.FLUSH || effect == Effect.FORCED_CHANGE;
        }

        boolean overlaps(Range other) {
            return volume == other.volume && offset < other.offset + other.length && other.offset < offset + length;
        }
    }

    /**
     * A request.
     *
     * @param isAnswered whether it was, before its server's machine was started anew
     */
    public record Asked<T>(long sequence, Range range, T what, boolean isAnswered) {
        /** What was answered counts as done, so that nothing may overtake it; else changes stay in order alone. */
        boolean isInTheWayOf(Range other) {
            if (isAnswered) {
                return range.overlaps(other) || (other.isFlush() && other.volume == range.volume);
            }
            return range.isChange() && other.isChange() && range.overlaps(other);
        }
    }

    /**
     * A request to be sent now.
     *
     * @param slot its own, until it is answered or the connection is lost
     */
    public record Sent<T>(int slot, Asked<T> asked) {}

    /**
     * What has a slot.
     *
     * @param answersBefore how many had come when it was sent
     * @param isWanted whether somebody waits for its end
     */
    private record Flying<T>(Asked<T> asked, long answersBefore, boolean isWanted) {}

    private record Kept<T>(Asked<T> asked, long answer) {}

    /**
     * A connection has come, and none of its slots is used yet.
     *
     * @param isSameBoot whether the server's machine has not been started anew since the last one
     */
    public void connected(int count, boolean isSameBoot) {
        lost();
        slots.clear();
        for (int slot = 0; slot < count; slot++) {
            slots.addLast(slot);
        }
        if (!isSameBoot) {
            kept.values().forEach(one -> {
                Asked<T> again = new Asked<>(one.asked.sequence, one.asked.range, one.asked.what, true);
                waiting.put(again.sequence, again);
            });
            kept.clear();
            keptBytes.clear();
        }
    }

    /** The connection is over: what was under way is to be sent again. */
    public void lost() {
        underWay.values().stream()
                .filter(Flying::isWanted)
                .forEach(flying -> waiting.put(flying.asked.sequence, flying.asked));
        underWay.clear();
        slots.clear();
    }

    /** Asks for something; {@link #due} says when it is sent. Returns its sequence number. */
    public long ask(Range range, T what) {
        Asked<T> asked = new Asked<>(++sequence, range, what, false);
        waiting.put(asked.sequence, asked);
        return asked.sequence;
    }

    /** What is to be sent now, in this order. */
    public List<Sent<T>> due() {
        List<Sent<T>> due = new ArrayList<>();
        if (waiting.isEmpty()) {
            return due;
        }
        List<Asked<T>> before = new ArrayList<>();
        underWay.values().forEach(flying -> before.add(flying.asked));
        before.addAll(postponed.values());
        for (Iterator<Asked<T>> next = waiting.values().iterator(); next.hasNext() && !slots.isEmpty(); ) {
            Asked<T> asked = next.next();
            if (before.stream().noneMatch(other -> other.isInTheWayOf(asked.range))) {
                Sent<T> sent = new Sent<>(slots.removeFirst(), asked);
                next.remove();
                underWay.put(sent.slot, new Flying<>(asked, answers, true));
                due.add(sent);
            }
            before.add(asked);
        }
        return due;
    }

    private Flying<T> flying(int slot, long answeredSequence) {
        Flying<T> flying = underWay.get(slot);
        if (flying == null || flying.asked.sequence != answeredSequence) {
            throw new IllegalStateException("an answer to request " + answeredSequence + " in slot " + slot
                    + ", where there is " + (flying == null ? "none" : "request " + flying.asked.sequence));
        }
        return flying;
    }

    /** What the server answers; throws {@link IllegalStateException} as {@link #answered} does. */
    public Asked<T> underWay(int slot, long answeredSequence) {
        return flying(slot, answeredSequence).asked;
    }

    /** The server has not done it, and may do it later: it is sent again after {@link #again}, in its order. */
    public void postpone(int slot, long answeredSequence) {
        Flying<T> flying = flying(slot, answeredSequence);
        underWay.remove(slot);
        slots.addFirst(slot);
        if (flying.isWanted) {
            postponed.put(answeredSequence, flying.asked);
        }
    }

    /** What was postponed may be sent again. */
    public void again() {
        waiting.putAll(postponed);
        postponed.clear();
    }

    /**
     * The server has answered; what, if somebody waits for that; and what was answered before, if the server refuses it
     * when it is sent again, so that it is lost. Throws {@link IllegalStateException} for an answer to nothing that is
     * under way, which no server gives.
     *
     * @param isDone whether it was done
     */
    public Optional<Asked<T>> answered(int slot, long answeredSequence, boolean isDone) {
        Flying<T> flying = flying(slot, answeredSequence);
        Asked<T> asked = flying.asked;
        underWay.remove(slot);
        slots.addFirst(slot);
        answers++;
        if (isDone && asked.range.isFlush()) {
            kept.values()
                    .removeIf(one -> isOf(asked.range.volume, one.asked)
                            && one.answer <= flying.answersBefore
                            && count(one, -one.asked.range.length));
        } else if (isDone && asked.range.effect == Effect.CHANGE && flying.isWanted) {
            Kept<T> one = new Kept<>(asked, answers);
            kept.put(asked.sequence, one);
            count(one, asked.range.length);
        }
        return flying.isWanted && !(isDone && asked.isAnswered) ? Optional.of(asked) : Optional.empty();
    }

    /**
     * Without a connection: nobody waits any longer for what was asked for; what that is, the oldest first. What was
     * answered is sent again all the same.
     */
    public List<Asked<T>> expire() {
        again();
        List<Asked<T>> gone =
                waiting.values().stream().filter(asked -> !asked.isAnswered).toList();
        gone.forEach(asked -> waiting.remove(asked.sequence));
        return gone;
    }

    /** The caller gives up all of a volume: what of it is not answered, the oldest first. */
    public List<Asked<T>> giveUp(int volume) {
        NavigableMap<Long, Asked<T>> gone = new TreeMap<>();
        again();
        waiting.values().removeIf(asked -> isOf(volume, asked) && gone.put(asked.sequence, asked) == null);
        underWay.replaceAll((_, flying) -> {
            if (!isOf(volume, flying.asked) || !flying.isWanted) {
                return flying;
            }
            gone.put(flying.asked.sequence, flying.asked);
            return new Flying<>(flying.asked, flying.answersBefore, false);
        });
        kept.values().removeIf(one -> isOf(volume, one.asked));
        keptBytes.remove(volume);
        return gone.values().stream().filter(asked -> !asked.isAnswered).toList();
    }

    private static boolean isOf(int volume, Asked<?> asked) {
        return asked.range.volume == volume;
    }

    private boolean count(Kept<T> one, long bytes) {
        keptBytes.merge(one.asked.range.volume, bytes, Long::sum);
        return true;
    }

    /** Bytes of a volume that were answered and that no flush has brought to the disk, as far as is known. */
    public long keptBytes(int volume) {
        return keptBytes.getOrDefault(volume, 0L);
    }

    /** How many are not answered. */
    public int size() {
        return waiting.size() + postponed.size() + underWay.size();
    }
}
