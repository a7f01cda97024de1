package dev.retier.cli.operate;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.RdmaTransport;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.status.Finding;
import dev.retier.rnic.RdmaDevices.Device;
import dev.retier.rnic.RdmaPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether a node whose transport is {@code native} has the RDMA device that its address names. Stateless. */
final class DeviceExamination {
    private static final String CHECK = "transport";

    private DeviceExamination() {}

    /** One finding; none where the transport needs no device. */
    static List<Finding> of(
            ClusterConfig cluster, NodeConfig node, ClusterLines lines, DevicesCommand.Devices devices) {
        if (cluster.transport() != RdmaTransport.NATIVE) {
            return List.of();
        }
        try {
            return List.of(finding(cluster, node, lines, devices.all()));
        } catch (UnknownHostException e) {
            return List.of(Finding.unknown(
                    CHECK, "host " + node.rdma().host() + " of its rdma address does not resolve here"));
        } catch (IOException e) {
            return List.of(Finding.bad(
                    CHECK,
                    String.valueOf(e.getMessage()),
                    lines.at("transport"),
                    "as it says, or transport: iwarp for all nodes"));
        }
    }

    private static Finding finding(ClusterConfig cluster, NodeConfig node, ClusterLines lines, List<Device> devices)
            throws UnknownHostException {
        Set<String> wanted = Stream.of(InetAddress.getAllByName(node.rdma().host()))
                .map(InetAddress::getHostAddress)
                .collect(Collectors.toSet());
        String key = lines.at("nodes." + node.name() + ".rdma");
        for (Device device : devices) {
            for (RdmaPort port : device.ports()) {
                if (port.addresses().stream().anyMatch(wanted::contains)) {
                    return ofPort(cluster, lines, device, port);
                }
            }
        }
        String addresses = devices.stream()
                .flatMap(device -> device.ports().stream())
                .flatMap(port -> port.addresses().stream())
                .collect(Collectors.joining(", "));
        String broken = devices.stream()
                .map(Device::problem)
                .filter(problem -> !problem.isEmpty())
                .collect(Collectors.joining("; "));
        return Finding.bad(
                CHECK,
                "no RDMA device has " + node.rdma().host() + (broken.isEmpty() ? "" : " (" + broken + ")"),
                key,
                addresses.isEmpty()
                        ? "give the interface of a device that address; see retier devices"
                        : "name one that a device has: " + addresses);
    }

    private static Finding ofPort(ClusterConfig cluster, ClusterLines lines, Device device, RdmaPort port) {
        String name = device.name() + " port " + port.number();
        if (!port.isActive()) {
            return Finding.bad(
                    CHECK,
                    name + " is " + port.state(),
                    lines.at("transport"),
                    "bring its link up; see retier devices");
        }
        return device.hasAtomics() || cluster.mode() != Mode.ACT
                ? Finding.good(CHECK, name + ", " + port.protocol() + ", is active")
                : Finding.bad(
                        CHECK,
                        name + " has no atomics, by which locks are had and orders given",
                        lines.at("mode"),
                        "take another device, or mode: recommend");
    }
}
