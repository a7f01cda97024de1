package dev.retier.state.verbs.region;

import static dev.retier.state.verbs.region.RegionCell.PATIENCE;
import static dev.retier.state.verbs.region.RegionCell.node;

import dev.retier.state.region.AtomicOutcome;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.Region;
import dev.retier.state.region.RegionName;
import dev.retier.state.region.RegionSpec;
import dev.retier.state.verbs.sync.Held;
import dev.retier.state.verbs.sync.LockPlace;
import dev.retier.state.verbs.sync.Locks;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A word of a named region, and what is counted by plain reads and writes under a ticket lock and a read/write lock,
 * by three nodes over real soft-iwarp: each operation is as if it had happened in one moment between its call and its
 * return. No token is lower than an earlier one.
 */
@Tag("lincheck")
@Param(name = "value", gen = IntGen.class, conf = "0:2")
@Param(name = "node", gen = IntGen.class, conf = "1:3")
public class NamedLinearizabilityIT {
    private static final long WORDS = 10_000;
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final LockPlace TICKET = new LockPlace(node(1), 1);
    private static final LockPlace READ_WRITE = new LockPlace(node(2), 2);
    private static final SharedCell SHARED = new SharedCell();

    /** One cell for all invocations: each has a word of its own. */
    private final long offset = SHARED.nextWord.getAndIncrement() % WORDS * Long.BYTES;

    private int tickets;
    private int writes;

    @Operation
    public int setFromOne(@Param(name = "value") int expected, @Param(name = "value") int next) {
        return found(SHARED.one.compareAndSet(offset, expected, next, PATIENCE));
    }

    @Operation
    public int setByTheHolder(@Param(name = "value") int expected, @Param(name = "value") int next) {
        return found(SHARED.holder.compareAndSet(offset, expected, next, PATIENCE));
    }

    @Operation
    public int addFromThree(@Param(name = "value") int addend) {
        return found(SHARED.three.fetchAdd(offset, addend, PATIENCE));
    }

    @Operation
    public int countWithTicket(@Param(name = "node") int node) throws InterruptedException {
        try (Held held = SHARED.locks(node).acquire(TICKET, PATIENCE).orElseThrow()) {
            SHARED.lastTicket = grown(SHARED.lastTicket, held.token());
            return tickets++;
        }
    }

    @Operation
    public int countAsWriter(@Param(name = "node") int node) throws InterruptedException {
        try (Held held = SHARED.locks(node).acquireWrite(READ_WRITE, PATIENCE).orElseThrow()) {
            SHARED.lastWrite = grown(SHARED.lastWrite, held.token());
            return writes++;
        }
    }

    @Operation
    public int lookAsReader(@Param(name = "node") int node) throws InterruptedException {
        try (Held _ = SHARED.locks(node).acquireRead(READ_WRITE, PATIENCE).orElseThrow()) {
            return writes;
        }
    }

    @Operation
    public int readFromOne() {
        return read(SHARED.one);
    }

    @Operation
    public int readByTheHolder() {
        return read(SHARED.holder);
    }

    @Test
    @Timeout(600)
    void shouldBeLinearizable_whenThreeNodesUseWordsAndLocks() throws IOException {
        new StressOptions()
                .iterations(60)
                .invocationsPerIteration(10)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .sequentialSpecification(WordAndCounters.class)
                .check(NamedLinearizabilityIT.class);
        SHARED.close();
    }

    /** Under the lock. */
    private static long grown(long last, long token) {
        if (token <= last) {
            throw new IllegalStateException("token " + token + " after token " + last);
        }
        return token;
    }

    private int read(Region region) {
        MemorySegment word = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
        region.read(offset, List.of(word), PATIENCE);
        return (int) word.get(ValueLayout.JAVA_LONG, 0);
    }

    private static int found(AtomicOutcome outcome) {
        if (outcome instanceof AtomicOutcome.Done(long found)) {
            return (int) found;
        }
        throw new IllegalStateException("no outcome: " + outcome);
    }

    /** What it shall be like. */
    public static final class WordAndCounters {
        private int value;
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

        public int setFromOne(int expected, int next) {
            int found = value;
            value = found == expected ? next : found;
            return found;
        }

        public int setByTheHolder(int expected, int next) {
            return setFromOne(expected, next);
        }

        public int addFromThree(int addend) {
            int found = value;
            value += addend;
            return found;
        }

        public int readFromOne() {
            return value;
        }

        public int readByTheHolder() {
            return value;
        }
    }

    private static final class SharedCell {
        final RegionCell cell = new RegionCell(3, Path.of(System.getProperty("java.io.tmpdir")));
        final Region holder = cell.at(2)
                .create(new RegionName("word"), RegionSpec.on(node(2), WORDS * Long.BYTES, Permissions.ALL), PATIENCE);
        final Region one = cell.at(1).map(holder.name(), Permissions.ALL, PATIENCE);
        final Region three = cell.at(3).map(holder.name(), Permissions.ALL, PATIENCE);
        final AtomicLong nextWord = new AtomicLong();
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
