package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.testsupport.Seeded;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WireTest {
    private static final NodeId NODE = new NodeId(7);

    private static RegionRecord largest() {
        Map<NodeId, Permissions> grants = new HashMap<>();
        IntStream.rangeClosed(1, RegionRecord.Rights.MAX_GRANTS)
                .forEach(node -> grants.put(new NodeId(node), Permissions.ALL));
        Shape shape = Shape.over(RegionSpec.MAX_PARTS * RegionSpec.MAX_PART_BYTES, RegionSpec.MAX_PARTS);
        return new RegionRecord(
                new RegionName("x".repeat(RegionName.MAX_LENGTH)),
                -1,
                Long.MAX_VALUE,
                shape,
                Collections.nCopies(RegionSpec.MAX_PARTS, NODE),
                new RegionRecord.Rights(Permissions.NONE, grants));
    }

    private static List<RegionRequest> requests() {
        RegionRecord region = largest();
        List<PartKey> keys = IntStream.range(0, RegionSpec.MAX_PARTS)
                .mapToObj(index -> new PartKey(index, -index, index))
                .toList();
        return List.of(
                new RegionRequest.Create(region),
                new RegionRequest.LookUp(region.name()),
                new RegionRequest.Grant(region.name(), 1, NODE, Permissions.ALL),
                new RegionRequest.Move(region.name(), 1, NODE, NODE),
                new RegionRequest.Free(region.name(), 1),
                new RegionRequest.Report(Optional.of(region), Optional.of(region)),
                new RegionRequest.Report(Optional.empty(), Optional.of(region)),
                new RegionRequest.Reported(),
                new RegionRequest.Allocate(region, true, List.of(0, 255)),
                new RegionRequest.Seal(region, NODE),
                new RegionRequest.Fetch(region, NODE, keys),
                new RegionRequest.Settle(region),
                new RegionRequest.Open(1, 2, Permissions.ALL),
                new RegionRequest.Close(1, 2),
                new RegionRequest.Find(region.name()),
                new RegionRequest.Revoke(3, RegionFailure.MOVED));
    }

    @Test
    void shouldReadWhatItWrote_whenEverythingIsAsLargeAsCanBe() {
        assertThat(requests())
                .allSatisfy(request -> assertThat(DirectoryMessages.request(DirectoryMessages.emit(request)))
                        .contains(request));
        RegionAnswer refused = new RegionAnswer.Refused(RegionFailure.LOST, "why");
        assertThat(DirectoryMessages.answer(DirectoryMessages.emit(refused))).contains(refused);
    }

    @Test
    void shouldKeepTheFormat_whateverBecomesOfTheRecords() {
        RegionRecord region = new RegionRecord(
                new RegionName("a/b"),
                0x1122334455667788L,
                (3L << 32) + 4,
                new Shape(10_000, 4096),
                List.of(new NodeId(513), new NodeId(7), new NodeId(513)),
                new RegionRecord.Rights(Permissions.of(Permission.READ), Map.of(new NodeId(7), Permissions.ALL)));
        String record = "0003612f62112233445566778800000003000000040000000000002710000000000000100000030201000702010100"
                + "0100070f";
        assertThat(hex(DirectoryMessages.emit(
                        new RegionRequest.Grant(region.name(), 5, new NodeId(513), Permissions.ALL))))
                .isEqualTo("030003612f62000000000000000502010f");
        assertThat(hex(DirectoryMessages.emit(new RegionRequest.Allocate(region, true, List.of(0, 2)))))
                .isEqualTo("08" + record + "01000200000002");
        assertThat(hex(DirectoryMessages.emit(new RegionRequest.Report(Optional.of(region), Optional.empty()))))
                .isEqualTo("0601" + record + "00");
        assertThat(hex(DirectoryMessages.emit(new RegionRequest.Revoke(3, RegionFailure.MOVED))))
                .isEqualTo("0f000000000000000305");
        assertThat(hex(DirectoryMessages.emit(new RegionAnswer.Keys(List.of(new PartKey(2, -3, 0x01020304))))))
                .isEqualTo("4200010002fffffffffffffffd01020304");
        assertThat(hex(DirectoryMessages.emit(new RegionAnswer.Refused(RegionFailure.LOST, "why"))))
                .isEqualTo("430b0003776879");
    }

    private static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return HexFormat.of().formatHex(copy);
    }

    @Test
    void shouldRefuseAName_whenItIsOneThatNobodyShouldHave() {
        ByteBuffer bytes = DirectoryMessages.emit(new RegionRequest.LookUp(new RegionName("good")));
        bytes.put(3, (byte) '\n');
        assertThat(DirectoryMessages.request(bytes)).isEmpty();
    }

    @Seeded(tries = 300)
    void shouldRefuse_whenAMessageIsCutOrChanged(SplittableRandom random) {
        for (RegionRequest request : new ArrayList<>(requests())) {
            byte[] bytes = new byte[DirectoryMessages.emit(request).remaining()];
            DirectoryMessages.emit(request).get(bytes);
            assertThat(DirectoryMessages.request(ByteBuffer.wrap(bytes, 0, random.nextInt(bytes.length))))
                    .as("cut %s", request.getClass())
                    .isEmpty();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            DirectoryMessages.request(ByteBuffer.wrap(bytes))
                    .ifPresent(changed -> assertThat(DirectoryMessages.request(DirectoryMessages.emit(changed)))
                            .contains(changed));
        }
    }
}
