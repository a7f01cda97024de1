package dev.retier.iwarp.ddp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.iwarp.memory.Access;
import dev.retier.iwarp.memory.AccessResult;
import dev.retier.iwarp.memory.MemoryRegion;
import dev.retier.iwarp.memory.StagTable;
import dev.retier.iwarp.memory.StreamIdentity;
import dev.retier.iwarp.wire.RdmapOpcode;
import dev.retier.iwarp.wire.Segment;
import dev.retier.iwarp.wire.TaggedHeader;
import dev.retier.iwarp.wire.TerminateHeader;
import dev.retier.iwarp.wire.TerminateReason;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One tagged segment that is placed while it arrives, and the Terminate that reports a segment. */
class PlacementTest {
    private static final int DOMAIN = 1;
    private static final int AT = 3;

    private final StagTable table = new StagTable(new SplittableRandom(1), 10);
    private final LocalMemory memory = new LocalMemory(table, new StreamIdentity(3, DOMAIN));
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(64);
    private final MemoryRegion region =
            Objects.requireNonNull(table.register(MemoryRegion.Grant.toDomain(DOMAIN, 15), bytes));
    private final ByteBuffer arrived = ByteBuffer.allocate(64);
    private int pieces = 1;
    private final DirectPlacement placement = new DirectPlacement(4, this::acquire);

    /** Acquires the payload's place, as so many pieces. */
    private boolean acquire(Ulpdu segment, SpanList into) {
        int piece = segment.payloadLength() / pieces;
        for (int i = 0; i < pieces; i++) {
            long at = TaggedHeader.taggedOffset(segment.buffer, segment.at) + (long) i * piece;
            int stag = TaggedHeader.stag(segment.buffer, segment.at);
            if (into.add(memory, stag, Access.REMOTE_WRITE, at, piece) != AccessResult.GRANTED) {
                return false;
            }
        }
        return true;
    }

    /** Begins a write of {@code payload} bytes of which so many are there. */
    private boolean begin(int payload, int there) {
        new Segment()
                .tagged(RdmapOpcode.WRITE, region.stag(), region.address() + 8, true)
                .emit(arrived, AT);
        for (int i = 0; i < there; i++) {
            arrived.put(AT + TaggedHeader.LENGTH + i, (byte) (i + 1));
        }
        return placement.begin(arrived, AT, TaggedHeader.LENGTH + there, TaggedHeader.LENGTH + payload);
    }

