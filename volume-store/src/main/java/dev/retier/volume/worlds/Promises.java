package dev.retier.volume.worlds;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a volume may hold by the promises, part by part, whatever happened. Each change has a number, which its data
 * repeats; of changes of one part the later one has the higher number, as who attaches a volume later writes later.
 */
final class Promises {
    /** Of a part, four of which are a block: requests begin and end at parts. */
    static final int PART_BYTES = 1024;

    private static final int PARTS_OF_BLOCK = 4;
    private static final long NEVER = Long.MAX_VALUE;

    private final List<Part> parts = new ArrayList<>();
    private final List<String> breaches = new ArrayList<>();
    private final Set<Reading> readings = new HashSet<>();
    private final Set<Integer> epochs = new HashSet<>();
    private int highestEpoch;
    private long clock;
    private long lastNumber;
    /** After a power cut, until its client has flushed what it has sent again. */
    private long cutAt = NEVER;

    private Attachment current = new Attachment(0);

    /** A change of a part. */
    private static final class Entry {
        private final Change change;
        private long answeredAt = NEVER;
        /** Since when its client can no longer do it: it has been done by then, or never will be. */
        private long frozenAt = NEVER;

        private Entry(Change change) {
            this.change = change;
        }
    }

    /** What a part may have now, and what it may have after a power cut that takes what nobody sends again. */
    private static final class Part {
        private final NavigableMap<Long, Entry> now = new TreeMap<>();
        private final NavigableMap<Long, Entry> afterCut = new TreeMap<>();
    }

    /** A client has the volume. */
    static final class Attachment {
        private final int epoch;
        private boolean isAlive = true;

        private Attachment(int epoch) {
            this.epoch = epoch;
        }
    }

    /** Parts get another content; 0 for zeros. */
    record Change(Attachment by, boolean isFenced, long number, boolean isZero, int first, int end) {
        boolean covers(int part) {
            return part >= first && part < end;
        }
    }

    /** A flush that is under way. */
    record Flushing(Attachment by, long since) {}

    /** A read that is under way. */
    static final class Reading {
        private final Attachment by;
        private final boolean isFenced;
        private final int first;
        private final long since;
        private final List<NavigableMap<Long, Entry>> allowed = new ArrayList<>();
        private boolean sawCut;

        private Reading(Attachment by, boolean isFenced, int first, long since) {
            this.by = by;
            this.isFenced = isFenced;
            this.first = first;
            this.since = since;
        }
    }

    Promises(int blocks) {
        Change zeros = new Change(current, false, 0, true, 0, blocks * PARTS_OF_BLOCK);
        for (int i = 0; i < blocks * PARTS_OF_BLOCK; i++) {
            Part part = new Part();
            Entry entry = new Entry(zeros);
            entry.answeredAt = 0;
            part.now.put(0L, entry);
            part.afterCut.put(0L, entry);
            parts.add(part);
        }
        current.isAlive = false;
    }

    List<String> breaches() {
        return breaches;
    }

    void breach(String what) {
        breaches.add(what);
    }

    int parts() {
        return parts.size();
    }

    /** To be given to {@link #attached}. */
    int beginsToAttach() {
        return highestEpoch;
    }

    /** A client has been told that it has the volume, for which it asked when {@code before} was the highest epoch. */
    Attachment attached(int epoch, int before) {
        if (!epochs.add(epoch) || Integer.compareUnsigned(epoch, before) <= 0) {
            breach("epoch " + epoch + " was given after " + before);
        }
        Attachment next = new Attachment(epoch);
        if (Integer.compareUnsigned(epoch, highestEpoch) > 0) {
            highestEpoch = epoch;
            boolean isLost = cutAt != NEVER;
            clock++;
            for (Part part : parts) {
                part.now.values().forEach(entry -> entry.frozenAt = Math.min(entry.frozenAt, clock));
                if (isLost) {
                    lose(part);
                }
            }
            cutAt = NEVER;
            current = next;
        }
        return next;
    }

    /** Its client has died, or has given it back. */
    void ended(Attachment attachment) {
        attachment.isAlive = false;
    }

    private void lose(Part part) {
        part.now.putAll(part.afterCut);
        part.now.values().forEach(entry -> entry.answeredAt = NEVER);
        for (Reading reading : readings) {
            reading.sawCut = true;
            int at = parts.indexOf(part) - reading.first;
            if (at >= 0 && at < reading.allowed.size()) {
                reading.allowed.get(at).putAll(part.now);
            }
        }
    }

