package dev.retier.volume.worlds;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A folder in memory that can lose its power: of what was not forced any sectors survive, in any order. It may have a
 * size, in pages that were written. As a disk it is thread-safe; what befalls it is for whoever has it for himself.
 */
public final class MemoryDisk implements Disk {
    private static final int SECTOR = 512;
    private static final int PAGE = 4096;

    private final Map<String, Content> files = new ConcurrentSkipListMap<>();
    /** What a power cut leaves of names: by name, what the file had; a name that is not here was never forced. */
    private Map<String, Content> named = new HashMap<>();

    /** Calls until one fails and all after it: the process has ended there. */
    private int left = Integer.MAX_VALUE;

    private boolean failsNext;
    private int pages = Integer.MAX_VALUE;
    /** How many forces are good before one fails; negative: all. */
    private int goodForces = -1;

    private boolean hasFailed;
    /** Whether it has just been told of that, and has done nothing since. */
    private boolean isTold;

    private static final class Content {
        byte[] now = new byte[0];
        byte[] forced = new byte[0];
        final List<long[]> unforced = new ArrayList<>();
        final BitSet pages = new BitSet();
        /** Pages that cannot be read. */
        final BitSet unread = new BitSet();
        /** Pages that a force should have brought to the disk and has not, and none after it will. */
        final BitSet clean = new BitSet();

        Content copied() {
            Content content = new Content();
            content.now = now.clone();
            content.forced = forced.clone();
            content.unforced.addAll(unforced);
            content.pages.or(pages);
            content.unread.or(unread);
            content.clean.or(clean);
            return content;
        }

        /** A system reads what it changes a part of. */
        void readPart(int at) throws IOException {
            if (at % PAGE != 0 && unread.get(at / PAGE)) {
                throw new IOException("page " + at / PAGE + " cannot be read");
            }
        }

        /** A force has failed: the kernel takes for written what it could not write. */
        void fail() {
            unforced.forEach(range -> clean.set((int) range[0] / PAGE, (int) (range[1] + PAGE - 1) / PAGE));
            unforced.clear();
        }

        /** The kernel needs the memory of some of these pages. */
        void forget(SplittableRandom random) {
            byte[] left = now.clone();
            clean.stream().filter(_ -> random.nextBoolean()).forEach(page -> {
                int from = Math.min(left.length, page * PAGE);
                int end = Math.min(left.length, from + PAGE);
                int there = Math.max(from, Math.min(end, forced.length));
                System.arraycopy(forced, Math.min(from, forced.length), left, from, there - from);
                Arrays.fill(left, there, end, (byte) 0);
            });
            for (long[] range : unforced) {
                int from = Math.min(left.length, (int) range[0]);
                System.arraycopy(now, from, left, from, Math.min(left.length, (int) range[1]) - from);
            }
            now = left;
        }

        /** To the disk, as long as that is. */
        void bring() {
            forced = Arrays.copyOf(forced, now.length);
            for (long[] range : unforced) {
                int end = (int) Math.min(range[1], now.length);
                if (end > range[0]) {
                    System.arraycopy(now, (int) range[0], forced, (int) range[0], end - (int) range[0]);
                }
            }
            unforced.clear();
        }
    }

    /** So much more than now can be written. */
    public void leave(long bytes) {
        pages = (int) Math.min(Integer.MAX_VALUE, usedPages() + bytes / PAGE);
    }

    /** What its files take, in whole pages. */
    public long usedBytes() {
        return usedPages() * PAGE;
    }

    private long usedPages() {
        return files.values().stream()
                .mapToLong(content -> content.pages.cardinality())
                .sum();
    }

    /** The process ends after so many calls more. */
    public void endAfter(int calls) {
        left = calls;
    }

    /** Refuses once the process has ended. */
    void requireAlive() throws IOException {
        if (hasEnded()) {
            throw new IOException("the process has ended");
        }
    }

    /** Whether it has ended. */
    public boolean hasEnded() {
        return left <= 0;
    }

