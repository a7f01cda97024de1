package dev.retier.volume.serve;

import dev.retier.link.Connection;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections by which the table is read, which the provider alone serves. Thread-safe. */
final class TableReaders {
    private final int most;
    private final AtomicInteger count = new AtomicInteger();

    /** So many at a time. */
    TableReaders(int most) {
        this.most = most;
    }

    /** One more, which counts until it is over; refused if there are as many as there may be. */
    Connection enter() throws IOException {
        if (count.incrementAndGet() > most) {
            count.decrementAndGet();
            throw new IOException(most + " read the table of volumes already");
        }
        return new Reader();
    }

    private final class Reader implements Connection {
        @Override
        public void abort(String reason) {
            count.decrementAndGet();
        }
    }
}
