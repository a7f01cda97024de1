package dev.retier.cli.operate;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.status.Finding;
import dev.retier.link.Transport;
import dev.retier.rnic.RdmaDevices.Device;
import dev.retier.rnic.RdmaPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether a node whose transport is {@code native} has the RDMA device that its address names. Stateless. */
final class DeviceExamination {
    private static final String CHECK = "transport";

    private DeviceExamination() {}

    /** One finding; none where the transport needs no device. */
    static List<Finding> of(
            ClusterConfig cluster, NodeConfig node, ClusterLines lines, DevicesCommand.Devices devices) {
        if (cluster.transport() != Transport.NATIVE) {
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
        // The first one of a name that has several, as the agent takes it.
        InetAddress wanted = InetAddress.getByName(node.rdma().host());
        List<Finding> found = new ArrayList<>();
        for (Device device : devices) {
            for (RdmaPort port : device.ports()) {
                if (has(port, wanted)) {
                    found.add(ofPort(cluster, lines, device, port));
                }
            }
        }
        // librdmacm chooses among several.
        Optional<Finding> best = found.stream().min(Comparator.comparing(Finding::isBad));
        if (best.isPresent()) {
            return best.get();
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
                lines.at("nodes." + node.name() + ".rdma"),
                addresses.isEmpty()
                        ? "give the interface of a device that address; see retier devices"
                        : "name one that a device has: " + addresses);
    }

    /** Whatever scope either is written with: of a link-local address the bytes count. */
    private static boolean has(RdmaPort port, InetAddress wanted) throws UnknownHostException {
        for (String address : port.addresses()) {
            if (InetAddress.getByName(address.replaceFirst("%.*", "")).equals(wanted)) {
                return true;
            }
        }
        return false;
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
