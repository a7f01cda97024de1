package dev.retier.iwarp.ddp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.memory.StreamIdentity;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is acquired, and above all what is not when an access is refused (RFC 5042 section 6.2.3). */
@Timeout(value = 60, unit = TimeUnit.SECONDS) // a leaked access makes revocation wait for ever
class MemoryAccessTest {
    private static final int DOMAIN = 1;

    private final StagTable table = new StagTable(new SplittableRandom(1), 10);
    private final LocalMemory memory = new LocalMemory(table, new StreamIdentity(3, DOMAIN));
    private final MemoryRegion region = Objects.requireNonNull(
            table.register(MemoryRegion.Grant.toDomain(DOMAIN, 15), ByteBuffer.allocateDirect(64)));
    private final SpanList spans = new SpanList(4);

    private AccessResult add(int stag, int rights, long offset, int bytes) {
        return spans.add(memory, stag, rights, offset, bytes);
    }

    @Test
    void shouldAcquireNothing_whenListIsShorterThanAskedFor() {
        ScatterList list = new ScatterList(4);
        list.add(region.address(), 8, region.stag());
        assertThat(list.acquire(memory, Access.LOCAL_WRITE, 4, 8, spans)).isEqualTo(AccessResult.BOUNDS);
        assertThat(spans.count()).isZero();
        assertThat(table.deregister(region)).isTrue();
    }

    @Test
    void shouldAcquireNothing_whenRegionRefuses() {
        assertThat(add(region.stag(), 16, region.address(), 8)).isEqualTo(AccessResult.RIGHTS);
        assertThat(add(region.stag(), 1, region.address() + 60, 8)).isEqualTo(AccessResult.BOUNDS);
        assertThat(add(region.stag() + 1, 1, region.address(), 8)).isEqualTo(AccessResult.INVALID_STAG);
        assertThat(spans.count()).isZero();
        assertThat(table.deregister(region)).isTrue();
    }

    /** Between the lookup of an STag and its use its region may have been revoked, as here. */
    @Test
    void shouldLeaveRegionRevoked_whenItIsUsedAfterwards() {
        assertThat(region.revoke()).isTrue();
        assertThat(add(region.stag(), 1, region.address(), 8)).isEqualTo(AccessResult.INVALID_STAG);
        assertThat(region.revoked()).isTrue();
        assertThat(region.acquire()).isFalse();
        assertThat(region.revoke()).as("was revoked before").isFalse();
    }
}
