package dev.retier.volume.disk;

import java.io.IOException;

/** A block is not what was written: its checksum says so. */
public final class CorruptBlockException extends IOException {
    private static final long serialVersionUID = 1;

    private final int volume;
    private final long block;

    CorruptBlockException(int volume, long block) {
        super("block " + block + " of volume " + volume + " is not what was written");
        this.volume = volume;
        this.block = block;
    }

    /** The number of its volume. */
    public int volume() {
        return volume;
    }

    /** Which of the volume. */
    public long block() {
        return block;
    }
}
