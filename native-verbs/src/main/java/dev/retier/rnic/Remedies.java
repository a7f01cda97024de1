package dev.retier.rnic;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What people may do about a call that failed. Stateless. */
final class Remedies {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int ENODEV = 19;
    static final int ENOSYS = 38;
    static final int EADDRNOTAVAIL = 99;

    /** The call that opens {@code /dev/infiniband/rdma_cm}, the first of every program. */
    static final String EVENT_CHANNEL = "rdma_create_event_channel";

    private static final Path LIMITS = Path.of("/proc/self/limits");

    private Remedies() {}

    /**
     * Whether a driver or a right is lacking, so that to try again does not help. An address that no device has may
     * come while a machine starts.
     */
    static boolean isLacking(String what, int errno) {
        return switch (errno) {
            case EPERM, ENOENT, EACCES, ENOSYS -> true;
            case ENODEV -> what.equals(EVENT_CHANNEL);
            default -> false;
        };
    }

    /** To be put behind the system's words; empty if there is nothing to say. */
    static String of(String what, int errno) {
        return switch (errno) {
            case ENOMEM, EAGAIN ->
                what.startsWith("ibv_reg_mr")
                        ? memory()
                        : "; the device may have no more of these, or RLIMIT_MEMLOCK" + lockable() + " is too small";
            case EPERM, EACCES -> refused(what);
            case ENOENT -> hidden();
            case ENOSYS ->
                "; the kernel has no RDMA driver loaded: load that of the device, or for a software one: modprobe"
                        + " rdma_rxe; rdma link add rxe0 type rxe netdev eth0";
            case ENODEV, EADDRNOTAVAIL ->
                what.equals(EVENT_CHANNEL)
                        ? hidden()
                        : "; no RDMA device has this address (retier devices lists those that have one)";
            default -> "";
        };
    }

    private static String memory() {
        return "; registered memory stays in RAM and counts against RLIMIT_MEMLOCK" + lockable()
                + ": raise LimitMEMLOCK= in the unit, or ulimit -l";
    }

    /** Where the limit is 0, the kernel says that locking is not permitted at all. */
    private static String refused(String what) {
        if (what.startsWith("ibv_reg_mr")) {
            return memory();
        }
        return what.startsWith("rdma_bind_addr")
                ? "; a port below 1024 needs CAP_NET_BIND_SERVICE: choose another"
                : "; this process may not use /dev/infiniband/uverbs* or rdma_cm, which the kernel makes readable and"
                        + " writable for all: see their modes, and DeviceAllow= in its unit";
    }

    private static String hidden() {
        return "; /dev/infiniband/rdma_cm and uverbs* must be there: load the kernel's modules (modprobe -a rdma_ucm"
                + " ib_uverbs), and hide them not by PrivateDevices= in its unit";
    }

    private static String lockable() {
        try {
            return Files.readAllLines(LIMITS, StandardCharsets.UTF_8).stream()
                    .filter(line -> line.startsWith("Max locked memory"))
                    .map(line -> " ("
                            + line.substring("Max locked memory".length())
                                    .strip()
                                    .split(" +", 2)[0] + " bytes for this process)")
                    .findFirst()
                    .orElse("");
        } catch (IOException _) {
            return "";
        }
    }
}
