package dev.retier.volume.session;

import dev.retier.volume.wire.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The requests of a client at one server. One is sent when there is a slot for it and no change under way, or asked for
 * before it, touches what it changes: so that after a lost connection all that was under way can be sent again, in any
 * order the server may have done it. What may have been done and is not on the disk yet is kept, and is done again (see
 * {@link Replay}), before all else, when the server's machine has been started anew. Sequence numbers begin at 1 and
 * are never given twice. Not thread-safe.
 *
 * @param <T> what the caller knows of a request
 */
public final class Outstanding<T> {
    private final Replay.Parts<T> parts;
    /** What is done again, of all that is not under way: it goes before the rest. */
    private final NavigableMap<Long, Asked<T>> first = new TreeMap<>();

    /** The rest of all that is not under way. */
    private final NavigableMap<Long, Asked<T>> waiting = new TreeMap<>();

    /** What the server could not do yet; until {@link #again}. */
    private final NavigableMap<Long, Asked<T>> postponed = new TreeMap<>();

    private final Map<Integer, Flying<T>> underWay = new HashMap<>();
    private final NavigableMap<Long, Kept<T>> kept = new TreeMap<>();
    /** Of all that is kept, or is to be done again, by volume. */
    private final Map<Integer, Long> keptBytes = new HashMap<>();

    private final Deque<Integer> slots = new ArrayDeque<>();
    private long sequence;
    /** How many answers have come. */
    private long answers;

    /** None yet; {@code parts} makes what is done again. */
    public Outstanding(Replay.Parts<T> parts) {
        this.parts = parts;
    }

    /** What a request does. */
    public enum Effect {
        /** It changes nothing. */
        NONE,
        /** It changes nothing, and is nothing any more once the connection is over. */
        ADVICE,
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

        boolean covers(Range other) {
            return volume == other.volume && offset <= other.offset && other.offset + other.length <= offset + length;
        }

        boolean overlaps(Range other) {
            return volume == other.volume && offset < other.offset + other.length && other.offset < offset + length;
        }
    }

    /** What is known of a request. */
    public enum Standing {
        /** It was never sent. */
        NEW,
        /** The server may have done it. */
        SENT,
        /** The server may have done it before its machine was started anew, and it is done again for nobody. */
        AGAIN
    }

    /** How a request ended. */
    public enum Outcome {
        /** It was done. */
        DONE,
        /** Nothing of it was done. */
        REFUSED,
        /** The server failed in it, and may have done it, or a part. */
        FAILED;

        /** By what the server answers. */
        public static Outcome of(Status status) {
            return switch (status) {
                case DONE -> DONE;
                case IO_ERROR -> FAILED;
                default -> REFUSED;
            };
        }
    }

    /**
     * A request.
     *
     * @param age when it was asked for, among all
     */
    public record Asked<T>(long sequence, long age, Range range, T what, Standing standing) {
        /** Whether it is done again. */
        public boolean isAgain() {
            return standing == Standing.AGAIN;
        }

        private Asked<T> sent() {
            return standing == Standing.NEW ? new Asked<>(sequence, age, range, what, Standing.SENT) : this;
        }

