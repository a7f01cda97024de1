package dev.retier.bench.volumes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** What volumes and files hold: bytes that are no zeros, the same in each run. Stateless. */
final class Noise {
    /** Of a piece. */
    static final int BYTES = 1 << 20;

    private Noise() {}

    /** The piece that belongs at {@code offset}. */
    static ByteBuffer of(long offset) {
        byte[] bytes = new byte[BYTES];
        new SplittableRandom(offset).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    /** Makes a file of them, in the kernel's memory and on the disk. */
    static void write(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (long at = 0; at < bytes; at += BYTES) {
                ByteBuffer piece = of(at);
                while (piece.hasRemaining()) {
                    channel.write(piece, at + piece.position());
                }
            }
            channel.force(true);
        }
    }
}
