package dev.retier.rnic;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A port of an RDMA device.
 *
 * @param number from 1
 * @param state as the kernel calls it
 * @param protocol InfiniBand, RoCE or iWARP; unknown for any other
 * @param gids its global identifiers (InfiniBand Architecture section 4.1.1) that are set, in order of index, in the
 *     form of IPv6 addresses
 * @param addresses IP addresses by which librdmacm finds it, so at which a program can listen
 */
public record RdmaPort(int number, String state, String protocol, List<String> gids, List<String> addresses) {
    private static final int MOST_GIDS = 1024;
    private static final int GID_BYTES = 16;
    private static final int MAC_BYTES = 6;
    private static final int TRANSPORT_IB = 0;
    private static final int TRANSPORT_IWARP = 1;
    private static final int LAYER_INFINIBAND = 1;
    private static final int LAYER_ETHERNET = 2;
    private static final String INFINIBAND = "InfiniBand";
    private static final String ROCE = "RoCE";
    private static final String IWARP = "iWARP";
    private static final String ACTIVE = "active";

    /** Keeps its own copies. */
    public RdmaPort {
        gids = List.copyOf(gids);
        addresses = List.copyOf(addresses);
    }

    /** Whether it carries traffic. */
    public boolean isActive() {
        return state.equals(ACTIVE);
    }

    /** Port {@code number} of the device whose context is at {@code context}. */
    record Place(Library library, long context, int number) {}

    /** What is said of {@code place}, which is on a device of that {@code transport}. */
    static RdmaPort of(Place place, int transport, Interfaces interfaces) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(Layouts.PORT_ATTR);
            Library library = place.library();
            int errno = (int) Calls.call(library.queryPort, place.context(), place.number(), attributes.address());
            if (errno != 0) {
                throw library.failed("ibv_query_port " + place.number(), errno);
            }
            int state = attributes.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.PORT_ATTR, "state"));
            int layer = attributes.get(ValueLayout.JAVA_BYTE, Layouts.at(Layouts.PORT_ATTR, "link_layer"));
            int table = attributes.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.PORT_ATTR, "gid_tbl_len"));
            List<byte[]> gids = gids(place, Math.min(MOST_GIDS, table), arena.allocate(GID_BYTES));
            String protocol = protocol(transport, layer);
            List<String> texts = new ArrayList<>();
            List<String> addresses = new ArrayList<>();
            for (byte[] gid : gids) {
                texts.add(Inet6Address.getByAddress(null, gid, -1).getHostAddress());
                addresses.addAll(addresses(protocol, gid, interfaces));
            }
            return new RdmaPort(
                    place.number(),
                    state(state),
                    protocol,
                    texts,
                    addresses.stream().distinct().toList());
        }
    }

    /** The transport of the device at {@code device}. */
    static int transport(long device) {
        return Calls.at(device, Layouts.size(Layouts.DEVICE))
                .get(ValueLayout.JAVA_INT, Layouts.at(Layouts.DEVICE, "transport_type"));
    }

    /** Whether that is the transport of iWARP devices. */
    static boolean isIwarp(int transport) {
        return transport == TRANSPORT_IWARP;
    }

    private static List<byte[]> gids(Place place, int table, MemorySegment into) {
        List<byte[]> set = new ArrayList<>();
        for (int index = 0; index < table; index++) {
            // One that is not in use may be an error: drivers differ.
            if ((int) Calls.call(place.library().queryGid, place.context(), place.number(), index, into.address())
                    == 0) {
                byte[] gid = into.toArray(ValueLayout.JAVA_BYTE);
                if (!Arrays.equals(gid, new byte[GID_BYTES])) {
                    set.add(gid);
                }
            }
        }
        return set;
    }

    /**
     * RoCE's are IP addresses, or made of a hardware address where there is none; InfiniBand's end that of IPoIB,
     * iWARP's begin with that of Ethernet.
     */
    private static List<String> addresses(String protocol, byte[] gid, Interfaces interfaces) throws IOException {
        return switch (protocol) {
            case ROCE -> interfaces.with(InetAddress.getByAddress(gid));
            case INFINIBAND -> interfaces.endingWith(gid);
            case IWARP -> interfaces.endingWith(Arrays.copyOf(gid, MAC_BYTES));
            default -> List.of();
        };
    }

    private static String protocol(int transport, int layer) {
        return switch (transport) {
            case TRANSPORT_IWARP -> IWARP;
            case TRANSPORT_IB -> layer == LAYER_INFINIBAND ? INFINIBAND : layer == LAYER_ETHERNET ? ROCE : "unknown";
            default -> "unknown";
        };
    }

    private static String state(int state) {
        return switch (state) {
            case 1 -> "down";
            case 2 -> "initializing";
            case 3 -> "armed";
            case 4 -> ACTIVE;
            case 5 -> "active, deferred";
            default -> "unknown";
        };
    }
}