    /** The next call that changes something fails, and those behind it do not. */
    public void failOnce() {
        failsNext = true;
    }

    /** A force fails, and what it should have brought to the disk is never brought there: as Linux does. */
    public void failForceAfter(int good) {
        goodForces = good;
    }

    /** Whether a force has failed. */
    public boolean hasFailed() {
        return hasFailed;
    }

    /** Whether the next call leaves word of a force that failed: no world ends a process before it, see the README. */
    boolean leavesWord() {
        return isTold;
    }

    private void step() throws IOException {
        if (isTold) {
            isTold = false;
            return;
        }
        if (failsNext) {
            failsNext = false;
            throw new IOException("as planned");
        }
        if (--left <= 0) {
            left = 0;
            throw new IOException("the process has ended");
        }
    }

    /** What another process finds: all that was written. */
    public MemoryDisk afterKill() {
        MemoryDisk next = new MemoryDisk();
        IdentityHashMap<Content, Content> copies = new IdentityHashMap<>();
        files.forEach((name, content) -> next.files.put(name, copies.computeIfAbsent(content, Content::copied)));
        named.forEach((name, content) -> next.named.put(name, copies.computeIfAbsent(content, Content::copied)));
        return next;
    }

    /** The same, but for any pages of what a force has failed to bring to the disk: the kernel need not keep them. */
    public MemoryDisk afterKill(SplittableRandom random) {
        MemoryDisk next = afterKill();
        next.files.values().forEach(content -> content.forget(random));
        return next;
    }

    /** What is found after a power cut: what was forced, and any sectors of the rest. */
    public MemoryDisk afterPowerCut(SplittableRandom random) {
        MemoryDisk next = new MemoryDisk();
        Map<String, Content> all = new TreeMap<>(named);
        files.forEach((name, content) -> {
            if (!named.containsKey(name) && random.nextBoolean()) {
                all.put(name, content);
            }
        });
        named.forEach((name, content) -> {
            if (!files.containsKey(name) && random.nextBoolean()) {
                all.remove(name);
            }
        });
        all.forEach((name, content) -> next.files.put(name, copy(survivor(content, random), content.unread)));
        next.named = new HashMap<>(next.files);
        return next;
    }

    private static byte[] survivor(Content content, SplittableRandom random) {
        byte[] image = content.forced.clone();
        for (long[] range : content.unforced) {
            for (long at = range[0]; at < range[1]; at += SECTOR - at % SECTOR) {
                if (random.nextBoolean()) {
                    int end = (int) Math.min(range[1], at + SECTOR - at % SECTOR);
                    if (image.length < end) {
                        image = Arrays.copyOf(image, end);
                    }
                    int until = Math.min(end, content.now.length);
                    if (until > at) {
                        System.arraycopy(content.now, (int) at, image, (int) at, (int) (until - at));
                    }
                }
            }
        }
        return image;
    }

    private static Content copy(byte[] bytes, BitSet unread) {
        Content content = new Content();
        content.now = bytes.clone();
        content.forced = bytes.clone();
        content.pages.set(0, (bytes.length + PAGE - 1) / PAGE);
        content.unread.or(unread);
        return content;
    }

    /** Flips a bit, of what the disk has, too. */
    public void rot(String name, long offset) {
        Content content = Objects.requireNonNull(files.get(name));
        content.now[(int) offset] ^= 1;
        if (offset < content.forced.length) {
            content.forced[(int) offset] ^= 1;
        }
    }

    /** A sector cannot be read any more, and with it its page, until all of this is written anew. */
    public void spoil(String name, long offset) {
        Objects.requireNonNull(files.get(name)).unread.set((int) (offset / PAGE));
    }

    /** How long a file is; 0 if there is none. */
    public long size(String name) {
        Content content = files.get(name);
        return content == null ? 0 : content.now.length;
    }

    @Override
    public synchronized DiskFile open(String name) throws IOException {
        step();
        Content content = files.computeIfAbsent(name, _ -> new Content());
        return new Open(content);
    }

