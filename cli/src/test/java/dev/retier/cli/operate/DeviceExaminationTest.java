package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.status.Finding;
import dev.retier.agent.status.Finding.Verdict;
import dev.retier.rnic.RdmaDevices.Device;
import dev.retier.rnic.RdmaPort;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeviceExaminationTest {
    private static ClusterConfig cluster(String address, String more) {
        return ClusterConfig.parse("""
                name: example
                secret-env: S
                journal-directory: /var/lib/retier
                %s
                sites: [{id: 1, name: shop, hosts: [shop.example], proxy-hold: 0s}]
                nodes:
                  - {id: 1, name: a, rdma: "RDMA:5", agent: "localhost:6", role: shop/proxy,
                     server: {address: "h:7", admin: "h:8", role-file: /a}}
                  - {id: 2, name: b, rdma: "10.9.0.2:15", agent: "localhost:16", role: shop/app,
                     server: {address: "h:17", admin: "h:18", role-file: /b}}
                witnesses: [a]
                """.replace("RDMA", address).formatted(more), "a file");
    }

    private static List<Finding> findings(String more, DevicesCommand.Devices devices) {
        return findings("10.9.0.1", more, devices);
    }

    private static List<Finding> findings(String address, String more, DevicesCommand.Devices devices) {
        ClusterConfig cluster = cluster(address, more);
        return DeviceExamination.of(cluster, cluster.nodes().getFirst(), ClusterLines.none(), devices);
    }

    private static Finding finding(String mode, boolean hasAtomics, String state, String address) {
        RdmaPort port = new RdmaPort(1, state, "RoCE", List.of(), List.of("fe80:0:0:0:0:0:0:1", address));
        Device device = new Device("rxe0", List.of(port), hasAtomics, 1, 1, "");
        return findings("transport: native\nmode: " + mode, () -> List.of(device))
                .getFirst();
    }

    @Test
    void shouldFindItsDevice_whenOneHasItsAddress() {
        assertThat(finding("act", true, "active", "10.9.0.1"))
                .isEqualTo(Finding.good("transport", "rxe0 port 1, RoCE, is active"));
        assertThat(finding("observe", false, "active", "10.9.0.1").verdict())
                .as("loads need no atomics")
                .isEqualTo(Verdict.GOOD);
    }

    @Test
    void shouldNameWhatIsMissing_whenTheAgentWouldNotStart() {
        assertThat(finding("act", true, "active", "10.9.0.7"))
                .isEqualTo(Finding.bad(
                        "transport",
                        "no RDMA device has 10.9.0.1",
                        "nodes.a.rdma",
                        "name one that a device has: fe80:0:0:0:0:0:0:1, 10.9.0.7"));
        assertThat(finding("act", true, "down", "10.9.0.1").detail()).isEqualTo("rxe0 port 1 is down");
        assertThat(finding("act", false, "active", "10.9.0.1"))
                .isEqualTo(Finding.bad(
                        "transport",
                        "rxe0 port 1 has no atomics, by which locks are had and orders given",
                        "mode",
                        "take another device, or mode: recommend"));
        Device broken = new Device("mlx5_0", List.of(), false, 0, 0, "ibv_open_device: Permission denied");
        assertThat(findings("transport: native", () -> List.of(broken))
                        .getFirst()
                        .detail())
                .isEqualTo("no RDMA device has 10.9.0.1 (ibv_open_device: Permission denied)");
        assertThat(findings("transport: native", () -> {
                            throw new IOException("install libibverbs1");
                        })
                        .getFirst())
                .isEqualTo(Finding.bad(
                        "transport",
                        "install libibverbs1",
                        "transport",
                        "as it says, or transport: iwarp for all nodes"));
    }

    /** As RoCE's are told, without the scope that a configuration needs. */
    @Test
    void shouldFindItsDevice_whenTheAddressIsOfIpv6() {
        RdmaPort port = new RdmaPort(1, "active", "RoCE", List.of(), List.of("2001:db8:0:0:0:0:0:1"));
        Device device = new Device("rxe0", List.of(port), true, 1, 1, "");
        assertThat(findings("[2001:db8::1]", "transport: native", () -> List.of(device))
                        .getFirst()
                        .isBad())
                .isFalse();
    }

    /** librdmacm takes one of them. */
    @Test
    void shouldFindItsDevice_whenAnotherWithTheAddressCannotDoIt() {
        RdmaPort port = new RdmaPort(1, "active", "iWARP", List.of(), List.of("10.9.0.1"));
        Device siw = new Device("siw0", List.of(port), false, 1, 1, "");
        Device rxe = new Device("rxe0", List.of(port), true, 1, 1, "");
        assertThat(findings("transport: native\nmode: act", () -> List.of(siw, rxe))
                        .getFirst()
                        .detail())
                .startsWith("rxe0");
        assertThat(findings("transport: native\nmode: act", List::of).getFirst().remedy())
                .isEqualTo("give the interface of a device that address; see retier devices");
    }

    @Test
    void shouldLookAtNoDevice_whenTheTransportNeedsNone() {
        assertThat(findings("transport: iwarp", () -> {
                    throw new IOException("nobody asks");
                }))
                .isEmpty();
    }
}
