package dev.retier.fabric.regions;

import static dev.retier.fabric.regions.RegionCell.PATIENCE;
import static dev.retier.fabric.regions.RegionCell.node;

import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.testsupport.Repeats;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A word of a named region, used by the node that holds it and two others over real soft-iwarp: each operation is as if
 * it had happened in one moment between its call and its return.
 */
@Tag("lincheck")
@Param(name = "value", gen = IntGen.class, conf = "0:2")
public class NamedLinearizabilityIT {
    private static final int ITERATIONS = Repeats.of(15);
    private static final int INVOCATIONS = 100;
    /** More than there are invocations, so that each begins with a word that is 0. */
    private static final long WORDS = 2L * ITERATIONS * INVOCATIONS;

    private static final SharedCell SHARED = new SharedCell();

    /** One cell for all invocations: each has a word of its own. */
    private final long offset = SHARED.nextWord.getAndIncrement() * Long.BYTES;

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
    public int addByTheHolder(@Param(name = "value") int addend) {
        return found(SHARED.holder.fetchAdd(offset, addend, PATIENCE));
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
    @Timeout(1800)
    void shouldBeLinearizable_whenThreeNodesUseAWord() throws IOException {
        new StressOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Word.class)
                .check(NamedLinearizabilityIT.class);
        SHARED.close();
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
    public static final class Word {
        private int value;

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

        public int addByTheHolder(int addend) {
            return addFromThree(addend);
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

        void close() throws IOException {
            cell.close();
        }
    }
}
