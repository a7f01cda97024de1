package dev.retier.volume.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.volume.Volume.Extent;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final int SLOT = 0xFEDC;
    private static final Request REQUEST = new Request(
            Operation.WRITE,
            Request.BY_FORCE,
            0x1000,
            0x0102_0304_0506_0708L,
            0x2122_2324,
            0x8000_0001,
            0x1112_1314_1516_1718L);
    private static final Answer ANSWER =
            new Answer(Status.FENCED, 0x1112_1314_1516_1718L, 0x2122_2324, 0x8000_0001, 0x0102_0304_0506_0708L);
    private static final Grant GRANT = new Grant(new UUID(2, 3), new UUID(6, 7), 64, 0x1_0040, 0x5152_5354L, 4);

    private static ByteBuffer slot(String data) {
        ByteBuffer slot = ByteBuffer.allocate(Request.BYTES + 16);
        slot.put(Request.BYTES, HexFormat.of().parseHex(data));
        return slot;
    }

    private static ByteBuffer request() {
        ByteBuffer slot = slot("0a0b0c");
        REQUEST.encode(slot, SLOT, 3);
        return slot;
    }

    private static ByteBuffer answer() {
        ByteBuffer slot = slot("0a0b0c");
        ANSWER.encode(slot, SLOT, 3);
        return slot;
    }

    private static String hex(ByteBuffer from, int offset, int length) {
        byte[] bytes = new byte[length];
        from.get(offset, bytes);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void shouldLieWhereItIsSaid() {
        ByteBuffer request = request();
        assertThat(hex(request, 0, 16)).isEqualTo("0701dcfe00100000" + "0807060504030201");
        assertThat(hex(request, 16, 16)).isEqualTo("2423222101000080" + "1817161514131211");
        assertThat(hex(request, 32, 4)).isEqualTo("03000000");
        assertThat(hex(request, 40, 20)).isEqualTo("00".repeat(20));

        ByteBuffer answer = answer();
        assertThat(hex(answer, 0, 16)).isEqualTo("dcfe020003000000" + "1817161514131211");
        assertThat(hex(answer, 20, 16)).isEqualTo("01000080" + "0807060504030201" + "24232221");
        assertThat(hex(answer, 36, 24)).isEqualTo("00".repeat(24));

        assertThat(HexFormat.of().formatHex(GRANT.encode()))
                .isEqualTo("0200000000000000" + "0300000000000000" + "40000000" + "40000100" + "5453525100000000"
                        + "04000000" + "00000000" + "0600000000000000" + "0700000000000000");
    }

    @Test
    void shouldSayWhatWillNotBeNeeded() {
        ByteBuffer slot = slot("");
        Request hint = new Request(Operation.HINT, Request.NOT_NEEDED, 0x4000_0000, 0x0102_0304L, 5, 6, 7);
        hint.encode(slot, SLOT, 0);
        assertThat(hex(slot, 0, 16)).isEqualTo("1502dcfe00000040" + "0403020100000000");
        assertThat(Request.parse(slot, SLOT)).contains(hint);
    }

    @Test
    void shouldBeReadAsItWasWritten() {
        assertThat(Request.parse(request(), SLOT)).contains(REQUEST);
        assertThat(Request.data(request()).map(data -> hex(data, 0, data.remaining())))
                .contains("0a0b0c");
        assertThat(Request.dataBytes(request())).isEqualTo(3);
        assertThat(Answer.parse(answer(), SLOT)).contains(ANSWER);
        assertThat(Answer.data(answer()).map(data -> hex(data, 0, data.remaining())))
                .contains("0a0b0c");
        assertThat(Grant.parse(ByteBuffer.wrap(GRANT.encode()))).contains(GRANT);
        assertThat(Grant.parse(ByteBuffer.wrap(GRANT.encode(), 0, Grant.BYTES - 1)))
                .isEmpty();
        for (Operation operation : Operation.values()) {
            assertThat(Operation.of(operation.code())).contains(operation);
        }
        for (Status status : Status.values()) {
            assertThat(Status.of(status.code())).contains(status);
        }
    }

    private static ByteBuffer with(int at, int value) {
        ByteBuffer slot = request().put(at, (byte) value).order(ByteOrder.LITTLE_ENDIAN);
        return slot.putInt(60, Checksums.of(slot, 0, 60));
    }

    /** Of a later version, as its head says that it came as it was sent. */
    @Test
    void shouldSayWhatItDoesNotKnow_whenItCameAsItWasSent() {
        Request.Unknown operation = Request.unknown(with(0, 200), SLOT).orElseThrow();
        assertThat(operation.sequence()).isEqualTo(REQUEST.sequence());
        assertThat(operation.why())
                .isEqualTo("it asks for what this version of the server does not know: operation 200");
        Request.Unknown flag = Request.unknown(with(1, 0x89), SLOT).orElseThrow();
        assertThat(flag.why())
                .isEqualTo("it asks for what this version of the server does not know: flags 136 of WRITE");
        assertThat(Request.parse(with(0, 200), SLOT)).isEmpty();
        assertThat(Request.unknown(request(), SLOT)).as("known").isEmpty();
        assertThat(Request.unknown(with(0, 200), SLOT + 1))
                .as("of another slot")
                .isEmpty();
        for (int bit = 0; bit < Request.BYTES * 8; bit++) {
            assertThat(Request.unknown(flipped(with(0, 200), bit), SLOT))
                    .as("bit %d", bit)
                    .isEmpty();
        }
    }

    @Test
    void shouldBeRefused_whateverBitIsAnother() {
        for (int bit = 0; bit < Request.BYTES * 8; bit++) {
            assertThat(Request.parse(flipped(request(), bit), SLOT))
                    .as("bit %d", bit)
                    .isEmpty();
            assertThat(Answer.parse(flipped(answer(), bit), SLOT))
                    .as("bit %d", bit)
                    .isEmpty();
        }
        for (int bit = Request.BYTES * 8; bit < (Request.BYTES + 3) * 8; bit++) {
            assertThat(Request.data(flipped(request(), bit))).as("bit %d", bit).isEmpty();
            assertThat(Answer.data(flipped(answer(), bit))).as("bit %d", bit).isEmpty();
        }
        assertThat(Request.parse(request(), SLOT - 1)).as("in another slot").isEmpty();
        assertThat(Answer.parse(answer(), SLOT - 1)).as("in another slot").isEmpty();
    }

    private static ByteBuffer flipped(ByteBuffer bytes, int bit) {
        return bytes.put(bit / 8, (byte) (bytes.get(bit / 8) ^ 1 << bit % 8));
    }

    @Test
    void shouldNeverThrow_whateverComes() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[Request.BYTES + 16];
            random.nextBytes(bytes);
            ByteBuffer slot = ByteBuffer.wrap(bytes);
            assertThat(Request.parse(slot, SLOT)).isEmpty();
            assertThat(Request.data(slot)).isEmpty();
            assertThat(Request.dataBytes(slot)).isBetween(0, 16);
            assertThat(Answer.parse(slot, SLOT)).isEmpty();
            assertThat(Answer.data(slot)).isEmpty();
            var _ = Grant.parse(slot);
            var _ = Listing.all(slot);
            var _ = Details.parse(slot);
            var _ = Looked.parse(slot);
        }
    }

    @Test
    void shouldTellAsManyVolumesAsThereIsRoomFor() {
        ByteBuffer room = ByteBuffer.allocate(88);
        Listing first = new Listing(1, new VolumeName("accounts"), 1L << 40, -1, "db-1", 0, 3 << 20);
        Listing second = new Listing(2, new VolumeName("b"), 0, 0, "", 1, 0);
        assertThat(first.put(room)).isTrue();
        assertThat(second.put(room)).isTrue();
        assertThat(second.put(room)).isFalse();
        assertThat(Listing.all(room.flip())).contains(List.of(first, second));
        assertThat(Listing.all(room.limit(room.limit() - 1))).as("cut").isEmpty();
    }

    @Test
    void shouldTellAllOfAVolume_andAsManyReadersAsThereIsRoomFor() {
        Listing volume = new Listing(1, new VolumeName("accounts"), 1L << 40, -1, "db-1", 0, 5);
        ByteBuffer room = ByteBuffer.allocate(78);
        new Details(volume, 1, List.of("app-1", "app-2", "app-3")).put(room);
        assertThat(Details.parse(room.flip())).contains(new Details(volume, 1, List.of("app-1", "app-2")));
        assertThat(Details.parse(room.limit(room.limit() - 1))).as("cut").isEmpty();
        assertThat(Details.parse(room.putInt(56, Integer.MAX_VALUE)))
                .as("too many")
                .isEmpty();
    }

    @Test
    void shouldPrintWhatAClientIsCalled_whateverItSays() {
        assertThat(new ClientName("db-1 (\033[31mred)").value()).isEqualTo("db-1 (?[31mred)");
        assertThat(ClientName.of(ByteBuffer.allocate(300)).value()).isEqualTo("?".repeat(ClientName.MOST_BYTES));
    }

    @Test
    void shouldTellWhatWasLookedAt() {
        ByteBuffer room = ByteBuffer.allocate(100);
        Looked looked = new Looked(1L << 40, 1 << 20, List.of(7L, 1L << 33));
        looked.put(room);
        assertThat(Looked.parse(room.flip())).contains(looked);
        assertThat(hex(room, 0, 32)).isEqualTo("000000000001000000001000000000000700000000000000" + "0000000002000000");
        assertThat(Looked.parse(room.limit(31))).as("cut").isEmpty();
        assertThat(Looked.parse(room.limit(8))).as("cut").isEmpty();
        assertThat(Looked.parse(ByteBuffer.allocate(32))).as("goes nowhere").isEmpty();
        assertThat(Looked.parse(ByteBuffer.allocate(8192))).as("too many").isEmpty();
    }

    @Test
    void shouldTellPartsAndHoles() {
        ByteBuffer room = ByteBuffer.allocate(20);
        List<Extent> extents = List.of(new Extent(4096, true), new Extent(1L << 40, false), new Extent(1, true));
        Extents.put(extents, room);
        assertThat(Extents.all(room.flip())).isEqualTo(extents.subList(0, 2));
    }

    @Test
    void shouldRefuseWhatNoServerGrants() {
        UUID boot = new UUID(2, 3);
        assertThatThrownBy(() -> new Grant(boot, boot, 0, 4160, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Grant(boot, boot, 1, 64, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Grant(boot, boot, 1, Integer.MAX_VALUE, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
