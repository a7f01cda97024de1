package dev.retier.fabric.regions;

import static dev.retier.fabric.regions.MemoryRegions.CHUNKS;
import static dev.retier.fabric.regions.MemoryRegions.CHUNK_BYTES;
import static dev.retier.fabric.regions.MemoryRegions.PATIENCE;
import static dev.retier.fabric.regions.MemoryRegions.bytes;
import static dev.retier.fabric.regions.MemoryRegions.failureOf;
import static dev.retier.fabric.regions.MemoryRegions.node;
import static dev.retier.fabric.regions.MemoryRegions.read;
import static dev.retier.fabric.regions.MemoryRegions.word;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.MemoryNodes;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.testsupport.verbs.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes on after its caller has gone: past a deadline, in memory that was closed, at a node that was closed. */
@Timeout(60)
class GivenUpTest {
    private static final Permissions READ = Permissions.of(Permission.READ);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final MemoryRegions cell = new MemoryRegions(2);
    private final RegionName name = cell.nameAt(1);
    private final Region region = cell.at(1).create(name, RegionSpec.on(node(2), 1024, Permissions.ALL), PATIENCE);
    private final Region holder = cell.at(2).map(name, Permissions.ALL, PATIENCE);
    private final MemorySegment before = bytes(1024, 4);

    @BeforeEach
    void fill() {
        holder.write(0, List.of(before), PATIENCE);
    }

    @AfterEach
    void close() {
        cell.close();
    }

    @Test
    void shouldNotSendAWrite_whenItsDeadlinePassedBeforeThereWasAChunk() {
        List<CompletableFuture<Void>> reads = takeAllChunks();
        CompletableFuture<Void> late = region.writeAsync(600, List.of(bytes(256, 9)), SHORT);
        assertThatThrownBy(late::join).hasMessageContaining("the deadline passed");
        cell.nodes.world().release();

        reads.forEach(CompletableFuture::join);
        awaitNoUser();
        assertThat(read(holder, 0, 1024).mismatch(before)).isEqualTo(-1);
    }

    @Test
    void shouldNotSendAWrite_whenTheHolderComesBackAfterTheDeadline() {
        cell.nodes.world().hold(Kind.CONNECT);
        cell.nodes.lose(1, 2);
        MemoryNodes.until(() -> cell.nodes.at(1).link(node(2)).isEmpty());
        CompletableFuture<Void> late = region.writeAsync(0, List.of(bytes(256, 9)), SHORT);
        assertThatThrownBy(late::join).hasMessageContaining("the deadline passed");
        cell.nodes.world().release();

        MemoryNodes.until(() -> ((MappedRegion) region).route(0) != null);
        awaitNoUser();
        assertThat(read(holder, 0, 1024).mismatch(before)).isEqualTo(-1);
    }

    @Test
    void shouldLeaveNothingTaken_whenItsMemoryIsClosedBeforeTheBytesCome() {
        cell.nodes.world().hold(Kind.READ);
        CompletableFuture<Void> reading;
        try (Arena arena = Arena.ofShared()) {
            reading = region.readAsync(0, List.of(arena.allocate(1024)), PATIENCE);
        }
        cell.nodes.world().release();

        assertThatThrownBy(reading::join).hasMessageContaining("CLOSED: the caller's memory");
        assertThat(word(region, 0)).isEqualTo(word(holder, 0));
        awaitNoUser();
    }

    @Test
    void shouldLeaveNothingTaken_whenItsMemoryIsClosedBeforeThereIsAChunk() {
        List<CompletableFuture<Void>> reads = takeAllChunks();
        CompletableFuture<Void> writing;
        try (Arena arena = Arena.ofShared()) {
            writing = region.writeAsync(0, List.of(arena.allocate(1024)), PATIENCE);
        }
        cell.nodes.world().release();

        assertThatThrownBy(writing::join).hasMessageContaining("CLOSED: the caller's memory");
        reads.forEach(CompletableFuture::join);
        assertThat(read(region, 0, 1024).mismatch(before)).isEqualTo(-1);
        awaitNoUser();
    }

    @Test
    void shouldLeaveNothingTaken_whenItsMemoryIsClosedAndThePartIsHere() {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(8);
        arena.close();

        assertThat(failureOf(() -> holder.read(0, List.of(memory), PATIENCE))).isEqualTo(RegionFailure.CLOSED);
        assertThat(((MappedRegion) holder).drain(RegionFailure.UNMAPPED)).isDone();
    }

    @Test
    void shouldKeepNoRegistration_whenAMappingComesAfterItsDeadline() {
        int registered = registrations();
        cell.nodes.world().hold(Kind.WRITE);
        assertThat(failureOf(() -> cell.at(1).map(name, READ, SHORT))).isEqualTo(RegionFailure.TIMED_OUT);
        cell.nodes.world().release(0);
        MemoryNodes.until(() -> registrations() == registered + 1);
        cell.nodes.world().release();

        MemoryNodes.until(() -> registrations() == registered);
    }

    @Test
    void shouldTryNothingAgain_whenItsThreadIsInterrupted() {
        RegionName other = cell.nameAt(2);
        cell.kill(2);
        long begunNanos = System.nanoTime();
        Thread.currentThread().interrupt();

        assertThat(failureOf(() -> cell.at(1).map(other, READ, PATIENCE))).isEqualTo(RegionFailure.NODE_UNREACHABLE);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(PATIENCE.dividedBy(2));
    }

    @Test
    void shouldSayClosed_whenTheNodeIsClosedWhileItLooksForThePart() {
        cell.nodes.lose(1, 2);
        cell.nodes.awaitConnected();
        cell.nodes.world().hold(Kind.WRITE);
        MemorySegment found = Arena.ofAuto().allocate(8);
        CompletableFuture<Void> reading = region.readAsync(0, List.of(found), PATIENCE);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(cell.at(1)::close);
        MemoryNodes.until(cell.at(1).cores.threads::isShutdown);
        cell.nodes.world().release();

        assertThatThrownBy(reading::join).hasMessageContaining("CLOSED");
        assertThat(closing).succeedsWithin(PATIENCE);
    }

    /** Reads whose answers are held. */
    private List<CompletableFuture<Void>> takeAllChunks() {
        cell.nodes.world().hold(Kind.READ);
        List<CompletableFuture<Void>> reads = new ArrayList<>();
        for (int i = 0; i < CHUNKS; i++) {
            MemorySegment found = Arena.ofAuto().allocate(CHUNK_BYTES);
            reads.add(region.readAsync((long) i * CHUNK_BYTES, List.of(found), PATIENCE));
        }
        return reads;
    }

    /** All that has begun through the handle has let go of everything; nothing begins any more. */
    private void awaitNoUser() {
        MemoryNodes.until(((MappedRegion) region).drain(RegionFailure.UNMAPPED)::isDone);
    }

    private int registrations() {
        return cell.nodes.world().live().getOrDefault("regMr", 0);
    }
}
