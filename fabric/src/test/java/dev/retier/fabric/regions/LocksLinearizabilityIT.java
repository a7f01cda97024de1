package dev.retier.fabric.regions;

import static dev.retier.fabric.regions.RegionCell.PATIENCE;
import static dev.retier.fabric.regions.RegionCell.node;

import dev.retier.fabric.locks.HeldLock;
import dev.retier.fabric.locks.LockPlace;
import dev.retier.fabric.locks.Locks;
import dev.retier.testsupport.Repeats;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is counted by plain reads and writes under a ticket lock and a read/write lock, by three nodes over real
 * soft-iwarp: each operation is as if it had happened in one moment between its call and its return. No token is lower
 * than an earlier one.
 */
@Tag("lincheck")
@Param(name = "node", gen = IntGen.class, conf = "1:3")
public class LocksLinearizabilityIT {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final LockPlace TICKET = new LockPlace(node(1), 1);
    private static final LockPlace READ_WRITE = new LockPlace(node(2), 2);
    private static final SharedCell SHARED = new SharedCell();

    private int tickets;
    private int writes;

    @Operation
    public int countWithTicket(@Param(name = "node") int node) throws InterruptedException {
        try (HeldLock held = SHARED.locks(node).acquire(TICKET, PATIENCE).orElseThrow()) {
            SHARED.lastTicket = grown(SHARED.lastTicket, held.token());
            return tickets++;
        }
    }

    @Operation
    public int countAsWriter(@Param(name = "node") int node) throws InterruptedException {
        try (HeldLock held =
                SHARED.locks(node).acquireWrite(READ_WRITE, PATIENCE).orElseThrow()) {
            SHARED.lastWrite = grown(SHARED.lastWrite, held.token());
            return writes++;
        }
    }

    @Operation
    public int lookAsReader(@Param(name = "node") int node) throws InterruptedException {
        try (HeldLock _ = SHARED.locks(node).acquireRead(READ_WRITE, PATIENCE).orElseThrow()) {
            return writes;
        }
    }

    @Test
    @Timeout(1800)
    void shouldBeLinearizable_whenThreeNodesCountUnderLocks() throws IOException {
        new StressOptions()
                .iterations(Repeats.of(30))
                .invocationsPerIteration(10)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Counters.class)
                .check(LocksLinearizabilityIT.class);
        SHARED.close();
    }

    /** Under the lock. */
    private static long grown(long last, long token) {
        if (token <= last) {
            throw new IllegalStateException("token " + token + " after token " + last);
        }
        return token;
    }

    /** What it shall be like. */
    public static final class Counters {
        private int tickets;
        private int writes;

        public int countWithTicket(int node) {
            return tickets++;
        }

        public int countAsWriter(int node) {
            return writes++;
        }

        public int lookAsReader(int node) {
            return writes;
        }
    }

    private static final class SharedCell {
        final RegionCell cell = new RegionCell(3, Path.of(System.getProperty("java.io.tmpdir")));
        final List<Locks> locks = IntStream.rangeClosed(1, 3)
                .mapToObj(node -> new Locks(cell.fabric(node), LEASE))
                .toList();
        long lastTicket;
        long lastWrite;

        Locks locks(int node) {
            return locks.get(node - 1);
        }

        void close() throws IOException {
            locks.forEach(Locks::close);
            cell.close();
        }
    }
}
