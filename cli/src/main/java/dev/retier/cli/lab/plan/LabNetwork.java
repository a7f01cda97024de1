package dev.retier.cli.lab.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The commands of ip(8) that make the lab's network. Stateless. */
public final class LabNetwork {
    private static final String IP = "ip";
    private static final String NET = LabHost.BRIDGE_NAMESPACE;
    private static final String BRIDGE = "br0";
    private static final String OWN_END = "eth0";

    private LabNetwork() {}

    /** Every machine of a lab with so many nodes. */
    public static List<LabHost> hosts(int nodes) {
        return Stream.concat(
                        IntStream.rangeClosed(1, nodes).mapToObj(LabHost::node),
                        Stream.of(LabHost.edge(), LabHost.client()))
                .toList();
    }

    /** Makes all namespaces, and connects them by a bridge in one of their own. */
    public static List<List<String>> up(List<LabHost> hosts) {
        List<List<String>> commands = new ArrayList<>();
        commands.add(List.of(IP, "netns", "add", NET));
        commands.add(List.of(IP, "-n", NET, "link", "add", BRIDGE, "type", "bridge"));
        commands.add(List.of(IP, "-n", NET, "link", "set", BRIDGE, "up"));
        for (LabHost host : hosts) {
            String own = host.namespace();
            commands.add(List.of(IP, "netns", "add", own));
            commands.add(List.of(
                    IP,
                    "link",
                    "add",
                    "name",
                    OWN_END,
                    "netns",
                    own,
                    "type",
                    "veth",
                    "peer",
                    "name",
                    host.name(),
                    "netns",
                    NET));
            commands.add(List.of(IP, "-n", NET, "link", "set", host.name(), "master", BRIDGE, "up"));
            commands.add(List.of(IP, "-n", own, "addr", "add", host.address() + "/24", "dev", OWN_END));
            commands.add(List.of(IP, "-n", own, "link", "set", OWN_END, "up"));
            commands.add(List.of(IP, "-n", own, "link", "set", "lo", "up"));
        }
        return List.copyOf(commands);
    }

    /**
     * The namespaces of labs among those that {@code ip netns list} shows.
     *
     * @param listing a namespace per line, perhaps with more after its name
     */
    public static List<String> namespaces(String listing) {
        return listing.lines()
                .map(line -> line.split(" ", 2)[0])
                .filter(name -> name.startsWith(LabHost.PREFIX))
                .toList();
    }

    /** Removes a namespace, with the ends of all connections in it. */
    public static List<String> delete(String namespace) {
        return List.of(IP, "netns", "delete", namespace);
    }

    /** Lists all namespaces. */
    public static List<String> list() {
        return List.of(IP, "netns", "list");
    }
}
