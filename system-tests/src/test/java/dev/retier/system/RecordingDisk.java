package dev.retier.system;

import dev.retier.volume.disk.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Another disk, and all that was done to it, in order, each when it was done. Thread-safe. */
final class RecordingDisk implements Disk {
    /** What was done; files have numbers, as a name may be given again. */
    sealed interface Event {
        record Made(String name, int file) implements Event {}

        record Deleted(String name) implements Event {}

        /** All of {@code data}, which nobody changes. */
        record Written(int file, long offset, ByteBuffer data) implements Event {}

        record Truncated(int file, long size) implements Event {}

        /** Of that file is on the disk what was written in the first {@code before} events. */
        record Forced(int file, int before) implements Event {}

        /** The same of what was made and deleted. */
        record NamesForced(int before) implements Event {}
    }

    private final Disk disk;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@link #lock}, as all below. */
    private final List<Event> events = new ArrayList<>();

    private final List<Long> epochMicros = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private int files;

    RecordingDisk(Disk disk) {
        this.disk = disk;
    }

    /** How many there are by now. */
    int count() {
        lock.lock();
        try {
            return events.size();
        } finally {
            lock.unlock();
        }
    }

    /** The first so many. */
    List<Event> first(int count) {
        lock.lock();
        try {
            return List.copyOf(events.subList(0, count));
        } finally {
            lock.unlock();
        }
    }

    /** When the last of the first so many was recorded. */
    long epochMicrosAfter(int count) {
        lock.lock();
        try {
            return epochMicros.get(count - 1);
        } finally {
            lock.unlock();
        }
    }

    private void add(Event event) {
        lock.lock();
        try {
            events.add(event);
            epochMicros.add(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public DiskFile open(String name) throws IOException {
        DiskFile opened = disk.open(name);
        lock.lock();
        try {
            Integer known = numbers.get(name);
            int number = known == null ? ++files : known;
            if (known == null) {
                numbers.put(name, number);
                add(new Event.Made(name, number));
            }
            return new Recorded(opened, number);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<String> list(String folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public void delete(String name) throws IOException {
        disk.delete(name);
        lock.lock();
        try {
            numbers.remove(name);
            add(new Event.Deleted(name));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void forceNames() throws IOException {
        int before = count();
        disk.forceNames();
        add(new Event.NamesForced(before));
    }

    @Override
    public void close() throws IOException {
        disk.close();
    }

    private final class Recorded implements DiskFile {
        private final DiskFile file;
        private final int number;

        Recorded(DiskFile file, int number) {
            this.file = file;
            this.number = number;
        }

        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            file.read(into, offset);
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            byte[] data = new byte[from.remaining()];
            from.get(from.position(), data);
            file.write(from, offset);
            add(new Event.Written(number, offset, ByteBuffer.wrap(data)));
        }

        @Override
        public void force() throws IOException {
            int before = count();
            file.force();
            add(new Event.Forced(number, before));
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
            add(new Event.Truncated(number, size));
        }

        @Override
        public void punch(long offset, long length) throws IOException {
            file.punch(offset, length);
            add(new Event.Written(number, offset, ByteBuffer.allocate(Math.toIntExact(length))));
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
