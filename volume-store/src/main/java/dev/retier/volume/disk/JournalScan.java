package dev.retier.volume.disk;

import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.pool.JournalCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a journal has on its disk, read from its beginning up to the first record that is not good. There it ends, if a
 * power cut may have left it so; it is broken, if what is due there was on the disk before. That is known where {@link
 * JournalMark} says so, or a later segment begins with another record than the one that is due, as a segment is begun
 * when all before it is on the disk. Changes nothing; used by one thread.
 */
final class JournalScan {
    private static final String NUMBER = "[0-9]{12}";
    /** So much is looked at together of what lies behind the last record. */
    private static final int CHUNK = 1 << 20;

    private final NavigableMap<Long, DiskFile> segments = new TreeMap<>();
    private final NavigableMap<Long, Integer> ends = new TreeMap<>();
    private ByteBuffer memory = ByteBuffer.allocate(0);
    private final long first;
    private final boolean isFirstMissing;
    /** Whether the record that is due may lie in a part that the disk cannot read. */
    private boolean isUnread;

    private long number;
    private long end;
    private int tail;
    /** The number behind the last record that is known to have been on the disk. */
    private long known;

    private JournalScan(Disk disk, long first, long firstNumber) throws IOException {
        this.first = first;
        this.number = firstNumber;
        this.end = first;
        this.known = JournalMark.read(disk);
        List<Long> all = found(disk);
        this.isFirstMissing = !all.contains(first) && (firstNumber > 1 || !all.isEmpty());
        for (long segment : all) {
            if (segment >= first) {
                segments.put(segment, disk.open(name(segment)));
            }
        }
    }

    /**
     * Hands all good records to {@code reader}, from the first one of {@code first} on.
     *
     * @param firstNumber its running number
     */
    static JournalScan of(Disk disk, long first, long firstNumber, Journal.Reader reader) throws IOException {
        JournalScan scan = new JournalScan(disk, first, firstNumber);
        scan.read(reader);
        scan.memory = ByteBuffer.allocate(0);
        return scan;
    }

    static String name(long segment) {
        return Journal.FOLDER + "/" + String.format(Locale.ROOT, "%012d", segment);
    }

    /** The numbers of all segments that are there. */
    static List<Long> found(Disk disk) throws IOException {
        List<Long> found = new ArrayList<>();
        for (String file : disk.list(Journal.FOLDER)) {
            if (file.matches(NUMBER)) { // what else is there is nobody's of the pool
                found.add(Long.parseLong(file));
            }
        }
        return found;
    }

    private void read(Journal.Reader reader) throws IOException {
        for (var each : segments.entrySet()) {
            var next = segments.higherEntry(each.getKey());
            if (next != null) {
                next.getValue().willBeRead();
            }
            read(each.getKey(), each.getValue(), reader);
        }
    }

    private void read(long segment, DiskFile file, Journal.Reader reader) throws IOException {
        int length = Math.toIntExact(file.size()); // by the limits of the process that wrote it
        if (memory.capacity() < length) {
            memory = ByteBuffer.allocateDirect(length);
        }
        ByteBuffer bytes = memory.slice(0, length);
        Unread unread = Unread.reading(file, bytes, 0);
        long before = number;
        int offset = 0;
        var next = JournalCodec.parse(bytes, offset, number, unread::touches);
        while (next.isPresent()) {
            reader.found(next.get().record(), new Journal.Place(segment, offset));
            number++;
            offset = next.get().end();
            next = JournalCodec.parse(bytes, offset, number, unread::touches);
        }
        if (number > before || segment == first) {
            if (segment > first) {
                ends.put(end, tail);
            }
            end = segment;
            tail = offset;
            isUnread = false; // what lies behind records that others follow is nothing
        }
        isUnread |= JournalCodec.mayLieIn(unread::touches, bytes, offset, number);
        OptionalLong begins = JournalCodec.numberAt(bytes, 0);
        if (begins.isPresent() && begins.getAsLong() != before) {
            known = Math.max(known, Math.max(begins.getAsLong(), before) + 1);
        }
    }

    /** All from the first one on, open; whoever takes them closes them. */
    NavigableMap<Long, DiskFile> segments() {
        return segments;
    }

    /** Of each segment that has records, but the last one of these, where they end. */
    NavigableMap<Long, Integer> ends() {
        return ends;
    }

    /** Of the segment that was to be read first. */
    long first() {
        return first;
    }

    /** The last segment that has records, or the first one. */
    long end() {
        return end;
    }

    /** Where in that the last record ends. */
    int tail() {
        return tail;
    }

    /** Of the record that is due there. */
    long number() {
        return number;
    }

    /** The number behind the last record that is known to have been on the disk; none behind {@link #number}. */
    long known() {
        return Math.max(known, number);
    }

    /** Whether something that was on the disk is not there, or not good. */
    boolean isBroken() {
        return isFirstMissing || isUnread || known > number;
    }

    /**
     * Itself, with nothing behind the last record but what a crash leaves.
     *
     * @throws IOException if it is broken
     */
    JournalScan whole() throws IOException {
        if (isBroken()) {
            throw new IOException(damage());
        }
        return this;
    }

    /** What is broken, and what can be done, for people. */
    String damage() throws IOException {
        String what = place() + ": record " + number + ", which was on the disk there, is not good";
        if (isFirstMissing) {
            what = name(end) + " is not there, with which the journal of the newest checkpoint begins";
        } else if (isUnread) {
            what = name(end) + " cannot be read at " + tail + ", where record " + number + " should be";
        }
        return what + lost() + "; " + bytesBehind() + " bytes lie behind it. Nothing was changed. Bring the file back"
                + " from a copy of the pool; or give up what is lost and lies behind it by"
                + " retier volume check DIR --cut-journal, which says first what that is";
    }

    /** Behind the last good record; in the segment behind it, if nothing else is there. */
    private String place() throws IOException {
        Long next = segments.higherKey(end);
        if (next == null || bytesBehind(end) > 0) {
            return name(end) + " is broken at byte " + tail;
        }
        return name(end + 1) + (next == end + 1 ? " is broken at byte 0" : " is not there");
    }

    private String lost() {
        long last = known() - 1;
        return last > number ? ", nor is what comes up to record " + last : "";
    }

    /** How many bytes are behind the last good record, up to the last one of each segment that is not zero. */
    long bytesBehind() throws IOException {
        long behind = 0;
        for (long segment : segments.tailMap(end, true).keySet()) {
            behind += bytesBehind(segment);
        }
        return behind;
    }

    private long bytesBehind(long segment) throws IOException {
        DiskFile file = segments.get(segment);
        if (file == null) {
            return 0;
        }
        long from = segment == end ? tail : 0;
        long last = from;
        for (long at = from; at < file.size(); at += CHUNK) {
            last = Math.max(last, endOf(file, at));
        }
        return last - from;
    }

    /** Behind the last byte of that part of the file that is not zero; 0 if there is none. */
    private static long endOf(DiskFile file, long from) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(CHUNK, file.size() - from));
        var _ = Unread.reading(file, bytes, from);
        int last = bytes.limit();
        while (last > 0 && bytes.get(last - 1) == 0) {
            last--;
        }
        return last == 0 ? 0 : from + last;
    }
}