    @Override
    public synchronized List<String> list(String folder) {
        return files.keySet().stream()
                .filter(name -> folder.isEmpty() ? !name.contains("/") : name.startsWith(folder + "/"))
                .map(name -> folder.isEmpty() ? name : name.substring(folder.length() + 1))
                .toList();
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        step();
        files.remove(name);
    }

    @Override
    public synchronized void forceNames() throws IOException {
        step();
        named = new HashMap<>(files);
    }

    @Override
    public void close() {}

    private final class Open implements DiskFile {
        private final Content content;

        Open(Content content) {
            this.content = content;
        }

        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            synchronized (MemoryDisk.this) {
                byte[] now = content.now;
                int unread = content.unread.nextSetBit((int) (offset / PAGE));
                if (unread >= 0 && (long) unread * PAGE < Math.min(now.length, offset + into.remaining())) {
                    into.put(now, (int) offset, (int) Math.max(0, (long) unread * PAGE - offset)); // as systems do
                    throw new IOException("page " + unread + " cannot be read");
                }
                int there = (int) Math.max(0, Math.min(into.remaining(), now.length - offset));
                if (there > 0) {
                    into.put(now, (int) offset, there);
                }
                into.put(new byte[into.remaining()]);
            }
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            synchronized (MemoryDisk.this) {
                step();
                int end = (int) offset + from.remaining();
                content.readPart((int) offset);
                content.readPart(end);
                content.unread.clear((int) offset / PAGE, (end + PAGE - 1) / PAGE);
                int room = room((int) offset, end);
                if (content.now.length < room) {
                    content.now = Arrays.copyOf(content.now, room);
                }
                from.get(content.now, (int) offset, room - (int) offset);
                content.unforced.add(new long[] {offset, room});
                if (room < end) {
                    throw new NoSpaceException("no room on the disk");
                }
            }
        }

        /** How far there is room. */
        private int room(int offset, int end) {
            for (int at = offset; at < end; at += PAGE - at % PAGE) {
                if (!content.pages.get(at / PAGE)) {
                    if (pages < Integer.MAX_VALUE && usedPages() >= pages) {
                        return at;
                    }
                    content.pages.set(at / PAGE);
                }
            }
            return end;
        }

        @Override
        public void force() throws IOException {
            synchronized (MemoryDisk.this) {
                step();
                if (goodForces >= 0 && goodForces-- == 0) {
                    hasFailed = true;
                    isTold = true;
                    content.fail();
                    throw new IOException("as planned");
                }
                content.bring();
            }
        }

        @Override
        public long size() {
            return content.now.length;
        }

        @Override
        public void truncate(long size) throws IOException {
            synchronized (MemoryDisk.this) {
                step();
                content.readPart((int) Math.min(size, content.now.length));
                int before = content.now.length;
                content.now = Arrays.copyOf(content.now, (int) Math.min(size, before));
                if (content.now.length < content.forced.length) {
                    // What is written behind that later has zeros before it, on the disk as well.
                    content.unforced.add(new long[] {content.now.length, content.forced.length});
                }
                content.pages.clear((content.now.length + PAGE - 1) / PAGE, Integer.MAX_VALUE);
                content.unread.clear((content.now.length + PAGE - 1) / PAGE, Integer.MAX_VALUE);
            }
        }

        /** A power cut leaves what was there before in some of its sectors. */
        @Override
        public void punch(long offset, long length) throws IOException {
            synchronized (MemoryDisk.this) {
                step();
                int end = (int) Math.min(content.now.length, offset + length);
                if (end > offset) {
                    Arrays.fill(content.now, (int) offset, end, (byte) 0);
                    content.unforced.add(new long[] {offset, end});
                    int first = (int) ((offset + PAGE - 1) / PAGE);
                    int behind = Math.max(end / PAGE, (int) (offset / PAGE + 1));
                    content.pages.clear(first, behind);
                    content.unread.clear(first, behind);
                }
            }
        }

        @Override
        public void close() {}
    }
}
