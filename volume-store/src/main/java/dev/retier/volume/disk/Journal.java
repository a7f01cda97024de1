package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.disk.Disk.DiskFile;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalCodec;
import dev.retier.volume.pool.JournalRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The journal of a pool: segments of one size, each a file with a number. A record is in one segment. Not thread-safe,
 * but for {@link #force}, {@link #read} and {@link #free}.
 */
final class Journal implements AutoCloseable {
    static final String FOLDER = "journal";

    private final Disk disk;
    private final int segmentBytes;
    private final JournalReserve reserve;
    /** Guarded by the lock of whoever forces. */
    private final JournalMark mark;
    /** By number; the last one is written. */
    private final NavigableMap<Long, DiskFile> segments = new ConcurrentSkipListMap<>();

    /**
     * So much room is made at once behind what is appended where it is forced again and again: a file that becomes
     * longer with each record costs the file system a change of its own books with each force, twice the time.
     */
    private static final int AHEAD_BYTES = 256 << 10;

    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(AHEAD_BYTES).asReadOnlyBuffer();

    private ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 16);
    private long number;
    /** The same for whoever forces: what lies before that was written. */
    private volatile long written;

    private int tail;
    /** Of each segment but the last one where its last record ends. */
    private final NavigableMap<Long, Integer> ends = new ConcurrentSkipListMap<>();

    /** Of these, as the disk has them: in whole pages, so that many short ones count. */
    private final AtomicLong endedBytes = new AtomicLong();
    /** How long the last segment's file is, at least. */
    private int madeBytes;

    private volatile boolean isForced;

    private final ReentrantLock forcing = new ReentrantLock();
    /** Guarded by that lock: something that was appended may never come to the disk. */
    private boolean hasFailed;

    /** Where a record went. */
    record Place(long segment, int offset) {}

    /** Who hears of what a journal holds. */
    interface Reader {
        void found(JournalRecord record, Place place);
    }

    Journal(Disk disk, int segmentBytes) {
        this.disk = disk;
        this.segmentBytes = segmentBytes;
        this.reserve = new JournalReserve(disk);
        this.mark = new JournalMark(disk);
    }

    /**
     * Reads all good records from the first one of {@code first} on, and changes nothing.
     *
     * @param firstNumber the running number of the first record
     */
    JournalScan scan(long first, long firstNumber, Reader reader) throws IOException {
        JournalScan found = JournalScan.of(disk, first, firstNumber, reader);
        segments.putAll(found.segments());
        found.ends().forEach(this::ended);
        number = found.number();
        written = number;
        tail = found.tail();
        return found;
    }

    /**
     * The same, and nothing else is changed before all of it is known to be good.
     *
     * @return lets it go on from there
     * @throws IOException if something is not good, or not there, that was on the disk
     */
    Health.Change recovery(long first, long firstNumber, Reader reader) throws IOException {
        JournalScan found = scan(first, firstNumber, reader).whole();
        return () -> begin(found);
    }

    /**
     * Goes on behind the last record that was {@code found}. What lies behind that is taken away: numbers are given
     * again, and nothing old may be taken for what comes.
     */
    void begin(JournalScan found) throws IOException {
        for (long segment : JournalScan.found(disk)) {
            if (segment < found.first() || segment > found.end()) {
                remove(segment);
            }
        }
        if (segments.isEmpty()) {
            add(found.first());
        }
        if (segments.lastEntry().getValue().size() > tail) {
            segments.lastEntry().getValue().truncate(tail);
        }
        segments.lastEntry().getValue().force();
        disk.forceNames();
        reserve.make();
    }

    private void remove(long segment) throws IOException {
        DiskFile file = segments.remove(segment);
        if (file != null) {
            file.close();
        }
        disk.delete(JournalScan.name(segment));
    }

    private void add(long segment) throws IOException {
        DiskFile file = disk.open(JournalScan.name(segment));
        if (!segments.isEmpty()) {
            ended(segments.lastKey(), tail);
        }
        segments.put(segment, file);
        tail = 0;
        madeBytes = 0;
        disk.forceNames();
    }

    /** Refuses a record that is longer than a segment with {@link IllegalArgumentException}. */
    void require(int length) {
        if (length > segmentBytes) {
            throw new IllegalArgumentException("a record of " + length + " bytes in segments of " + segmentBytes);
        }
    }

    /**
     * Appends {@code record}, which a segment has room for: in the kernel's memory at least when it returns.
     *
     * @throws NoSpaceException if the disk has none for it, nor the reserve for a small one; it is not there then
     */
    Place append(JournalRecord record) throws IOException {
        try {
            return appendIfRoom(record);
        } catch (NoSpaceException full) {
            if (record.isSmall() && reserve.giveUp()) {
                return appendIfRoom(record);
            }
            throw full;
        }
    }

    private Place appendIfRoom(JournalRecord record) throws IOException {
        int length = JournalCodec.lengthBytes(record);
        if (tail + length > segmentBytes) {
            forceLast(true);
            add(segments.lastKey() + 1);
        }
        if (scratch.capacity() < length) {
            scratch = ByteBuffer.allocateDirect(length);
        }
        scratch.clear();
        JournalCodec.emit(number, record, scratch);
        try {
            segments.lastEntry().getValue().write(scratch.flip(), tail);
        } catch (NoSpaceException full) {
            // What is there of it is nobody's, and must not be taken for a record behind the next one.
            cutOff();
            throw full;
        }
        Place place = new Place(segments.lastKey(), tail);
        tail += length;
        number++;
        written = number;
        makeRoom();
        return place;
    }

    /** What lies behind the last record is gone. */
    private void cutOff() throws IOException {
        segments.lastEntry().getValue().truncate(tail);
        madeBytes = tail;
    }

    /** Zeros behind the last record, which are none; where the disk has no room for them it goes without. */
    private void makeRoom() throws IOException {
        if (tail <= madeBytes) {
            return;
        }
        madeBytes = tail;
        if (isForced) {
            isForced = false;
            int ahead = Math.min(AHEAD_BYTES, segmentBytes - tail);
            try {
                segments.lastEntry().getValue().write(ZEROS.duplicate().limit(ahead), tail);
                madeBytes += ahead;
            } catch (NoSpaceException full) {
                cutOff();
            }
        }
    }

    private void ended(long segment, int bytes) {
        ends.put(segment, bytes);
        endedBytes.addAndGet(pages(bytes));
    }

    /** Begins a segment, unless the last one is empty; those before are on the disk. Its number. */
    long roll() throws IOException {
        forceLast(true);
        if (tail > 0) {
            add(segments.lastKey() + 1);
        }
        return segments.lastKey();
    }

    /**
     * All that it has is on the disk when this returns, also if a force of an earlier process failed: what the system
     * has in its memory since, and takes for written, is written again. What cannot be read is not in its memory.
     */
    void writeAnew() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(AHEAD_BYTES);
        for (var each : segments.entrySet()) {
            int end = each.getKey().equals(segments.lastKey()) ? tail : ends.getOrDefault(each.getKey(), 0);
            for (int at = 0; at < end; at += bytes.limit()) {
                Unread unread =
                        Unread.reading(each.getValue(), bytes.clear().limit(Math.min(end - at, AHEAD_BYTES)), at);
                writeAnew(each.getValue(), bytes.flip(), at, unread);
            }
            each.getValue().force();
        }
    }

    private static void writeAnew(DiskFile file, ByteBuffer bytes, int offset, Unread unread) throws IOException {
        int end = bytes.limit();
        for (int from = 0; from < end; from += unread.isNothing() ? end : Unread.PAGE_BYTES) {
            int until = unread.isNothing() ? end : Math.min(end, from + Unread.PAGE_BYTES);
            if (!unread.touches((long) offset + from, until - from)) {
                file.write(bytes.limit(until).position(from), offset + from);
            }
        }
    }

    long nextNumber() {
        return number;
    }

    /** All that was appended before is on the disk. */
    void force() throws IOException {
        isForced = true;
        forceLast(false);
    }

    /**
     * One at a time: the kernel tells of what it could not write once, and who comes behind that must not take its own
     * success for an answer.
     *
     * @param withMark whether what the mark says then is on the disk, too
     */
    private void forceLast(boolean withMark) throws IOException {
        forcing.lock();
        try {
            if (hasFailed) {
                throw new IOException("the journal could not be brought to the disk before");
            }
            long before = written; // first, as the segments before the last one are on the disk
            var last = segments.lastEntry();
            if (isForced(last.getKey(), last.getValue())) {
                mark.put(before);
                if (withMark) {
                    mark.force();
                }
            }
        } finally {
            forcing.unlock();
        }
    }

    /** Not, and nothing is known, if it is not there any more. */
    private boolean isForced(long segment, DiskFile file) throws IOException {
        try {
            file.force();
            return true;
        } catch (IOException failed) {
            // One that is not there any more was brought to the clusters, and these to the disk.
            hasFailed = segments.containsKey(segment);
            if (hasFailed) {
                throw failed;
            }
            return false;
        }
    }

    /** Reads from a segment that was not freed. */
    void read(long segment, ByteBuffer into, long offset) throws IOException {
        segment(segment).read(into, offset);
    }

    /** A segment that was not freed. */
    DiskFile segment(long segment) throws IOException {
        DiskFile file = segments.get(segment);
        if (file == null) {
            throw new IOException("segment " + segment + " of the journal is gone");
        }
        return file;
    }

    /** The segments before {@code first} are not needed any more. */
    void free(long first) throws IOException {
        for (long segment : List.copyOf(segments.headMap(first, false).keySet())) {
            remove(segment);
            Integer bytes = ends.remove(segment);
            endedBytes.addAndGet(bytes == null ? 0 : -pages(bytes));
        }
        reserve.make();
    }

    private static long pages(int bytes) {
        return Math.ceilDiv(bytes, Geometry.BLOCK_BYTES) * (long) Geometry.BLOCK_BYTES;
    }

    /** How many bytes of records it holds, about. */
    long bytes() {
        return endedBytes.get() + tail;
    }

    @Override
    public void close() throws IOException {
        mark.close();
        for (DiskFile file : segments.values()) {
            file.close();
        }
    }
}
