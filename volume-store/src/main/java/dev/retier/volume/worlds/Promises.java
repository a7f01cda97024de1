package dev.retier.volume.worlds;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a volume may hold by the promises, part by part, whatever happened. Each change has a number, which its data
 * repeats; of changes of one part the later one has the higher number, as who attaches a volume later writes later. A
 * rollback brings numbers back, see {@link Rollback}.
 */
final class Promises {
    /** Of a part, four of which are a block: requests begin and end at parts. */
    static final int PART_BYTES = 1024;

    static final int PARTS_OF_BLOCK = 4;
    private static final long NEVER = Part.NEVER;

    private final List<Part> parts = new ArrayList<>();
    private final List<String> breaches = new ArrayList<>();
    private final Set<Reading> readings = new HashSet<>();
    private final Set<Integer> epochs = new HashSet<>();
    private int highestEpoch;
    private long clock;
    private long lastNumber;
    /** After the last power cut, until its client has flushed what it has sent again. */
    private long cutAt = NEVER;
    /** A block may be another one than was written, which nobody may read. */
    private boolean isRotten;

    private Attachment current = new Attachment(0);
    /** That may be done and may not. */
    private @Nullable Rollback rollback;

    /** A client has the volume. */
    static final class Attachment {
        private final int epoch;
        private boolean isAlive = true;

        private Attachment(int epoch) {
            this.epoch = epoch;
        }
    }

    /** Parts get another content; 0 for zeros. */
    record Change(Attachment by, boolean isFenced, Kind kind, long number, long beganAt, int first, int end) {
        boolean covers(int part) {
            return part >= first && part < end;
        }

        boolean isZero() {
            return kind == Kind.ZERO;
        }
    }

    /** What a change does. */
    enum Kind {
        WRITE,
        /** It is on the disk when it is answered. */
        FORCED_WRITE,
        ZERO
    }

    /** A flush that is under way. */
    record Flushing(Attachment by, long since) {}

    /**
     * The volume gets what a snapshot has, and the next epoch, unless somebody else has that before.
     *
     * @param epoch that it has, so far
     */
    record Rollback(KeptImage image, int epoch) {}

