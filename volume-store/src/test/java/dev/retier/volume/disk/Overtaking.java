package dev.retier.volume.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Queue;

/** A disk that does something once, before a file is read or written. */
final class Overtaking extends ForwardingDisk {
    private final String name;
    private final Queue<Appender.Begin<?>> next;

    Overtaking(Disk disk, String name, Queue<Appender.Begin<?>> next) {
        super(disk);
        this.name = name;
        this.next = next;
    }

    @Override
    public DiskFile open(String file) throws IOException {
        DiskFile opened = super.open(file);
        return file.equals(name) ? new Overtaken(opened, next) : opened;
    }

    private static final class Overtaken extends ForwardingFile {
        private final Queue<Appender.Begin<?>> next;

        Overtaken(DiskFile file, Queue<Appender.Begin<?>> next) {
            super(file);
            this.next = next;
        }

        private void overtake() throws IOException {
            Appender.Begin<?> first = next.poll();
            if (first != null) {
                first.run();
            }
        }

        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            overtake();
            super.read(into, offset);
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            overtake();
            super.write(from, offset);
        }
    }
}
