package dev.retier.cli.lab.plan;

/**
 * One machine of the lab: a network namespace with one address. All namespaces begin with {@link #PREFIX}, and all
 * addresses are in a network that no other namespace sees.
 *
 * @param name unique, at most 12 letters, digits and dashes
 * @param address IPv4
 */
public record LabHost(String name, String address) {
    /** With what every namespace of a lab begins. */
    public static final String PREFIX = "retier-lab-";

    /** The namespace with the bridge; it has no address and no way out. */
    public static final String BRIDGE_NAMESPACE = PREFIX + "net";

    private static final String NETWORK = "10.77.0.";
    private static final int EDGE = 250;
    private static final int CLIENT = 251;

    /** Node {@code number}, from 1. */
    public static LabHost node(int number) {
        return new LabHost("node-" + number, NETWORK + number);
    }

    /** Where HAProxy stands before the proxies. */
    public static LabHost edge() {
        return new LabHost("edge", NETWORK + EDGE);
    }

    /** Where load comes from. */
    public static LabHost client() {
        return new LabHost("client", NETWORK + CLIENT);
    }

    /** Its network namespace. */
    public String namespace() {
        return PREFIX + name;
    }
}
