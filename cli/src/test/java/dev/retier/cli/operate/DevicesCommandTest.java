package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.rnic.RdmaDevices;
import dev.retier.rnic.RdmaPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DevicesCommandTest {
    private static final RdmaPort UP = new RdmaPort(
            1, "active", "RoCE", List.of("0:0:0:0:0:ffff:a09:1"), List.of("10.9.0.1", "fe80:0:0:0:0:0:0:1"));

    private static RdmaDevices.Device device(String name, boolean hasAtomics, RdmaPort... ports) {
        return new RdmaDevices.Device(name, List.of(ports), hasAtomics, 32_767, 1024, "");
    }

    private static final List<RdmaDevices.Device> DEVICES = List.of(
            device("mlx5_0", true, UP, new RdmaPort(2, "down", "InfiniBand", List.of(), List.of())),
            device("siw0", false, new RdmaPort(1, "active", "iWARP", List.of("a:b::"), List.of("10.0.2.15"))),
            device("rxe0", true, new RdmaPort(1, "active", "RoCE", List.of(), List.of())),
            new RdmaDevices.Device("mlx5_1", List.of(), false, 0, 0, "ibv_open_device: Permission denied"));

    private static String run(String... words) {
        StringWriter out = new StringWriter();
        CommandLine command = new CommandLine(new DevicesCommand(() -> DEVICES))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(out, true));
        assertThat(command.execute(words)).isZero();
        return out.toString();
    }

    @Test
    void shouldSayWhatCanBeDoneOnEachPort_whenThereAreSome() {
        List<String> lines = run().lines().toList();

        assertThat(lines).hasSize(6);
        assertThat(lines.get(1))
                .startsWith("mlx5_0")
                .contains("10.9.0.1 fe80:0:0:0:0:0:0:1", "yes")
                .endsWith("everything");
        assertThat(lines.get(2)).endsWith("nothing: the port is down");
        assertThat(lines.get(3)).contains("iWARP", "10.0.2.15").endsWith("no moves and no fabric");
        assertThat(lines.get(4)).endsWith("nothing: it has no IP address, by which connections are made");
        assertThat(lines.get(5)).endsWith("nothing: ibv_open_device: Permission denied");
    }

    @Test
    void shouldTellTheIdentifiersToo_whenAProgramReadsIt() {
        JsonNode rows = JsonMapper.shared().readTree(run("-o", "json"));
        assertThat(rows.size()).isEqualTo(5);
        assertThat(rows.path(0).path("gids").asString()).isEqualTo("0:0:0:0:0:ffff:a09:1");
        assertThat(rows.path(0).path("max_completions").asInt()).isEqualTo(32_767);
        assertThat(rows.path(2).path("atomics").asString()).isEqualTo("no");
        assertThat(run("-o", "csv"))
                .startsWith("device,port,protocol,state,addresses,atomics,max_completions,max_work,gids,use\n");
    }

    @Test
    void shouldSayWhereToGetOne_whenThereIsNone() {
        assertThatThrownBy(() -> new DevicesCommand(List::of).call())
                .isInstanceOfSatisfying(
                        CommandFailure.class,
                        failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.FAILED))
                .hasMessageContaining("rdma link add rxe0 type rxe");
        assertThatThrownBy(() -> new DevicesCommand(() -> {
                            throw new IOException("install libibverbs1");
                        })
                        .call())
                .isInstanceOf(CommandFailure.class)
                .hasMessage("install libibverbs1");
    }
}
