package dev.retier.iwarp.mpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where batches are full, buffers grow and wishes are out of range; FPDUs that are only begun. */
class FramingTest {
    private static final Set<RtrKind> ALL = EnumSet.allOf(RtrKind.class);
    private static final int HEAD = 14;

    private final TransmitBatch batch = new TransmitBatch();
    private final FpduDecoder decoder = new FpduDecoder(false, false);

    /** An FPDU without CRC, of numbers. */
    private static byte[] fpdu(int ulpduLength) {
        ByteBuffer fpdu = ByteBuffer.allocate(Fpdu.totalLength(ulpduLength));
        fpdu.putShort((short) ulpduLength);
        for (int i = 0; i < ulpduLength; i++) {
            fpdu.put((byte) i);
        }
        return fpdu.array();
    }

    private FpduDecoder.Status arrive(byte[] bytes, int from, int to) {
        ByteBuffer space = decoder.space();
        assertThat(space.remaining()).isGreaterThanOrEqualTo(to - from);
        space.put(bytes, from, to - from);
        return decoder.next();
    }

    @ParameterizedTest
    @CsvSource({"98303,false", "98304,true"})
    void shouldBeFull_whenStagingHolds96KiB(int bytes, boolean full) {
        batch.append(new byte[bytes]);
        assertThat(batch.isFull()).isEqualTo(full);
        assertThat(batch.capacity()).isEqualTo(128 * 1024);
        Pipe.drain(batch);
        assertThat(batch.isFull()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"196607,false", "196608,true"})
    void shouldBeFull_whenItRefersTo192KiB(int bytes, boolean full) {
        batch.refer(ByteBuffer.allocate(bytes - 5));
        batch.refer(ByteBuffer.allocate(5));
        assertThat(batch.isFull()).isEqualTo(full);
        assertThat(batch.capacity()).isEqualTo(4096);
        Pipe.drain(batch);
        assertThat(batch.isFull()).isFalse();
        assertThat(batch.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"119,false", "120,true"})
    void shouldBeFull_whenPiecesAre120(int pieces, boolean full) {
        for (int i = 0; i < pieces; i++) {
            batch.refer(ByteBuffer.allocate(1));
        }
        assertThat(batch.isFull()).isEqualTo(full);
    }

    @Test
    void shouldKeepItsBuffer_whenBytesJustFit() {
        batch.append(new byte[4000]);
        batch.append(new byte[96]);
        assertThat(batch.capacity()).isEqualTo(4096);
        batch.append(new byte[1]);
        assertThat(batch.capacity()).isEqualTo(8192);
        assertThat(Pipe.drain(batch)).hasSize(4097);
    }

    @Test
    void shouldTellWhatIsLeft_whenTcpTookSomePieces() {
        batch.append(new byte[] {1});
        batch.refer(ByteBuffer.wrap(new byte[] {2, 3}));
        batch.append(new byte[] {4});
        assertThat(batch.isEmpty()).isFalse();
        assertThat(Pipe.take(batch, 2)).containsExactly(1, 2);
        assertThat(batch.firstPiece()).isEqualTo(1);
        assertThat(batch.pieceCount()).isEqualTo(2);
        assertThat(batch.pieces()[0].hasRemaining()).as("forgotten").isFalse();
        assertThat(Pipe.drain(batch)).containsExactly(3, 4);
        assertThat(batch.pieceCount()).isZero();
        assertThat(batch.firstPiece()).isZero();
    }

    /** RFC 5044 section 4.4: what may change is copied first if a CRC covers it; markers split what is sent. */
    @ParameterizedTest
    @CsvSource({
        "false,false,false,true",
        "false,false,true,true",
        "true,false,false,false",
        "true,false,true,true",
        "false,true,true,false",
        "true,true,true,false"
    })
    void shouldRefer_whenPayloadStaysAsItIs(boolean crc, boolean markers, boolean stable, boolean refers) {
        assertThat(new FpduEncoder(crc, markers).mayRefer(stable)).isEqualTo(refers);
    }

