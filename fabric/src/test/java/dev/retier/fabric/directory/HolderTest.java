package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a holder says of parts that it does not have. */
class HolderTest {
    private static final NodeId SELF = new NodeId(3);
    private static final NodeId USER = new NodeId(1);
    private static final RegionRecord REGION = new RegionRecord(
            new RegionName("accounts"),
            7,
            RegionRecord.firstVersion(1),
            new Shape(4096, 4096),
            List.of(SELF),
            new RegionRecord.Rights(Permissions.ALL, Map.of()));

    private final Holder holder = new Holder(SELF, new NoMemory());

    @Test
    void shouldSayLost_whenItHasNeverHeardOfTheRegion() {
        assertThat(open()).isEqualTo(RegionFailure.LOST);
    }

    /** It restarted; the keeper found all parts lost and freed the region before the user's handle was opened anew. */
    @Test
    void shouldSayFreed_whenItWasToldSoOfARegionThatItDoesNotHold() {
        settle(REGION.freed());

        assertThat(open()).isEqualTo(RegionFailure.FREED);
    }

    @Test
    void shouldSayMoved_whenItWasToldOfAnotherHolder() {
        settle(REGION.moved(SELF, new NodeId(2)));

        assertThat(open()).isEqualTo(RegionFailure.MOVED);
    }

    private void settle(RegionRecord region) {
        assertThat(holder.handle(new NodeId(2), new RegionRequest.Settle(region)))
                .isEqualTo(new RegionAnswer.Done());
    }

    private RegionFailure open() {
        Reaction reaction = holder.handle(USER, new RegionRequest.Open(REGION.id(), 1, Permissions.ALL));
        assertThat(reaction).isInstanceOf(RegionAnswer.Refused.class);
        return ((RegionAnswer.Refused) reaction).failure();
    }

    private record NoMemory() implements PartRegistrar {
        @Override
        public Optional<PartKey> register(NodeId peer, PartId part, Permissions permissions) {
            throw new AssertionError("nothing is here to register");
        }

        @Override
        public void deregister(NodeId peer, PartKey key) {
            throw new AssertionError("nothing is registered");
        }

        @Override
        public void release(PartId part) {
            throw new AssertionError("nothing is here to release");
        }
    }
}