    @Test
    void shouldPlaceWhatIsThereAndGiveSpaceForTheRest_whenSegmentIsSimple() {
        assertThat(begin(8, 3)).isTrue();
        assertThat(bytes.getLong(8)).isEqualTo(0x0102_0300_0000_0000L);
        ByteBuffer space = Objects.requireNonNull(placement.space());
        assertThat(space.remaining()).isEqualTo(5);
        space.put((byte) 4).put((byte) 5);
        assertThat(placement.placed()).isEqualTo(2);
        assertThat(bytes.getLong(8)).isEqualTo(0x0102_0304_0500_0000L);
        space = Objects.requireNonNull(placement.space());
        assertThat(space.remaining()).isEqualTo(3);
        space.put(new byte[] {6, 7, 8});
        assertThat(placement.placed()).isEqualTo(3);
        assertThat(bytes.getLong(8)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(bytes.getLong(16)).isZero();
        arrived.clear().put(new byte[64]);
        Ulpdu whole = placement.complete();
        assertThat(whole.payloadLength()).isEqualTo(8);
        assertThat(TaggedHeader.stag(whole.buffer, whole.at))
                .as("a copy of the header")
                .isEqualTo(region.stag());
        assertThat(TaggedHeader.taggedOffset(whole.buffer, whole.at)).isEqualTo(region.address() + 8);
        assertThat(whole.last()).isTrue();
        assertThat(placement.space()).as("none is under way").isNull();
        assertThat(table.deregister(region)).isTrue();
    }

    @Test
    void shouldUseOneView_whenSpaceIsTakenTwice() {
        assertThat(begin(8, 0)).isTrue();
        ByteBuffer first = Objects.requireNonNull(placement.space());
        assertThat(placement.placed()).isZero();
        assertThat(placement.space()).isSameAs(first);
    }

    @Test
    void shouldGiveNoSpace_whenRegionIsRevoked() {
        assertThat(begin(8, 3)).isTrue();
        assertThat(table.deregister(region)).isTrue();
        assertThat(placement.space()).isNull();
    }

    @Test
    void shouldHaveDoneNothing_whenPlaceIsInTwoPieces() {
        pieces = 2;
        assertThat(begin(8, 3)).isFalse();
        assertThat(bytes.getLong(8)).isZero();
        assertThat(placement.space()).isNull();
        assertThat(table.deregister(region)).isTrue();
    }

    @Test
    void shouldHaveDoneNothing_whenPlaceIsRefused() {
        assertThat(begin(57, 3)).isFalse();
        assertThat(bytes.getLong(8)).isZero();
        assertThat(table.deregister(region)).isTrue();
    }

    /** RFC 5041 section 4.1: untagged, and of an unknown version. */
    @ParameterizedTest
    @CsvSource({"0x41", "0xC0", "0xC2"})
    void shouldLeaveItToReceiver_whenSegmentIsNotTaggedOfVersionOne(int control) {
        new Segment()
                .tagged(RdmapOpcode.WRITE, region.stag(), region.address(), true)
                .emit(arrived, AT);
        arrived.put(AT, (byte) control).put(AT + TaggedHeader.LENGTH, (byte) 1);
        assertThat(placement.begin(arrived, AT, 18, 30)).isFalse();
        assertThat(bytes.get(0)).isZero();
    }

    @Test
    void shouldRefuse_whenNoSpaceWasGivenOut() {
        assertThatThrownBy(placement::placed).isInstanceOf(IllegalStateException.class);
        assertThat(begin(8, 3)).isTrue();
        assertThatThrownBy(placement::placed)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no space");
        assertThat(placement.space()).isNotNull();
        assertThat(placement.placed()).isZero();
        assertThatThrownBy(placement::placed).isInstanceOf(IllegalStateException.class);
    }

    private static Ulpdu ulpdu(Segment header, RdmapOpcode opcode, int payload) {
        ByteBuffer buffer = ByteBuffer.allocate(AT + header.headerLength() + payload);
        header.emit(buffer, AT);
        Ulpdu ulpdu = new Ulpdu();
        ulpdu.set(buffer, AT, header.headerLength() + payload);
        ulpdu.opcode = opcode;
        return ulpdu;
    }

    private static Ulpdu readRequest(int payload) {
        RdmapOpcode opcode = RdmapOpcode.READ_REQUEST;
        return ulpdu(new Segment().untagged(opcode, 1, 0, true), opcode, payload);
    }

    /** RFC 5040 section 4.8: with the header of exactly 28 bytes, for errors of remote protection only. */
    @ParameterizedTest
    @CsvSource({
        "28, RDMAP_ACCESS, 18, 28",
        "27, RDMAP_ACCESS, 18, 0",
        "28, RDMAP_STREAM_CATASTROPHE, 18, 0",
        "28, DDP_TOO_LONG, 18, 0",
        "28, RDMAP_LOCAL, 0, 0",
        "28, DDP_LOCAL, 0, 0",
        "28, MPA_CRC, 0, 0"
    })
    void shouldCarryHeadersThatReasonAsksFor_whenReadRequestFails(
            int payload, TerminateReason reason, int ddp, int read) {
        TerminateHeader header = readRequest(payload).failure(reason);
        assertThat(header.reason()).isEqualTo(reason);
        assertThat(header.ddpHeader()).hasSize(ddp);
        assertThat(header.readHeader()).hasSize(read);
        assertThat(header.segmentLength()).isEqualTo(ddp == 0 ? 0 : 18 + payload);
    }

    @Test
    void shouldCarryTaggedHeader_whenWriteFails() {
        Segment write = new Segment().tagged(RdmapOpcode.WRITE, 5, 6, true);
        TerminateHeader header = ulpdu(write, RdmapOpcode.WRITE, 40).failure(TerminateReason.RDMAP_ACCESS);
        ByteBuffer expected = ByteBuffer.allocate(14);
        write.emit(expected, 0);
        assertThat(header.ddpHeader()).isEqualTo(expected.array());
        assertThat(header.readHeader()).isEmpty();
        assertThat(header.segmentLength()).isEqualTo(54);
    }

    @Test
    void shouldCarryNoHeader_whenSegmentIsCut() {
        Ulpdu cut = readRequest(0);
        cut.length = 17;
        assertThat(cut.failure(TerminateReason.RDMAP_VERSION).ddpHeader()).isEmpty();
        cut.length = 18;
        assertThat(cut.failure(TerminateReason.RDMAP_VERSION).ddpHeader()).hasSize(18);
    }
}