    /** RFC 5044 section 4.4: the same CRC wherever the payload lies. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldSendTheSame_whenPayloadIsReferredToInsteadOfCopied(boolean crc) {
        byte[] payload = {9, 8, 7, 6, 5};
        FpduEncoder encoder = new FpduEncoder(crc, false);
        encoder.begin(batch, 7, 7);
        encoder.copy().put((byte) 1).put((byte) 2).put(payload);
        encoder.end();
        byte[] copied = Pipe.drain(batch);
        ByteBuffer lent = ByteBuffer.wrap(payload);
        encoder.begin(batch, 7, 2);
        encoder.copy().put((byte) 1).put((byte) 2);
        encoder.refer(lent.duplicate().limit(2));
        encoder.refer(lent.duplicate().position(2));
        encoder.end();
        byte[] referred = Pipe.drain(batch);
        assertThat(referred).isEqualTo(copied).hasSize(16);
        assertThat(ByteBuffer.wrap(referred).getInt(12) == 0).isEqualTo(!crc);
    }

    @Test
    void shouldTellOfBegunFpdu_whenItsHeadIsThere() {
        byte[] fpdu = fpdu(1000);
        assertThat(arrive(fpdu, 0, 2 + HEAD - 1)).isEqualTo(FpduDecoder.Status.NEED_MORE);
        assertThat(decoder.begun(HEAD)).isFalse();
        arrive(fpdu, 2 + HEAD - 1, 2 + HEAD);
        assertThat(decoder.begun(HEAD)).isTrue();
        assertThat(decoder.ulpduLength()).isEqualTo(1000);
        assertThat(decoder.ulpduArrived()).isEqualTo(HEAD);
        assertThat(decoder.ulpduBuffer().get(decoder.ulpduOffset() + 13)).isEqualTo((byte) 13);
        arrive(fpdu, 2 + HEAD, 2 + 999);
        assertThat(decoder.begun(HEAD)).isTrue();
        assertThat(decoder.ulpduArrived()).isEqualTo(999);
        arrive(fpdu, 2 + 999, 2 + 1000);
        assertThat(decoder.begun(HEAD)).as("only pad and CRC are missing").isFalse();
    }

    @ParameterizedTest
    @CsvSource({"true,false", "false,true", "true,true"})
    void shouldTellOfNone_whenCrcOrMarkersAreOn(boolean crc, boolean markers) {
        FpduDecoder other = new FpduDecoder(crc, markers);
        other.space().put(fpdu(1000), 0, 500);
        assertThat(other.begun(HEAD)).isFalse();
    }

    @Test
    void shouldGoOnBehindIt_whenFpduWasSplit() {
        byte[] fpdu = fpdu(1001);
        arrive(fpdu, 0, 102);
        assertThat(decoder.begun(HEAD)).isTrue();
        decoder.split();
        assertThat(decoder.elsewhere()).isEqualTo(901);
        assertThat(decoder.begun(0)).as("one at a time").isFalse();
        decoder.arrivedElsewhere(900);
        assertThat(arrive(new byte[4], 0, 4)).isEqualTo(FpduDecoder.Status.NEED_MORE);
        decoder.arrivedElsewhere(1);
        assertThat(decoder.elsewhere()).isZero();
        assertThat(decoder.next()).as("pad and CRC are 5 bytes").isEqualTo(FpduDecoder.Status.NEED_MORE);
        assertThat(arrive(new byte[1], 0, 1)).isEqualTo(FpduDecoder.Status.PLACED);
        byte[] next = fpdu(6);
        assertThat(arrive(next, 0, next.length)).isEqualTo(FpduDecoder.Status.ULPDU);
        assertThat(decoder.ulpduLength()).isEqualTo(6);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.NEED_MORE);
    }

    @Test
    void shouldForgetAll_whenDiscardedWhileSplit() {
        byte[] fpdu = fpdu(1000);
        arrive(fpdu, 0, 100);
        assertThat(decoder.begun(HEAD)).isTrue();
        decoder.split();
        decoder.discard();
        assertThat(decoder.elsewhere()).isZero();
        assertThat(decoder.space().remaining()).isEqualTo(FpduDecoder.INITIAL_CAPACITY);
        byte[] next = fpdu(6);
        assertThat(arrive(next, 0, next.length)).isEqualTo(FpduDecoder.Status.ULPDU);
    }

    @Test
    void shouldGiveNoMoreSpace_whenToldSo() {
        assertThat(decoder.space(100).remaining()).isEqualTo(100);
        byte[] fpdu = fpdu(FpduDecoder.INITIAL_CAPACITY - 50);
        decoder.space().put(fpdu, 0, 16_000);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.NEED_MORE);
        assertThat(decoder.space(1000).remaining()).isEqualTo(384);
        assertThat(decoder.space().remaining()).isEqualTo(384);
    }

    @Test
    void shouldGrow_whenFpduDoesNotFit() {
        byte[] fpdu = fpdu(40_000);
        decoder.space().put(fpdu, 0, 100);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.NEED_MORE);
        assertThat(decoder.space().remaining()).isEqualTo(2 * fpdu.length - 100);
        assertThat(decoder.capacity()).isEqualTo(2 * fpdu.length);
        assertThat(arrive(fpdu, 100, fpdu.length)).isEqualTo(FpduDecoder.Status.ULPDU);
        byte[] bytes = new byte[40_000];
        decoder.ulpduBuffer().get(decoder.ulpduOffset(), bytes);
        assertThat(bytes).isEqualTo(Arrays.copyOfRange(fpdu, 2, 40_002));
    }

    /** A little that is left over moves to the front: the buffer stays as big as it is. */
    @Test
    void shouldNotGrow_whenFpduFitsOnceTheOthersAreGone() {
        byte[] first = fpdu(10_000);
        byte[] second = fpdu(8000);
        ByteBuffer space = decoder.space();
        space.put(first).put(second, 0, 3000);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.ULPDU);
        assertThat(decoder.next()).isEqualTo(FpduDecoder.Status.NEED_MORE);
        assertThat(decoder.space().remaining()).isEqualTo(FpduDecoder.INITIAL_CAPACITY - 3000);
        assertThat(decoder.capacity()).isEqualTo(FpduDecoder.INITIAL_CAPACITY);
        assertThat(arrive(second, 3000, second.length)).isEqualTo(FpduDecoder.Status.ULPDU);
        assertThat(decoder.ulpduBuffer().get(decoder.ulpduOffset() + 7999)).isEqualTo((byte) 7999);
    }

    @Test
    void shouldCountAssembledFpdu_whenMarkersAreOn() {
        assertThat(new FpduDecoder(true, true).capacity()).isEqualTo(FpduDecoder.INITIAL_CAPACITY + Fpdu.MAX_TOTAL);
        assertThat(decoder.capacity()).isEqualTo(FpduDecoder.INITIAL_CAPACITY);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "16383,16383"})
    void shouldKeepDepths_whenTheyFit14Bits(int ird, int ord) {
        EnhancedBlock block = new EnhancedBlock(true, ALL, ird, ord);
        assertThat(EnhancedBlock.parse(block.word())).isEqualTo(block);
    }

    @ParameterizedTest
    @CsvSource({"-1,0", "0,-1", "16384,0", "0,16384"})
    void shouldRefuse_whenDepthsDoNotFit14Bits(int ird, int ord) {
        assertThatThrownBy(() -> new EnhancedBlock(true, ALL, ird, ord))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("16383");
    }

    /** RFC 6581 section 6: B, C and D say nothing without A. */
    @Test
    void shouldHaveNoKinds_whenBlockIsNotPeerToPeer() {
        assertThat(EnhancedBlock.parse(0x4005_C006)).isEqualTo(new EnhancedBlock(false, Set.of(), 5, 6));
        assertThat(new EnhancedBlock(false, ALL, 5, 6).word()).isEqualTo(0x0005_0006);
        assertThat(new EnhancedBlock(true, Set.of(RtrKind.SEND), 5, 6).word()).isEqualTo(0xC005_0006);
        assertThat(new EnhancedBlock(true, Set.of(RtrKind.WRITE), 5, 6).word()).isEqualTo(0x8005_8006);
        assertThat(new EnhancedBlock(true, Set.of(RtrKind.READ), 5, 6).word()).isEqualTo(0x8005_4006);
    }

    @ParameterizedTest
    @CsvSource({"0,0,0", "3,0,0", "2,-1,0", "2,0,-1", "2,16383,0", "2,0,16383"})
    void shouldRefuse_whenWishesAreOutOfRange(int revision, int ird, int ord) {
        assertThatThrownBy(() -> new StartupPolicy(revision, true, false, true, ALL, ird, ord, LargeFpdus.ALWAYS))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldAccept_whenWishesAreAtTheEdgeOfRange() {
        assertThat(new StartupPolicy(2, true, false, true, ALL, 16_382, 0, LargeFpdus.ALWAYS).ird())
                .isEqualTo(16_382);
        assertThat(new StartupPolicy(1, true, false, true, ALL, 0, 16_382, LargeFpdus.ALWAYS).ord())
                .isEqualTo(16_382);
        assertThatThrownBy(() -> new StartupPolicy(2, true, false, true, Set.of(), 1, 1, LargeFpdus.ALWAYS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ready-to-receive");
    }

    @Test
    void shouldKeepTheRest_whenPolicyIsUnenhanced() {
        StartupPolicy policy = new StartupPolicy(2, false, true, true, ALL, 3, 4, LargeFpdus.ALWAYS);
        assertThat(policy.unenhanced())
                .isEqualTo(new StartupPolicy(1, false, true, false, ALL, 3, 4, LargeFpdus.NEVER));
        assertThat(policy.withLargeFpdus(LargeFpdus.NEVER))
                .isEqualTo(new StartupPolicy(2, false, true, true, ALL, 3, 4, LargeFpdus.NEVER));
    }

    /** RFC 5044 section 7.1.1: at most 512 bytes, our own block and offer included. */
    @ParameterizedTest
    @CsvSource({"false,0,512", "true,0,508", "true,1000,496", "false,1000,500"})
    void shouldRefusePrivateData_whenItDoesNotFit(boolean enhanced, int longest, int most) {
        EnhancedBlock block = enhanced ? new EnhancedBlock(true, ALL, 1, 1) : null;
        assertThat(new MpaFrame(false, false, true, false, block, 2, new byte[most], longest).emit())
                .hasSize(MpaFrame.HEADER_LENGTH + 512);
        assertThatThrownBy(() -> new MpaFrame(false, false, true, false, block, 2, new byte[most + 1], longest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most " + most);
    }

    @ParameterizedTest
    @CsvSource({"127,0", "128,128", "64768,64768", "64769,0"})
    void shouldFindOffer_whenItsLengthIsPossible(int longest, int found) {
        ByteBuffer data = ByteBuffer.allocate(3 + LargeUlpduOffer.LENGTH);
        LargeUlpduOffer.emit(data.position(3), longest);
        assertThat(LargeUlpduOffer.find(data.array())).isEqualTo(found);
        assertThat(LargeUlpduOffer.find(Arrays.copyOfRange(data.array(), 3, 15)))
                .isEqualTo(found);
        assertThat(LargeUlpduOffer.find(Arrays.copyOfRange(data.array(), 4, 15)))
                .isZero();
    }

    /** RFC 5044 section 5.1: what the peer said, or what fits a segment; never more than our own limit. */
    @ParameterizedTest
    @CsvSource({"0,64768,1454", "0,1000,1000", "5000,64768,5000", "5000,4000,4000"})
    void shouldChooseMulpdu_whenPeerSaidOneOrNot(int peer, int most, int expected) {
        Agreement agreement = new Agreement(true, true, false, true, Set.of(), 1, 1, peer, false);
        assertThat(agreement.mulpdu(1460, most)).isEqualTo(expected);
    }
}
