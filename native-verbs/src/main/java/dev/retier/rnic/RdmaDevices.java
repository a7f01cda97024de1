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
     * @param problem why it cannot be used, with the remedy; empty if it can
     */
    public record Device(
            String name, List<RdmaPort> ports, boolean hasAtomics, int maxCompletions, int maxWork, String problem) {
        /** Keeps its own copy. */
        public Device {
            ports = List.copyOf(ports);
        }

        private static Device unusable(String name, IOException problem) {
            return new Device(name, List.of(), false, 0, 0, String.valueOf(problem.getMessage()));
        }
    }

    /**
     * All of them.
     *
     * @throws dev.retier.verbs.NoDeviceException if rdma-core is not there; the message says what to install
     * @throws IOException if they cannot be listed
     */
    public static List<Device> all() throws IOException {
        return all(Library.ofThisMachine(), new Interfaces());
    }

    /** Those that {@code library} knows, with addresses of {@code interfaces}. */
    static List<Device> all(Library library, Interfaces interfaces) throws IOException {
        return each(library, device -> device(library, interfaces, device));
    }

    /** The names of those that {@code library} has drivers for. */
    static List<String> names(Library library) throws IOException {
        return each(library, device -> Calls.text(Calls.call(library.getDeviceName, device)));
    }

    private interface Look<T> {
        T at(long device) throws IOException;
    }

    private static <T> List<T> each(Library library, Look<T> look) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
            long list = Calls.call(library.getDeviceList, count.address());
            if (list == 0) {
                throw library.failed("ibv_get_device_list");
            }
            try {
                int known = Math.min(MOST, count.get(ValueLayout.JAVA_INT, 0));
                MemorySegment addresses = Calls.at(list, (long) known * Long.BYTES);
                List<T> seen = new ArrayList<>();
                for (int index = 0; index < known; index++) {
                    seen.add(look.at(addresses.getAtIndex(ValueLayout.JAVA_LONG, index)));
                }
                return seen;
            } finally {
                Calls.call(library.freeDeviceList, list);
            }
        }
    }

    private static Device device(Library library, Interfaces interfaces, long device) {
        String name = Calls.text(Calls.call(library.getDeviceName, device));
        int transport = RdmaPort.transport(device);
        long context = Calls.call(library.openDevice, device);
        if (context == 0) {
            return Device.unusable(name, library.failed("ibv_open_device"));
        }
        try {
            RnicAttributes told = RnicAttributes.of(library, context, name);
            List<RdmaPort> ports = new ArrayList<>();
            for (int port = 1; port <= told.ports(); port++) {
                ports.add(RdmaPort.of(new RdmaPort.Place(library, context, port), transport, interfaces));
            }
            return new Device(name, ports, told.hasAtomics(), told.maxCompletions(), told.maxWork(), "");
        } catch (IOException e) {
            return Device.unusable(name, e);
        } finally {
            Calls.call(library.closeDevice, context);
        }
    }
}
