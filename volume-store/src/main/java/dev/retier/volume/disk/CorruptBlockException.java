package dev.retier.volume.disk;

import java.io.IOException;

/** A block is not what was written: its checksum says so. */
public final class CorruptBlockException extends IOException {
    private static final long serialVersionUID = 1;

    private final long block;

    CorruptBlockException(int volume, long block) {
        super("block " + block + " of volume " + volume + " is not what was written");
        this.block = block;
    }

    /** Which of the volume. */
    public long block() {
        return block;
    }
}
