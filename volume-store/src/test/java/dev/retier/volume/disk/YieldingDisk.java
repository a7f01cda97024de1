package dev.retier.volume.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A disk at which threads overtake each other, also on a machine with few processors. */
final class YieldingDisk extends ForwardingDisk {
    YieldingDisk(Disk disk) {
        super(disk);
    }

    @Override
    public DiskFile open(String file) throws IOException {
        return new Yielding(super.open(file));
    }

    private static final class Yielding extends ForwardingFile {
        Yielding(DiskFile file) {
            super(file);
        }

        /** Whether somebody does is left to chance, as is all in a stress test. */
        @SuppressWarnings("ThreadPriorityCheck")
        private static void overtake() {
            Thread.yield();
        }

        @Override
        public void read(ByteBuffer into, long offset) throws IOException {
            overtake();
            super.read(into, offset);
            overtake();
        }

        @Override
        public void write(ByteBuffer from, long offset) throws IOException {
            overtake();
            super.write(from, offset);
            overtake();
        }

        @Override
        public void force() throws IOException {
            overtake();
            super.force();
        }
    }
}
