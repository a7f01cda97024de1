package dev.retier.volume.session;

import dev.retier.volume.Volume;
import dev.retier.volume.session.Outstanding.Effect;
import dev.retier.volume.session.Outstanding.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Which changes a client makes again at a server that may have lost the newest of them, any number. Where a block has
 * the last of several changes and an older one is made again there, the block has a mix that never was, until the
 * others are made again as well; and the client may die before that. So parts of a block that several changes overlap
 * in are taken out of all of them and made again as one. A change of the whole block is as good: what comes before it
 * there need not be made again, what comes behind it meets a block that was. Changes of blocks of their own stay as
 * they are. Pure.
 *
 * @param <T> what the caller knows of a change
 */
public final class Replay<T> {
    private final List<Change<T>> changes;
    private final Parts<T> parts;
    /** What is left of each. */
    private final List<Range> left = new ArrayList<>();
    /** Where changes begin or end within a block. */
    private final NavigableMap<Place, Shared> edges = new TreeMap<>();

    /**
     * A change that was sent.
     *
     * @param age when it was asked for, among all
     */
    record Change<T>(long age, Range range, T what) {}

    /**
     * A part of a change.
     *
     * @param of the change
     * @param range of the part
     */
    public record Piece<T>(T of, Range range) {}

    /** Makes requests of others. */
    public interface Parts<T> {
        /** The same change of that part of its range alone, for which nobody waits. */
        T part(Piece<T> piece);

        /** One change that does to that range, within a block, what the pieces do one after the other. */
        T merged(Range range, List<Piece<T>> pieces);
    }

    private record Place(int volume, long block) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparingInt(Place::volume).thenComparingLong(Place::block);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /** A block in which changes begin or end. */
    private static final class Shared {
        /** Those that change a part of it, since one that changes all of it; by their numbers in the list. */
        private final List<Integer> partly = new ArrayList<>();

        private boolean isChangedWhole;
    }

    private Replay(List<Change<T>> changes, Parts<T> parts) {
        this.changes = changes;
        this.parts = parts;
    }

    /** What is to be made again, in this order, of these changes, which come the oldest first. */
    static <T> List<Change<T>> of(List<Change<T>> changes, Parts<T> parts) {
        return new Replay<>(changes, parts).all();
    }

    private static long first(Range range) {
        return range.offset() / Volume.BLOCK_BYTES;
    }

    private static long last(Range range) {
        return (range.offset() + range.length() - 1) / Volume.BLOCK_BYTES;
    }

    private static Range of(Place place) {
        return new Range(place.volume, place.block * Volume.BLOCK_BYTES, Volume.BLOCK_BYTES, Effect.CHANGE);
    }

    private List<Change<T>> all() {
        for (Change<T> change : changes) {
            Range range = change.range;
            left.add(new Range(range.volume(), range.offset(), range.length(), Effect.CHANGE));
            edge(range, first(range));
            edge(range, last(range));
        }
        for (int number = 0; number < changes.size(); number++) {
            note(number);
        }
        List<Change<T>> all = new ArrayList<>();
        edges.forEach((place, shared) -> merge(place, shared.isChangedWhole ? List.of() : shared.partly, all));
        for (int number = 0; number < changes.size(); number++) {
            Change<T> change = changes.get(number);
            Range range = left.get(number);
            if (range.length() > 0) {
                all.add(new Change<>(change.age, range, parts.part(new Piece<>(change.what, range))));
            }
        }
        return all;
    }

    private void edge(Range range, long block) {
        Place place = new Place(range.volume(), block);
        if (!range.covers(of(place))) {
            edges.computeIfAbsent(place, _ -> new Shared());
        }
    }

    private void note(int number) {
        Range range = changes.get(number).range;
        Place from = new Place(range.volume(), first(range));
        Place to = new Place(range.volume(), last(range));
        edges.subMap(from, true, to, true).forEach((place, shared) -> {
            if (range.covers(of(place))) {
                shared.partly.forEach(older -> takeOut(older, of(place)));
                shared.partly.clear();
                shared.isChangedWhole = true;
            } else {
                shared.partly.add(number);
            }
        });
    }

    /** A block at one of its ends. */
    private void takeOut(int number, Range block) {
        Range range = left.get(number);
        long from = range.offset();
        long to = from + range.length();
        if (block.offset() <= from) {
            from = Math.min(to, block.offset() + block.length());
        } else {
            to = Math.max(from, block.offset());
        }
        left.set(number, new Range(range.volume(), from, to - from, Effect.CHANGE));
    }

    /** Those that overlap in this block become one. */
    private void merge(Place place, List<Integer> numbers, List<Change<T>> merged) {
        List<Integer> byPlace = numbers.stream()
                .sorted(Comparator.comparingLong(number -> within(number, place).offset()))
                .toList();
        List<Integer> together = new ArrayList<>();
        long end = -1;
        for (int number : byPlace) {
            Range range = within(number, place);
            if (range.offset() >= end) {
                mergeOverlapping(place, together, merged);
                together.clear();
            }
            together.add(number);
            end = Math.max(end, range.offset() + range.length());
        }
        mergeOverlapping(place, together, merged);
    }

    private void mergeOverlapping(Place place, List<Integer> numbers, List<Change<T>> merged) {
        if (numbers.size() < 2) {
            return;
        }
        List<Piece<T>> pieces = numbers.stream()
                .sorted()
                .map(number -> new Piece<>(changes.get(number).what, within(number, place)))
                .toList();
        long from = Long.MAX_VALUE;
        long to = 0;
        long age = 0;
        for (int number : numbers) {
            Range range = within(number, place);
            from = Math.min(from, range.offset());
            to = Math.max(to, range.offset() + range.length());
            age = Math.max(age, changes.get(number).age);
        }
        numbers.forEach(number -> takeOut(number, of(place)));
        Range range = new Range(place.volume, from, to - from, Effect.CHANGE);
        merged.add(new Change<>(age, range, parts.merged(range, pieces)));
    }

    /** The part of a change that is in this block. */
    private Range within(int number, Place place) {
        Range range = changes.get(number).range;
        Range block = of(place);
        long from = Math.max(range.offset(), block.offset());
        long to = Math.min(range.offset() + range.length(), block.offset() + block.length());
        return new Range(place.volume, from, to - from, Effect.CHANGE);
    }
}
