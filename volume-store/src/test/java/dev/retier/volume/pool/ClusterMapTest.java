package dev.retier.volume.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.Volume;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClusterMapTest {
    /** Of the largest volume, 16 billion: whoever looks at each by itself takes many minutes. */
    private static final long CLUSTERS = Volume.MOST_BYTES / Geometry.DEFAULT.clusterBytes();

    private static List<Long> places(ClusterMap map, long first, long end) {
        List<Long> found = new ArrayList<>();
        map.forEachPlace(first, end, found::add);
        return found;
    }

    @Test
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldTakeNoTime_forWhatHoldsNothing() {
        ClusterMap map = new ClusterMap();
        map.put(3, 30);
        map.put(CLUSTERS - 1, 40);

        assertThat(places(map, 0, CLUSTERS)).containsExactly(30L, 40L);
        assertThat(places(map, 0, Long.MAX_VALUE)).containsExactly(30L, 40L);
        assertThat(places(map, 4, CLUSTERS - 1)).isEmpty();
        assertThat(places(map, 3, 4)).containsExactly(30L);
        assertThat(places(map, CLUSTERS - 1, CLUSTERS)).containsExactly(40L);
        assertThat(places(map, CLUSTERS, Long.MAX_VALUE)).isEmpty();
        assertThat(map.next(4, CLUSTERS)).isEqualTo(CLUSTERS - 1);
        assertThat(map.hasAny(4, CLUSTERS - 1)).isFalse();
    }
}
