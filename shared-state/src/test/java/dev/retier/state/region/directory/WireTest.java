package dev.retier.state.region.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.state.NodeId;
import dev.retier.state.region.Permissions;
import dev.retier.state.region.RegionFailure;
import dev.retier.state.region.RegionName;
import dev.retier.state.region.RegionSpec;
import dev.retier.testsupport.Seeded;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
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
        Shape shape = Shape.over(RegionSpec.MAX_EXTENTS * RegionSpec.MAX_EXTENT_BYTES, RegionSpec.MAX_EXTENTS);
        return new RegionRecord(
                new RegionName("x".repeat(RegionName.MAX_LENGTH)),
                -1,
                Long.MAX_VALUE,
                shape,
                Collections.nCopies(RegionSpec.MAX_EXTENTS, NODE),
                new RegionRecord.Rights(Permissions.NONE, grants));
    }

    private static List<Request> requests() {
        RegionRecord region = largest();
        List<ExtentKey> keys = IntStream.range(0, RegionSpec.MAX_EXTENTS)
                .mapToObj(index -> new ExtentKey(index, -index, index))
                .toList();
        return List.of(
                new Request.Create(region),
                new Request.LookUp(region.name()),
                new Request.Grant(region.name(), 1, NODE, Permissions.ALL),
                new Request.Move(region.name(), 1, NODE, NODE),
                new Request.Free(region.name(), 1),
                new Request.Report(Optional.of(region), Optional.of(region)),
                new Request.Report(Optional.empty(), Optional.of(region)),
                new Request.Reported(),
                new Request.Allocate(region, List.of(0, 255), true),
                new Request.Seal(region, NODE),
                new Request.Fetch(region, NODE, keys),
                new Request.Settle(region),
                new Request.Open(1, 2, Permissions.ALL),
                new Request.Close(1, 2),
                new Request.Find(region.name()),
                new Request.Revoke(3, RegionFailure.MOVED));
    }

    @Test
    void shouldReadWhatItWrote_whenEverythingIsAsLargeAsCanBe() {
        assertThat(requests())
                .allSatisfy(
                        request -> assertThat(Wire.request(Wire.emit(request))).contains(request));
        Answer refused = new Answer.Refused(RegionFailure.LOST, "why");
        assertThat(Wire.answer(Wire.emit(refused))).contains(refused);
    }

    @Test
    void shouldRefuseAName_whenItIsOneThatNobodyShouldHave() {
        ByteBuffer bytes = Wire.emit(new Request.LookUp(new RegionName("good")));
        bytes.put(3, (byte) '\n');
        assertThat(Wire.request(bytes)).isEmpty();
    }

    @Seeded(tries = 300)
    void shouldRefuse_whenAMessageIsCutOrChanged(SplittableRandom random) {
        for (Request request : new ArrayList<>(requests())) {
            byte[] bytes = new byte[Wire.emit(request).remaining()];
            Wire.emit(request).get(bytes);
            assertThat(Wire.request(ByteBuffer.wrap(bytes, 0, random.nextInt(bytes.length))))
                    .as("cut %s", request.getClass())
                    .isEmpty();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            Wire.request(ByteBuffer.wrap(bytes))
                    .ifPresent(changed ->
                            assertThat(Wire.request(Wire.emit(changed))).contains(changed));
        }
    }
}
