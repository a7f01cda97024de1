package dev.retier.volume.stream;

import dev.retier.volume.Volume;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.function.BooleanSupplier;

/**
 * Fills a volume that has nothing with bytes from a file or a pipe, with some writes under way together. Zeros are not
 * written. The first MiB comes last, when all else is on the disk: there file systems, partitions, volume managers and
 * {@link dev.retier.volume.channel.VolumeFile} begin, so that nothing takes a part of it for the whole. Stateless.
 */
public final class RawImport {
    private static final int HEAD_BYTES = 1 << 20;

    private static final ByteBuffer ZEROS =
            ByteBuffer.allocateDirect(UnderWay.BYTES).asReadOnlyBuffer();

    private RawImport() {}

    /**
     * Writes all that comes from {@code from} to {@code volume}; all is on the disk when it returns.
     *
     * @param expected how many bytes come, for {@code progress}, or a guess
     * @param isOver whether it is not wanted any more
     * @return how many bytes came
     * @throws IOException if it cannot be read or written, is longer than the volume, or not wanted any more
     */
    public static long run(
            Volume volume, ReadableByteChannel from, long expected, Progress progress, BooleanSupplier isOver)
            throws IOException {
        UnderWay underWay = new UnderWay(volume);
        ByteBuffer head = filled(from, ByteBuffer.allocateDirect((int) Math.min(HEAD_BYTES, volume.bytes())));
        long at = head.remaining();
        boolean isMore = true;
        while (isMore) {
            if (isOver.getAsBoolean()) {
                throw new InterruptedIOException("it was asked to end");
            }
            ByteBuffer memory = filled(from, underWay.memory());
            isMore = memory.hasRemaining();
            if (memory.remaining() > volume.bytes() - at) {
                throw new IOException("what comes is longer than the volume, which has " + volume.bytes()
                        + " bytes: say how large it is by --size");
            }
            long next = at + memory.remaining();
            write(underWay, at, memory);
            at = next;
            progress.at(at, expected);
        }
        underWay.end();
        volume.flush();
        if (isOver.getAsBoolean()) {
            throw new InterruptedIOException(
                    "it was asked to end"); // who was to give more may have ended for that, too
        }
        if (at == 0) {
            throw new EOFException("nothing came");
        }
        for (int done = 0; done < head.limit(); done += UnderWay.BYTES) {
            ByteBuffer some = head.slice(done, Math.min(UnderWay.BYTES, head.limit() - done));
            write(underWay, done, underWay.memory().put(some).flip());
        }
        underWay.end();
        volume.flush();
        return at;
    }

    /** As much as there is room for, or all that is left. */
    private static ByteBuffer filled(ReadableByteChannel from, ByteBuffer into) throws IOException {
        while (into.hasRemaining() && from.read(into) >= 0) {
            // Goes on.
        }
        return into.flip();
    }

    private static void write(UnderWay underWay, long offset, ByteBuffer memory) throws IOException {
        if (memory.slice().mismatch(ZEROS.slice(0, memory.remaining())) < 0) {
            underWay.giveBack(memory);
        } else {
            underWay.write(offset, memory);
        }
    }
}
