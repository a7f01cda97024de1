package dev.retier.rnic;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** The RDMA devices of this machine, for people. Stateless. */
public final class RdmaDevices {
    private static final int MOST = 256;

    private RdmaDevices() {}

    /**
     * A device.
     *
     * @param name such as {@code mlx5_0}
     * @param ports in order of number
     * @param hasAtomics whether it does compare-and-swap and fetch-and-add
     * @param maxCompletions entries of a completion queue
     * @param maxWork work requests of a queue
     * @param problem why it cannot be opened; empty if it can
     */
    public record Device(
            String name, List<Port> ports, boolean hasAtomics, int maxCompletions, int maxWork, String problem) {
        /** Keeps its own copy. */
        public Device {
            ports = List.copyOf(ports);
        }
    }

    /**
     * A port of it.
     *
     * @param number from 1
     * @param state as the kernel calls it
     * @param linkLayer InfiniBand or Ethernet
     */
    public record Port(int number, String state, String linkLayer) {}

    /**
     * All of them.
     *
     * @throws IOException if rdma-core is not there; the message says what to install
     */
    public static List<Device> all() throws IOException {
        return all(Library.ofThisMachine());
    }

    /** Those that {@code library} knows. */
    static List<Device> all(Library library) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            long list = Calls.call(library.getDeviceList, count.address());
            if (list == 0) {
                throw library.failed("ibv_get_device_list");
            }
            try {
                int known = Math.min(MOST, count.get(ValueLayout.JAVA_INT, 0));
                MemorySegment addresses = Calls.at(list, (long) known * Long.BYTES);
                List<Device> devices = new ArrayList<>();
                for (int index = 0; index < known; index++) {
                    devices.add(device(library, addresses.getAtIndex(ValueLayout.JAVA_LONG, index)));
                }
                return devices;
            } finally {
                Calls.call(library.freeDeviceList, list);
            }
        }
    }

    private static Device device(Library library, long device) {
        String name = Calls.text(Calls.call(library.getDeviceName, device));
        long context = Calls.call(library.openDevice, device);
        if (context == 0) {
            String problem = String.valueOf(library.failed("ibv_open_device").getMessage());
            return new Device(name, List.of(), false, 0, 0, problem);
        }
        try {
            RnicContext opened = RnicContext.at(library, context);
            List<Port> ports = new ArrayList<>();
            for (int port = 1; port <= opened.ports(); port++) {
                ports.add(port(library, context, port));
            }
            return new Device(name, ports, opened.hasAtomics(), opened.maxCompletions(), opened.maxWork(), "");
        } catch (IOException e) {
            return new Device(name, List.of(), false, 0, 0, String.valueOf(e.getMessage()));
        } finally {
            Calls.call(library.closeDevice, context);
        }
    }

    private static Port port(Library library, long context, int number) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(Layouts.PORT_ATTR);
            int errno = (int) Calls.call(library.queryPort, context, number, attributes.address());
            if (errno != 0) {
                throw library.failed("ibv_query_port " + number, errno);
            }
            int state = attributes.get(ValueLayout.JAVA_INT, Layouts.at(Layouts.PORT_ATTR, "state"));
            int layer = attributes.get(ValueLayout.JAVA_BYTE, Layouts.at(Layouts.PORT_ATTR, "link_layer"));
            return new Port(number, state(state), layer == 1 ? "InfiniBand" : layer == 2 ? "Ethernet" : "unknown");
        }
    }

    private static String state(int state) {
        return switch (state) {
            case 1 -> "down";
            case 2 -> "initializing";
            case 3 -> "armed";
            case 4 -> "active";
            case 5 -> "active, deferred";
            default -> "unknown";
        };
    }
}
