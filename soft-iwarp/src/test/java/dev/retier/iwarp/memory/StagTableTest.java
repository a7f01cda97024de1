package dev.retier.iwarp.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.Seeded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Regions and their names (RFC 5042 section 6). */
class StagTableTest {
    private static final MemoryRegion.Grant GRANT = MemoryRegion.Grant.toDomain(1, 15);
    private static final StreamIdentity STREAM = new StreamIdentity(3, 1);

    private final MemorySegment memory = Arena.ofAuto().allocate(64, 8);

    private static StagTable table(int maxRegions) {
        return new StagTable(new SplittableRandom(1), maxRegions);
    }

    private MemoryRegion register(StagTable table) {
        return Objects.requireNonNull(table.register(GRANT, memory));
    }

    @Seeded(tries = 20)
    void shouldFindLiveRegionsOnly_whenManyComeAndGo(SplittableRandom random) {
        StagTable table = new StagTable(random.split(), 100_000);
        List<MemoryRegion> live = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            if (live.isEmpty() || random.nextInt(3) > 0) {
                live.add(register(table));
            } else {
                MemoryRegion gone = live.remove(random.nextInt(live.size()));
                assertThat(table.deregister(gone)).isTrue();
                MemoryRegion found = table.find(gone.stag());
                assertThat(found == null || found.revoked()).isTrue();
            }
        }
        assertThat(table.count()).isEqualTo(live.size());
        assertThat(live).allMatch(region -> region.equals(table.find(region.stag())));
    }

    @Test
    void shouldRefuse_whenTableIsFull() {
        StagTable table = table(2);
        MemoryRegion first = register(table);
        register(table);
        assertThat(table.register(GRANT, memory)).isNull();
        table.deregister(first);
        assertThat(table.register(GRANT, memory)).isNotNull();
    }

    @Test
    void shouldRefuse_whenRemoteWriteLacksLocalWrite() {
        assertThatThrownBy(() -> table(1).register(MemoryRegion.Grant.toDomain(1, Access.REMOTE_WRITE), memory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("local write");
    }

    @Test
    void shouldRefuse_whenReadOnlyMemoryIsToBeWritten() {
        StagTable table = table(2);
        ByteBuffer buffer = ByteBuffer.allocateDirect(8).asReadOnlyBuffer();
        assertThatThrownBy(() -> table.register(GRANT, memory.asReadOnly())).hasMessageContaining("read-only");
        assertThatThrownBy(() -> table.register(GRANT, buffer)).hasMessageContaining("read-only");
        assertThat(table.register(MemoryRegion.Grant.toDomain(1, Access.REMOTE_READ), buffer))
                .isNotNull();
    }

    @Test
    void shouldSayFalse_whenDeregisteredTwice() {
        StagTable table = table(1);
        MemoryRegion region = register(table);
        assertThat(table.deregister(region)).isTrue();
        assertThat(table.deregister(region)).isFalse();
        assertThat(table.count()).isZero();
    }

    @Test
    void shouldCheckBoundsWithoutOverflow_whenOffsetsAreExtreme() {
        MemoryRegion region = register(table(1));
        long base = region.address();
        assertThat(region.check(STREAM, 15, base, 64)).isEqualTo(AccessResult.GRANTED);
        assertThat(region.check(STREAM, 15, base + 64, 0)).isEqualTo(AccessResult.GRANTED);
        assertThat(region.check(STREAM, 15, base, 65)).isEqualTo(AccessResult.BOUNDS);
        assertThat(region.check(STREAM, 15, base - 1, 2)).isEqualTo(AccessResult.BOUNDS);
        assertThat(region.check(STREAM, 15, base + 1, 0xFFFF_FFFFL)).isEqualTo(AccessResult.BOUNDS);
        assertThat(region.check(STREAM, 15, -1, 1)).isEqualTo(AccessResult.WRAP);
        assertThat(region.check(STREAM, 15, Long.MAX_VALUE, 0xFFFF_FFFFL)).isEqualTo(AccessResult.BOUNDS);
        assertThat(region.check(STREAM, 15, 0, 0)).isEqualTo(AccessResult.BOUNDS);
    }

    /** RFC 5042 section 6.2.3: after a revocation has returned nothing changes the memory any more. */
    @Test
    void shouldWaitForWriters_whenRevoked() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            MemoryRegion region = register(table(1));
            AtomicBoolean revoked = new AtomicBoolean();
            AtomicBoolean late = new AtomicBoolean();
            ByteBuffer source = ByteBuffer.allocate(64);
            Thread writer = Thread.ofPlatform().start(() -> {
                while (region.acquire()) {
                    late.compareAndSet(false, revoked.get());
                    region.put(region.address(), source, 0, 64);
                    late.compareAndSet(false, revoked.get());
                    region.release();
                }
            });
            region.revoke();
            revoked.set(true);
            writer.join();
            assertThat(late).isFalse();
        }
    }
}
