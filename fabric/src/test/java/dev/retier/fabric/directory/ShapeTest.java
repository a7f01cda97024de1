package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import dev.retier.testsupport.Seeded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShapeTest {
    @Seeded(tries = 200)
    void shouldCoverEveryByteOnce(SplittableRandom random) {
        long length = random.nextLong(1, 1L << random.nextInt(1, 38));
        Shape shape = Shape.over(length, random.nextInt(1, 9));
        long sum = 0;
        for (int i = 0; i < shape.parts(); i++) {
            assertThat(shape.partOf(sum)).isEqualTo(i);
            sum += shape.lengthOf(i);
            assertThat(shape.partOf(sum - 1)).isEqualTo(i);
        }
        assertThat(sum).isEqualTo(length);
    }

    @Test
    void shouldSpreadNamesEvenlyAndKeepMost_whenANodeJoins() {
        List<NodeId> four = IntStream.rangeClosed(1, 4).mapToObj(NodeId::new).toList();
        List<NodeId> five = IntStream.rangeClosed(1, 5).mapToObj(NodeId::new).toList();
        Map<NodeId, Integer> kept = new HashMap<>();
        int moved = 0;
        for (int i = 0; i < 10_000; i++) {
            RegionName name = new RegionName("name-" + i);
            NodeId keeper = new Names(four).keeperOf(name);
            kept.merge(keeper, 1, Integer::sum);
            NodeId later = new Names(five).keeperOf(name);
            moved += later.equals(keeper) ? 0 : 1;
            assertThat(later).isIn(keeper, new NodeId(5));
        }
        assertThat(kept.values()).allMatch(count -> count > 2200 && count < 2800);
        assertThat(moved).isBetween(1700, 2300);
    }
}
