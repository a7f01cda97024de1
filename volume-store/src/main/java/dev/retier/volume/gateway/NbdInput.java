package dev.retier.volume.gateway;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What a client of NBD says, many requests by one read of its socket. Not thread-safe. */
final class NbdInput {
    private static final int BUFFER_BYTES = 256 << 10;

    private final NbdSocket socket;
    private final Progress progress;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

    NbdInput(NbdSocket socket, Progress progress) {
        this.socket = socket;
        this.progress = progress;
    }

    /** Whether so many bytes, no more than a buffer holds, can be read without waiting for the client. */
    boolean has(int bytes) {
        return buffer.remaining() >= bytes;
    }

    /** Fills {@code into} with what a client need not send yet; waits for it where need be. */
    ByteBuffer read(ByteBuffer into) throws IOException {
        return read(into, false);
    }

    /** Fills {@code into} with what belongs to something that has begun; waits for the client where need be. */
    ByteBuffer readRest(ByteBuffer into) throws IOException {
        return read(into, true);
    }

    private ByteBuffer read(ByteBuffer into, boolean hasBegun) throws IOException {
        while (into.hasRemaining()) {
            int count = Math.min(into.remaining(), buffer.remaining());
            into.put(into.position(), buffer, buffer.position(), count);
            into.position(into.position() + count);
            buffer.position(buffer.position() + count);
            if (into.hasRemaining() && (hasBegun || into.position() > 0)) {
                progress.due(System.nanoTime());
            }
            if (into.remaining() >= BUFFER_BYTES) {
                require(socket.read(into));
            } else if (into.hasRemaining()) {
                require(socket.read(buffer.clear()));
                buffer.flip();
            }
        }
        progress.over();
        return into.flip();
    }

    private void require(int count) throws IOException {
        if (count < 0) {
            buffer.limit(0);
            throw new EOFException();
        }
        progress.moved(count, System.nanoTime());
    }
}
