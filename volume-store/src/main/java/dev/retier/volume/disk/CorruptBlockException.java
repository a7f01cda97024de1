package dev.retier.volume.disk;

import java.io.IOException;

/** A block is not what was written, as its checksum says, or the disk cannot read it; nothing else has failed. */
public final class CorruptBlockException extends IOException {
    private static final long serialVersionUID = 1;

    private final long block;

    CorruptBlockException(int volume, long block) {
        super(name(volume, block) + " is not what was written");
        this.block = block;
    }

    /** Of one that cannot be read, or whose checksum cannot. */
    CorruptBlockException(int volume, long block, IOException unread) {
        super(name(volume, block) + " cannot be read: " + unread.getMessage(), unread);
        this.block = block;
    }

    private static String name(int volume, long block) {
        return "block " + block + " of volume " + volume;
    }

    /** Which of the volume. */
    public long block() {
        return block;
    }
}