    /** The server's machine has lost its power. */
    void cut() {
        cutAt = Math.min(cutAt, ++clock);
        for (Part part : parts) {
            Entry oldest = part.now.firstEntry().getValue();
            boolean isKept = current.isAlive && oldest.change.by.equals(current) && oldest.answeredAt != NEVER;
            if (!isKept) {
                lose(part);
            }
        }
    }

    /** A client asks for a change. */
    Change begins(Attachment by, boolean isZero, int first, int end) {
        Change change = new Change(by, !by.equals(current), ++lastNumber, isZero, first, end);
        if (!change.isFenced) {
            for (int i = first; i < end; i++) {
                Entry entry = new Entry(change);
                parts.get(i).now.put(change.number, entry);
                parts.get(i).afterCut.put(change.number, entry);
                for (Reading reading : readings) {
                    int at = i - reading.first;
                    if (at >= 0 && at < reading.allowed.size()) {
                        reading.allowed.get(at).put(change.number, entry);
                    }
                }
            }
        }
        return change;
    }

    /** It was told that it is done. */
    void answered(Change change) {
        clock++;
        for (int i = change.first; i < change.end; i++) {
            Part part = parts.get(i);
            Entry entry = part.now.get(change.number);
            // Of a former one it may have been answered before a power cut that took it, and is told of now.
            if (entry != null && change.by.equals(current)) {
                part.now.headMap(change.number).clear();
                entry.answeredAt = clock;
            }
        }
        if (change.isFenced) {
            breach("change " + change.number + " of epoch " + change.by.epoch + " was done, which was over before");
        }
    }

    Flushing flushes(Attachment by) {
        return new Flushing(by, ++clock);
    }

    /** It was told that it is done. */
    void flushed(Flushing flushing) {
        for (Part part : parts) {
            long newest = -1;
            for (Entry entry : part.now.values()) {
                newest = entry.answeredAt <= flushing.since ? entry.change.number : newest;
            }
            if (newest >= 0) {
                part.afterCut.headMap(newest).clear();
            }
        }
        if (flushing.by.equals(current) && flushing.since > cutAt) {
            cutAt = NEVER;
        }
    }

    Reading reads(Attachment by, int first, int end) {
        Reading reading = new Reading(by, !by.equals(current), first, ++clock);
        for (int i = first; i < end; i++) {
            reading.allowed.add(new TreeMap<>(parts.get(i).now));
        }
        readings.add(reading);
        return reading;
    }

    /** It has failed. */
    void failed(Reading reading) {
        readings.remove(reading);
    }

    /** It was told the numbers that its parts have; 0 for zeros. */
    void read(Reading reading, long[] numbers) {
        readings.remove(reading);
        if (reading.isFenced) {
            breach("a read by epoch " + reading.by.epoch + " was answered, which is over");
        }
        for (int i = 0; i < numbers.length; i++) {
            long number = numbers[i];
            int at = reading.first + i;
            Entry found = reading.allowed.get(i).values().stream()
                    .filter(entry -> number == 0 ? entry.change.isZero : entry.change.number == number)
                    .findFirst()
                    .orElse(null);
            if (found == null) {
                breach("part " + at + " has " + number + ", not one of "
                        + reading.allowed.get(i).keySet());
                return;
            }
            if (!reading.sawCut && number != 0 && reading.by.equals(current)) {
                observed(parts.get(at), reading, found);
            }
            checkWhole(reading, numbers, i, found);
        }
    }

    /** What came before cannot come back, and what can no longer be done has not been. */
    private static void observed(Part part, Reading reading, Entry found) {
        part.now.headMap(found.change.number).clear();
        part.now.values().removeIf(entry -> !entry.equals(found) && entry.frozenAt < reading.since);
        part.afterCut.tailMap(found.change.number, false).values().removeIf(entry -> entry.frozenAt < reading.since);
    }

    /** A change is in all parts of a block that it covers, or in none. */
    private void checkWhole(Reading reading, long[] numbers, int i, Entry found) {
        int block = (reading.first + i) / PARTS_OF_BLOCK;
        for (int other = 0; other < numbers.length; other++) {
            int part = reading.first + other;
            boolean isOlder = numbers[other] != 0 && numbers[other] < numbers[i];
            if (numbers[i] != 0 && isOlder && part / PARTS_OF_BLOCK == block && found.change.covers(part)) {
                breach("block " + block + " is torn: part " + part + " has " + numbers[other] + ", older than "
                        + numbers[i]);
            }
        }
    }
}
