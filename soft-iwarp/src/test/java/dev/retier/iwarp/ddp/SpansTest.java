package dev.retier.iwarp.ddp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.memory.StreamIdentity;
import dev.retier.iwarp.mpa.FpduEncoder;
import dev.retier.iwarp.mpa.TransmitBatch;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Lists of pieces of memory: the user's, and those that are acquired of them. */
class SpansTest {
    private static final int DOMAIN = 1;
    private static final MemoryRegion.Grant GRANT = MemoryRegion.Grant.toDomain(DOMAIN, 15);

    private final StagTable table = new StagTable(new SplittableRandom(1), 10);
    private final LocalMemory memory = new LocalMemory(table, new StreamIdentity(3, DOMAIN));
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    private final MemoryRegion one = register();
    private final MemoryRegion two = register();
    private final SpanList spans = new SpanList(4);
    private final ScatterList list = new ScatterList(3);

    private MemoryRegion register() {
        return Objects.requireNonNull(table.register(GRANT, bytes));
    }

    private void acquire(MemoryRegion region, int at, int length) {
        assertThat(spans.add(memory, region.stag(), Access.LOCAL_WRITE, region.address() + at, length))
                .isEqualTo(AccessResult.GRANTED);
    }

    private void scatter() {
        list.add(one.address(), 4, one.stag());
        list.add(two.address() + 16, 6, two.stag());
        list.add(one.address() + 32, 2, one.stag());
    }

    private static ByteBuffer numbers() {
        ByteBuffer numbers = ByteBuffer.allocate(32);
        for (byte i = 0; i < 32; i++) {
            numbers.put(i, i);
        }
        return numbers;
    }

    @Test
    void shouldFillPiecesInOrderAndCopyThemBack_whenThereAreThree() {
        acquire(one, 8, 2);
        acquire(two, 0, 3);
        acquire(one, 20, 1);
        assertThat(spans.count()).isEqualTo(3);
        assertThat(spans.room()).isEqualTo(1);
        spans.copyFrom(numbers(), 10);
        assertThat(bytes.getShort(8)).isEqualTo((short) 0x0A0B);
        assertThat(bytes.getInt(0)).isEqualTo(0x0C0D0E00);
        assertThat(bytes.get(20)).isEqualTo((byte) 0x0F);
        ByteBuffer target = ByteBuffer.allocate(8).position(1);
        spans.copyTo(target);
        assertThat(target.position()).isEqualTo(7);
        assertThat(target.getLong(0)).isEqualTo(0x000A_0B0C_0D0E_0F00L);
        spans.release();
        assertThat(spans.count()).isZero();
        assertThat(spans.room()).isEqualTo(4);
        assertThat(table.deregister(one)).isTrue();
        assertThat(table.deregister(two)).isTrue();
    }

    @Test
    void shouldLend_whenEveryPieceCanBeShown() {
        MemoryRegion segment = Objects.requireNonNull(table.register(GRANT, MemorySegment.ofBuffer(bytes)));
        acquire(one, 0, 2);
        assertThat(spans.lends()).isTrue();
        assertThat(spans.only()).isSameAs(one);
        acquire(segment, 2, 2);
        assertThat(spans.lends()).isFalse();
        spans.release();
        acquire(segment, 0, 2);
        assertThat(spans.only()).isNull();
        spans.release();
        assertThat(spans.only()).isNull();
        acquire(one, 0, 2);
        acquire(two, 0, 2);
        assertThat(spans.only()).isNull();
    }

    @Test
    void shouldUseAgain_whenResumed() {
        acquire(one, 0, 2);
        acquire(two, 0, 2);
        spans.suspend();
        assertThat(spans.resume()).isTrue();
        spans.release();
        assertThat(table.deregister(one)).isTrue();
        assertThat(table.deregister(two)).isTrue();
    }

    /** RFC 5042 section 6.2.3: the pieces before the revoked one are not held, or their revocation would wait. */
    @Test
    void shouldHoldNothing_whenOnePieceWasRevokedMeanwhile() {
        acquire(one, 0, 2);
        acquire(one, 2, 2);
        acquire(two, 0, 2);
        spans.suspend();
        assertThat(table.deregister(two)).isTrue();
        assertThat(spans.resume()).isFalse();
        assertThat(table.deregister(one)).isTrue();
    }