    Promises(int blocks) {
        int count = blocks * PARTS_OF_BLOCK;
        Change zeros = new Change(current, false, Kind.ZERO, 0, 0, 0, count);
        for (int i = 0; i < count; i++) {
            parts.add(new Part(zeros));
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

    /** A bit of what a disk has flips. */
    void rots() {
        isRotten = true;
    }

    /** Something was said to be damaged. */
    void damaged(String what) {
        if (!isRotten) {
            breach("nothing has rotted: " + what);
        }
    }

    /** For what is changed elsewhere, as in a clone; by nobody whom this knows. */
    Change elsewhere(int first, int end) {
        return new Change(new Attachment(0), true, Kind.WRITE, ++lastNumber, ++clock, first, end);
    }

    /** To be given to {@link #attached}. */
    int beginsToAttach() {
        return highestEpoch;
    }

    /** A client has been told that it has the volume, for which it asked when {@code before} was the highest epoch. */
    Attachment attached(int epoch, int before) {
        take(epoch, before);
        Attachment next = new Attachment(epoch);
        if (Integer.compareUnsigned(epoch, highestEpoch) > 0) {
            highestEpoch = epoch;
            boolean isLost = cutAt != NEVER;
            clock++;
            settle(epoch);
            for (Part part : parts) {
                part.freeze(clock);
                if (isLost) {
                    lose(part);
                }
            }
            cutAt = NEVER;
            current = next;
        }
        return next;
    }

    private void take(int epoch, int before) {
        if (!epochs.add(epoch) || Integer.compareUnsigned(epoch, before) <= 0) {
            breach("epoch " + epoch + " was given after " + before);
        }
    }

    /** A rollback of a lower epoch was done, or never will be. */
    private void settle(int epoch) {
        Rollback pending = rollback;
        if (pending != null && Integer.compareUnsigned(epoch, pending.epoch) > 0) {
            rollback = null;
            bringBack(pending.image);
        }
    }

    private void bringBack(KeptImage image) {
        for (int i = 0; i < parts.size(); i++) {
            for (Entry entry : image.of(i)) {
                parts.get(i).add(new Entry(entry.change(), ++lastNumber));
            }
        }
    }

    /** Whether it is known of every rollback whether it was done. */
    boolean isSettled() {
        return rollback == null;
    }

    /** A rollback is asked for. */
    Rollback rollsBack(KeptImage image, int epoch) {
        Rollback asked = new Rollback(image, epoch);
        rollback = asked;
        readings.forEach(reading -> reading.mayHave(image));
        return asked;
    }

    /** It was told that it is done. */
    void rolledBack(Rollback asked) {
        int epoch = asked.epoch + 1;
        take(epoch, asked.epoch);
        if (!asked.equals(rollback)) {
            return; // somebody has attached the volume since
        }
        rollback = null;
        long before = lastNumber;
        bringBack(asked.image);
        clock++;
        for (Part part : parts) {
            part.forgetBefore(before + 1);
            part.freeze(clock);
        }
        cutAt = NEVER;
        highestEpoch = epoch;
        current = new Attachment(epoch);
        current.isAlive = false;
    }

    /** Its client has died, or has given it back. */
    void ended(Attachment attachment) {
        attachment.isAlive = false;
    }

    private void lose(Part part) {
        part.lose();
        for (Reading reading : readings) {
            reading.mayHaveLost(parts.indexOf(part), part);
        }
    }

    /** The server's machine has lost its power. */
    void cut() {
        cutAt = ++clock;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            for (Reading reading : readings) {
                reading.mayBeAfterCut(i, part);
            }
            if (!current.isAlive || !part.isAnsweredTo(current)) {
                lose(part);
            }
        }
    }

    /** A client asks for a change. */
    Change begins(Attachment by, Kind kind, int first, int end) {
        Change change = new Change(by, !by.equals(current), kind, ++lastNumber, ++clock, first, end);
        if (!change.isFenced) {
            for (int i = first; i < end; i++) {
                Entry entry = new Entry(change, change.number);
                parts.get(i).add(entry);
                for (Reading reading : readings) {
                    reading.mayHave(i, entry);
                }
            }
        }
        return change;
    }

    /** It was told that it is done. */
    void answered(Change change) {
        clock++;
        for (int i = change.first; i < change.end; i++) {
            // Of a former one it may have been answered before a power cut that took it, and is told of now.
            if (change.by.equals(current)) {
                parts.get(i).answered(change, clock);
            }
        }
        if (change.isFenced) {
            breach("change " + change.number + " of epoch " + change.by.epoch + " was done, which was over before");
        }
    }

    /** It was told that there was no room, and had been sent once: so nothing of it was done. */
    void refused(Change change) {
        for (int i = change.first; i < change.end; i++) {
            if (parts.get(i).remove(change)) {
                breach("change " + change.number + " was read, for which there was no room");
            }
            for (Reading reading : readings) {
                reading.cannotHave(i, change);
            }
        }
    }

    Flushing flushes(Attachment by) {
        return new Flushing(by, ++clock);
    }

    /** It was told that it is done. */
    void flushed(Flushing flushing) {
        parts.forEach(part -> part.flushed(flushing.since));
        if (flushing.by.equals(current) && flushing.since > cutAt) {
            cutAt = NEVER;
        }
    }

    Reading reads(Attachment by, int first, int end) {
        return begin(new Reading(by, !by.equals(current), first, ++clock), end);
    }

    /** By one that reads beside who writes: between a power cut and what is sent again it sees what was flushed. */
    Reading readsBeside(int first, int end) {
        return begin(new Reading(null, false, first, ++clock), end);
    }

    private Reading begin(Reading reading, int end) {
        for (int i = reading.first(); i < end; i++) {
            reading.add(parts.get(i), cutAt != NEVER);
        }
        Rollback pending = rollback;
        if (pending != null) {
            reading.mayHave(pending.image);
        }
        readings.add(reading);
        return reading;
    }

    /** It has failed, or what was read meanwhile has been done. */
    void ended(Reading reading) {
        readings.remove(reading);
    }

    /** It was told the numbers that its parts have; 0 for zeros. */
    void read(Reading reading, long[] numbers) {
        readings.remove(reading);
        Attachment by = reading.by();
        if (reading.isFenced() && by != null) {
            breach("a read by epoch " + by.epoch + " was answered, which is over");
        }
        for (int i = 0; i < numbers.length; i++) {
            List<Entry> found = reading.found(i, numbers[i]);
            int at = reading.first() + i;
            if (found.isEmpty()) {
                breach("part " + at + " has " + numbers[i] + ", not one of " + reading.allowed(i));
                return;
            }
            if (numbers[i] != 0) {
                found.forEach(Entry::seen);
            }
            if (found.size() == 1 && numbers[i] != 0 && !reading.sawCut() && current.equals(by)) {
                parts.get(at).observed(reading.since(), found.getFirst());
            }
            checkWhole(reading, numbers, i, found.getFirst());
        }
    }

    /** A change is in all parts of a block that it covers, or in none. */
    private void checkWhole(Reading reading, long[] numbers, int i, Entry found) {
        int block = (reading.first() + i) / PARTS_OF_BLOCK;
        for (int other = 0; other < numbers.length; other++) {
            int part = reading.first() + other;
            boolean isOlder = numbers[other] != 0 && numbers[other] < numbers[i];
            if (numbers[i] != 0
                    && isOlder
                    && part / PARTS_OF_BLOCK == block
                    && found.change().covers(part)) {
                breach("block " + block + " is torn: part " + part + " has " + numbers[other] + ", older than "
                        + numbers[i]);
            }
        }
    }
}
