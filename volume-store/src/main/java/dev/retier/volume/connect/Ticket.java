package dev.retier.volume.connect;

import dev.retier.volume.wire.Operation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A request that was asked for, as long as its end is awaited or it may have to be sent again.
 *
 * @param data what is behind the request; nobody changes it
 * @param into where the data of its answer goes; no room if it has none
 * @param end how it ended
 */
record Ticket(
        Operation operation,
        int flags,
        int length,
        long offset,
        int volume,
        int epoch,
        ByteBuffer data,
        ByteBuffer into,
        CompletableFuture<Ended> end) {
    static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /**
     * It was done.
     *
     * @param data of its answer, where it was not asked to go elsewhere
     */
    record Ended(int volume, int epoch, long value, ByteBuffer data) {}

    /** About no volume. */
    static Ticket about(Operation operation, int flags, long offset, int number, ByteBuffer data) {
        return new Ticket(operation, flags, 0, offset, number, 0, data, NOTHING, new CompletableFuture<>());
    }

    void fail(IOException why) {
        end.completeExceptionally(why);
    }

    /** Waits for its end, whoever interrupts: what belongs to the caller is in use until then. */
    Ended await() throws IOException {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return end.get();
                } catch (InterruptedException interrupted) {
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof VolumeException known) {
                throw known.again();
            }
            String why = failed.getCause() == null
                    ? failed.toString()
                    : String.valueOf(failed.getCause().getMessage());
            throw new IOException(why, failed);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
