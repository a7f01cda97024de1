package dev.retier.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster secret is replaced while nodes run, and while one is started anew at every step. */
class SecretRotationTest extends CellFixture {
    private static final String OLD = "the old secret of this cell";
    private static final String NEW = "the new secret of this cell";

    @TempDir
    private Path folder;

    private Node one;
    private Node two;

    @BeforeEach
    void openBoth() throws IOException {
        write(ONE, OLD);
        write(TWO, OLD);
        one = start(ONE);
        two = start(TWO);
        pass(1000);
    }

    private void write(NodeId node, String... secrets) throws IOException {
        Path file = folder.resolve(node.toString());
        Files.writeString(file, String.join("\n", secrets));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private Node start(NodeId node) {
        world.sourceAddress("127.0.0." + node.value());
        return new Node(node, SecretSource.fromFile(folder.resolve(node.toString())));
    }

    private void restart(NodeId node) {
        Node old = node.equals(ONE) ? one : two;
        old.keeper.close();
        nodes.remove(old);
        if (node.equals(ONE)) {
            one = start(ONE);
        } else {
            two = start(TWO);
        }
        pass(3000);
    }

    @Test
    void shouldKeepConnectionsAndMakeNewOnes_whenTheSecretIsReplacedStepByStep() throws IOException {
        List<String[]> steps = List.of(new String[] {OLD, NEW}, new String[] {NEW, OLD}, new String[] {NEW});
        for (String[] step : steps) {
            for (NodeId changed : List.of(ONE, TWO)) {
                List<Use> standing = new ArrayList<>(List.of(one.use(TWO), two.use(ONE)));
                write(changed, step);
                pass(3000);
                assertThat(List.of(one.use(TWO), two.use(ONE)))
                        .as("connections that stand")
                        .isEqualTo(standing);
                for (NodeId restarted : List.of(ONE, TWO)) {
                    restart(restarted);
                    assertThat(one.sees(TWO) && two.sees(ONE))
                            .as("%s has changed and %s is new", changed, restarted)
                            .isTrue();
                }
            }
        }
        assertThat(logged.warnings("does not prove the cluster secret")).isEmpty();
        assertThat(one.use(TWO).ready.terms().bySecondSecret()).isFalse();
    }

    @Test
    void shouldRefuseTheOldSecret_whenItWasTakenAway() throws IOException {
        write(ONE, NEW);
        pass(3000);
        assertThat(one.sees(TWO) && two.sees(ONE)).as("they stand").isTrue();
        restart(TWO);

        assertThat(one.sees(TWO) || two.sees(ONE)).isFalse();
        assertThat(one.count(LinkMetric.HANDSHAKES_REFUSED)).isPositive();
        write(TWO, NEW);
        pass(20_000);
        assertThat(one.sees(TWO) && two.sees(ONE))
                .as("a running node takes the new one")
                .isTrue();
    }
}