        /** What is done again counts as done, so that nothing may overtake it; else changes stay in order alone. */
        boolean isInTheWayOf(Range other) {
            if (isAgain()) {
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
     * @param isSameBoot whether the server has lost nothing since the last one, as a machine does that is started anew
     * @return as {@link #lost}
     */
    public List<Asked<T>> connected(int count, boolean isSameBoot) {
        List<Asked<T>> advice = lost();
        slots.clear();
        for (int slot = 0; slot < count; slot++) {
            slots.addLast(slot);
        }
        if (!isSameBoot) {
            again();
            List<Replay.Change<T>> lost = new ArrayList<>();
            first.values().forEach(asked -> lost.add(change(asked)));
            kept.values().forEach(one -> lost.add(change(one.asked)));
            waiting.values().stream()
                    .filter(asked -> asked.standing == Standing.SENT && asked.range.isChange())
                    .forEach(asked -> lost.add(change(asked)));
            lost.sort(Comparator.comparingLong(Replay.Change::age));
            first.clear();
            kept.clear();
            keptBytes.clear();
            for (Replay.Change<T> change : Replay.of(lost, parts)) {
                put(new Asked<>(++sequence, change.age(), change.range(), change.what(), Standing.AGAIN));
                count(change.range(), change.range().length());
            }
        }
        return advice;
    }

    private static <T> Replay.Change<T> change(Asked<T> asked) {
        return new Replay.Change<>(asked.age, asked.range, asked.what);
    }

    private void put(Asked<T> asked) {
        (asked.isAgain() ? first : waiting).put(asked.sequence, asked);
    }

    /** The connection is over: what was under way is to be sent again; but for advice, which has ended: that. */
    public List<Asked<T>> lost() {
        underWay.values().stream().filter(Flying::isWanted).forEach(flying -> put(flying.asked));
        underWay.clear();
        slots.clear();
        List<Asked<T>> advice = new ArrayList<>();
        for (NavigableMap<Long, Asked<T>> some : List.of(waiting, postponed)) {
            some.values().removeIf(asked -> asked.range.effect == Effect.ADVICE && advice.add(asked));
        }
        return advice;
    }

    /** Asks for something; {@link #due} says when it is sent. Returns its sequence number. */
    public long ask(Range range, T what) {
        sequence++;
        Asked<T> asked = new Asked<>(sequence, sequence, range, what, Standing.NEW);
        waiting.put(asked.sequence, asked);
        return asked.sequence;
    }

    /** What is to be sent now, in this order. */
    public List<Sent<T>> due() {
        List<Sent<T>> due = new ArrayList<>();
        if (waiting.isEmpty() && first.isEmpty()) {
            return due;
        }
        List<Asked<T>> before = new ArrayList<>();
        underWay.values().forEach(flying -> before.add(flying.asked));
        before.addAll(postponed.values());
        take(first, before, due);
        take(waiting, before, due);
        return due;
    }

    private void take(NavigableMap<Long, Asked<T>> from, List<Asked<T>> before, List<Sent<T>> due) {
        for (Iterator<Asked<T>> next = from.values().iterator(); next.hasNext() && !slots.isEmpty(); ) {
            Asked<T> asked = next.next();
            if (before.stream().noneMatch(other -> other.isInTheWayOf(asked.range))) {
                Sent<T> sent = new Sent<>(slots.removeFirst(), asked.sent());
                next.remove();
                underWay.put(sent.slot, new Flying<>(sent.asked, answers, true));
                due.add(sent);
            }
            before.add(asked);
        }
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
        postponed.values().forEach(this::put);
        postponed.clear();
    }

    /** Whether the server could not yet do again what is to be done before all else. */
    public boolean isHeldUp() {
        return postponed.values().stream().anyMatch(Asked::isAgain);
    }

    /**
     * The server has answered; what, if somebody waits for that; and what was answered before, if the server refuses it
     * when it is sent again, so that it is lost. Throws {@link IllegalStateException} for an answer to nothing that is
     * under way, which no server gives. What the server may have done is kept as what it did: else something older
     * would be done again over it.
     */
    public Optional<Asked<T>> answered(int slot, long answeredSequence, Outcome outcome) {
        boolean isDone = outcome == Outcome.DONE;
        Flying<T> flying = flying(slot, answeredSequence);
        Asked<T> asked = flying.asked;
        underWay.remove(slot);
        slots.addFirst(slot);
        answers++;
        if (asked.isAgain() && flying.isWanted) {
            count(asked.range, -asked.range.length); // from now on as what is kept, or not at all
        }
        if (isDone && asked.range.isFlush()) {
            kept.values()
                    .removeIf(one -> isOf(asked.range.volume, one.asked)
                            && one.answer <= flying.answersBefore
                            && count(one.asked.range, -one.asked.range.length));
        } else if (flying.isWanted && isToBeKept(asked, outcome)) {
            keep(asked);
        }
        return flying.isWanted && !(isDone && asked.isAgain()) ? Optional.of(asked) : Optional.empty();
    }

    private static boolean isToBeKept(Asked<?> asked, Outcome outcome) {
        return switch (outcome) {
            case DONE -> asked.range.effect == Effect.CHANGE;
            case REFUSED -> false;
            case FAILED -> asked.range.isChange() && !asked.isAgain();
        };
    }

    private void keep(Asked<T> asked) {
        Kept<T> one = new Kept<>(asked, answers);
        kept.put(asked.sequence, one);
        count(asked.range, asked.range.length);
    }

    /**
     * Nobody waits any longer for what was asked for, is not under way, and is as {@code what} says; what that is, the
     * oldest first. What is done again is all the same, and changes that the server may have done are kept.
     */
    public List<Asked<T>> expire(Predicate<T> what) {
        again();
        List<Asked<T>> gone =
                waiting.values().stream().filter(asked -> what.test(asked.what)).toList();
        gone.forEach(asked -> waiting.remove(asked.sequence));
        gone.stream()
                .filter(asked -> asked.standing == Standing.SENT && asked.range.isChange())
                .forEach(this::keep);
        return gone;
    }

    /** The caller gives up all of a volume: what of it is not answered, the oldest first. */
    public List<Asked<T>> giveUp(int volume) {
        NavigableMap<Long, Asked<T>> gone = new TreeMap<>();
        again();
        first.values().removeIf(asked -> isOf(volume, asked));
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
        return gone.values().stream().filter(asked -> !asked.isAgain()).toList();
    }

    private static boolean isOf(int volume, Asked<?> asked) {
        return asked.range.volume == volume;
    }

    private boolean count(Range range, long bytes) {
        keptBytes.merge(range.volume, bytes, Long::sum);
        return true;
    }

    /** Bytes of a volume that were answered and that no flush has brought to the disk, as far as is known. */
    public long keptBytes(int volume) {
        return keptBytes.getOrDefault(volume, 0L);
    }

    /** Without anything under way: the volumes of what waits and is as {@code test} says. */
    public Set<Integer> volumes(Predicate<T> test) {
        Set<Integer> volumes = new HashSet<>();
        Stream.of(first, waiting, postponed)
                .flatMap(some -> some.values().stream())
                .forEach(asked -> {
                    if (test.test(asked.what)) {
                        volumes.add(asked.range.volume);
                    }
                });
        return volumes;
    }

    /** How many are not answered. */
    public int size() {
        return first.size() + waiting.size() + postponed.size() + underWay.size();
    }
}