    @Test
    void shouldGiveViewsBackOnce_whenWhatWasReferredToIsReleased() {
        SpanList referred = new SpanList(4);
        acquire(one, 8, 4);
        TransmitBatch batch = new TransmitBatch();
        FpduEncoder encoder = new FpduEncoder(false, false);
        encoder.begin(batch, 4, 0);
        spans.referTo(encoder, referred);
        encoder.end();
        assertThat(spans.count()).isZero();
        assertThat(referred.count()).isEqualTo(1);
        batch.pieces();
        ByteBuffer view = batch.pieces()[1];
        assertThat(view.position()).isEqualTo(8);
        referred.release();
        assertThat(referred.count()).isZero();
        assertThat(one.borrow(one.address(), 1)).isSameAs(view);
        referred.release();
        assertThat(one.borrow(one.address(), 1)).isNotSameAs(view);
        assertThat(table.deregister(one)).isTrue();
    }

    @Test
    void shouldLeaveEmptyElementsOut_whenListIsFull() {
        assertThat(list.firstAddress()).isZero();
        assertThat(list.firstKey()).isZero();
        list.add(99, 0, 98);
        scatter();
        list.add(99, 0, 98);
        assertThat(list.totalBytes()).isEqualTo(12);
        assertThat(list.firstAddress()).isEqualTo(one.address());
        assertThat(list.firstKey()).isEqualTo(one.stag());
        assertThatThrownBy(() -> list.add(99, 1, 98))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("more than 3");
        list.clear();
        assertThat(list.totalBytes()).isZero();
        assertThat(list.firstAddress()).isZero();
        assertThat(list.firstKey()).isZero();
    }

    @Test
    void shouldRefuse_whenLengthIsNegative() {
        assertThatThrownBy(() -> list.add(1, -1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 bytes");
    }

    @Test
    void shouldAcquireExactlyThose_whenAskedFromTheMiddle() {
        scatter();
        assertThat(list.acquire(memory, Access.LOCAL_WRITE, 5, 6, spans)).isEqualTo(AccessResult.GRANTED);
        assertThat(spans.count()).isEqualTo(2);
        spans.copyFrom(numbers(), 1);
        assertThat(bytes.getLong(16)).isEqualTo(0x0001_0203_0405_0000L);
        assertThat(bytes.getShort(32)).isEqualTo((short) 0x0600);
    }

    /** Where one element ends the next one starts, and no empty piece is between them. */
    @Test
    void shouldAcquireWholeElements_whenAskedAtTheirEdges() {
        scatter();
        assertThat(list.acquire(memory, Access.LOCAL_WRITE, 4, 6, spans)).isEqualTo(AccessResult.GRANTED);
        assertThat(spans.count()).isEqualTo(1);
        spans.release();
        assertThat(list.acquire(memory, Access.LOCAL_WRITE, 0, 12, spans)).isEqualTo(AccessResult.GRANTED);
        assertThat(spans.count()).isEqualTo(3);
        spans.release();
        assertThat(list.acquire(memory, Access.LOCAL_WRITE, 12, 0, spans)).isEqualTo(AccessResult.GRANTED);
        assertThat(spans.count()).isZero();
    }

    @Test
    void shouldAcquireNothing_whenSecondElementIsRefused() {
        scatter();
        assertThat(table.deregister(two)).isTrue();
        assertThat(list.acquire(memory, Access.LOCAL_WRITE, 0, 12, spans)).isEqualTo(AccessResult.INVALID_STAG);
        assertThat(spans.count()).isZero();
        assertThat(table.deregister(one)).isTrue();
    }

    @Test
    void shouldTellFirstRefusal_whenElementsAreChecked() {
        assertThat(list.check(memory, Access.LOCAL_WRITE)).isEqualTo(AccessResult.GRANTED);
        scatter();
        assertThat(list.check(memory, Access.LOCAL_WRITE)).isEqualTo(AccessResult.GRANTED);
        assertThat(list.check(memory, 16)).isEqualTo(AccessResult.RIGHTS);
        list.clear();
        list.add(one.address(), 4, one.stag());
        list.add(two.address() + 60, 5, two.stag());
        assertThat(list.check(memory, Access.LOCAL_WRITE)).isEqualTo(AccessResult.BOUNDS);
        assertThat(table.deregister(one)).isTrue();
        assertThat(list.check(memory, Access.LOCAL_WRITE)).isEqualTo(AccessResult.INVALID_STAG);
        assertThat(table.deregister(two)).as("nothing was acquired").isTrue();
    }
}
