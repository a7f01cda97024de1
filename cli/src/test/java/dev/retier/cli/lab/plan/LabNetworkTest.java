package dev.retier.cli.lab.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LabNetworkTest {
    @Test
    void shouldMakeEveryLinkInANamespaceOfTheLab() {
        List<List<String>> commands = LabNetwork.up(LabNetwork.hosts(3));

        assertThat(commands)
                .allSatisfy(command ->
                        assertThat(String.join(" ", command)).startsWith("ip ").contains(LabHost.PREFIX));
        assertThat(commands)
                .contains(List.of("ip", "-n", "retier-lab-node-3", "addr", "add", "10.77.0.3/24", "dev", "eth0"));
    }

    @Test
    void shouldFindItsOwnNamespacesOnly() {
        assertThat(LabNetwork.namespaces("retier-lab-node-1 (id: 3)\nother\nretier-lab-net\n"))
                .containsExactly("retier-lab-node-1", "retier-lab-net");
    }
}
