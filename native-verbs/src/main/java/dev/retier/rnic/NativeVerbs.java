package dev.retier.rnic;

import com.ibm.disni.verbs.RdmaProvider;
import dev.retier.verbs.NoDeviceException;
import dev.retier.verbs.VerbsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** RNICs, Soft-RoCE and siw as a provider by name, over rdma-core as distributions package it. */
public final class NativeVerbs implements VerbsProvider {
    /** Its name. */
    public static final String NAME = "native";

    /** Where Linux names its RDMA devices. */
    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    private final Path devices;
    private final Opener opener;

    /** Finds the libraries. */
    @FunctionalInterface
    interface Opener {
        Library open() throws IOException;
    }

    /** The one of this machine. */
    public NativeVerbs() {
        this(DEVICES, Library::ofThisMachine);
    }

    /** One that looks for devices and libraries elsewhere. */
    NativeVerbs(Path devices, Opener opener) {
        this.devices = devices;
        this.opener = opener;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        try {
            return "libibverbs and librdmacm of rdma-core; devices " + names();
        } catch (IOException e) {
            return "libibverbs and librdmacm of rdma-core; its devices are not to be seen: " + e;
        }
    }

    @Override
    public RdmaProvider open() throws IOException {
        Library library = opener.open();
        if (names().isEmpty()) {
            throw new NoDeviceException("no RDMA device in " + devices + ": load the driver of one, make a software one"
                    + " (modprobe rdma_rxe; rdma link add rxe0 type rxe netdev eth0), or use the provider iwarp");
        }
        if (RdmaDevices.names(library).isEmpty()) {
            throw new NoDeviceException("libibverbs has no driver for " + names() + ": install Debian's package"
                    + " ibverbs-providers (Fedora and RHEL: libibverbs), or use the provider iwarp");
        }
        return new RnicProvider(library);
    }

    @Override
    public boolean isMaker(RdmaProvider provider) {
        return provider instanceof RnicProvider;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> found = Files.list(devices)) {
            return found.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
    }
}
