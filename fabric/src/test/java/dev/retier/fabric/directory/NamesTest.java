package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.retier.link.NodeId;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamesTest {
    private static final Names SEVEN =
            new Names(IntStream.rangeClosed(1, 7).mapToObj(NodeId::new).toList());

    /** The numbers are those of a second program: nodes of another version must find the same keeper. */
    @Test
    void shouldFindTheKeeperThatEveryVersionFinds_whenANameIsGiven() {
        assertThat(keepers(SEVEN, "accounts", "accounts/0", "accounts/1", "accounts/2", "carts", "sessions/eu"))
                .containsExactly(1, 6, 2, 7, 3, 2);
        assertThat(IntStream.range(0, 20).mapToObj(i -> keepers(SEVEN, "n/" + i).getFirst()))
                .containsExactly(6, 3, 1, 1, 4, 1, 3, 2, 7, 3, 7, 4, 2, 6, 4, 2, 1, 5, 5, 7);
    }

    @Test
    void shouldKeepOrderAndCountOnce_whenNodesAreGivenInAnotherOrder() {
        Names names = new Names(List.of(new NodeId(3), new NodeId(1), new NodeId(3)));
        assertThat(names.nodes()).containsExactly(new NodeId(1), new NodeId(3));
        assertThatIllegalArgumentException().isThrownBy(() -> new Names(List.of()));
    }

    private static List<Integer> keepers(Names names, String... asked) {
        return Stream.of(asked)
                .map(name -> names.keeperOf(new RegionName(name)).value())
                .toList();
    }
}
