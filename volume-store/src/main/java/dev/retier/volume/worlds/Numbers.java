package dev.retier.volume.worlds;

import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeException;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The numbers of changes, as the data of a volume has them, and what is said of it. */
final class Numbers {
    private static final int PART = Promises.PART_BYTES;

    private Numbers() {}

    /** So many parts of one change. */
    static ByteBuffer data(long number, int parts) {
        ByteBuffer data = ByteBuffer.allocate(parts * PART);
        while (data.hasRemaining()) {
            data.putLong(number);
        }
        return data.flip();
    }

    /** Of each part; one of two is a breach. */
    static long[] of(ByteBuffer from, Promises promises) {
        long[] numbers = new long[from.capacity() / PART];
        for (int at = 0; at < from.capacity(); at += Long.BYTES) {
            long number = from.getLong(at);
            if (at % PART == 0) {
                numbers[at / PART] = number;
            } else if (numbers[at / PART] != number) {
                promises.breach("a part has " + numbers[at / PART] + " and " + number);
                return numbers;
            }
        }
        return numbers;
    }

    /** A read has failed: while its volume is attached the only reason is a block that is not what was written. */
    static void readFailed(Stage stage, RemoteVolume from, IOException failed) {
        boolean isAttached = !from.lost().toCompletableFuture().isDone();
        if (isAttached && failed instanceof VolumeException refused && refused.status() == Status.IO_ERROR) {
            stage.counts().count(Counted.DAMAGE_SEEN);
            stage.promises().damaged(String.valueOf(refused.getMessage()));
        }
    }
}
