package dev.retier.fabric.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.Caller;
import dev.retier.fabric.MemoryAccess;
import dev.retier.fabric.Registration;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionRequest;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DirectoryDriverTest {
    private static final RegionRequest LOOK_UP = new RegionRequest.LookUp(new RegionName("orders"));

    private final MemoryRegions cell = new MemoryRegions(1);

    @AfterEach
    void close() {
        cell.close();
    }

    @Test
    void shouldKeepTheNewConnection_whenARequestOfTheOldOneComesLate() {
        Regions regions = cell.at(1);
        ByHand fresh = new ByHand(true);
        regions.cores.answer(fresh, LOOK_UP).join();
        assertThat(regions.memory.isConnected(fresh)).isTrue();

        assertThat(regions.cores.answer(new ByHand(false), LOOK_UP).join().isRefusal(RegionFailure.NODE_UNREACHABLE))
                .isTrue();
        assertThat(regions.memory.isConnected(fresh)).isTrue();
    }

    /** A connection of node 2; one is not another, so it is no record. */
    private static final class ByHand implements Caller {
        private final boolean open;

        ByHand(boolean open) {
            this.open = open;
        }

        @Override
        public NodeId node() {
            return MemoryRegions.node(2);
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public Registration register(MemorySegment memory, Set<MemoryAccess> access) throws IOException {
            throw new IOException("nothing is registered");
        }

        @Override
        public void whenOver(Runnable action) {
            // It never changes.
        }
    }
}
