package dev.retier.bench;

import dev.retier.config.Fields;
import dev.retier.link.ReservedPorts;
import dev.retier.link.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import picocli.CommandLine.Option;

/** What carries the nodes that a measurement makes in its own process: a provider of verbs, and a device by address. */
public final class CarrierOption {
    @Option(
            names = "--transport",
            paramLabel = "KIND",
            description = "iwarp, or native: RDMA hardware, Soft-RoCE or siw (default: iwarp).")
    private Transport transport = Transport.IWARP;

    @Option(
            names = "--address",
            paramLabel = "IP",
            description = "Of all nodes; with native that of the device (default: the loopback address).")
    private InetAddress address = InetAddress.getLoopbackAddress();

    /** Options that say nothing: iWARP over loopback. */
    public CarrierOption() {}

    /** The provider. */
    public Transport transport() {
        return transport;
    }

    /** Where node {@code index} listens: at one of the ports, at the address of all. */
    public InetSocketAddress address(ReservedPorts ports, int index) {
        return new InetSocketAddress(address, ports.address(index).getPort());
    }

    /** The name of a record: that of each provider is its own. */
    public String record(String name) {
        return transport == Transport.IWARP ? name : name + "-" + word();
    }

    /** What the command of the record has for it. */
    public String words() {
        return (transport == Transport.IWARP ? "" : " --transport " + word())
                + (address.isLoopbackAddress() ? "" : " --address " + address.getHostAddress());
    }

    /** The same for readers. */
    public String sentence() {
        return transport == Transport.IWARP ? "software iWARP" : "the RDMA device of " + address.getHostAddress();
    }

    private String word() {
        return Fields.lowerCase(transport);
    }
}
