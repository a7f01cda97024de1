package dev.retier.verbs;

import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.impl.RdmaProviderNat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** DiSNI's own provider, over libdisni, libibverbs and librdmacm. */
public final class NativeProvider implements VerbsProvider {
    /** Its name. */
    public static final String NAME = "native";

    /** Where Linux names its RDMA devices: RNICs, Soft-RoCE, siw. */
    private static final Path DEVICES = Path.of("/sys/class/infiniband");

    private final Path devices;
    private final Library library;

    /** Loads libdisni. */
    @FunctionalInterface
    interface Library {
        RdmaProvider load() throws IOException;
    }

    /** The one of this machine. */
    public NativeProvider() {
        this(DEVICES, RdmaProviderNat::new);
    }

    /** One that looks for devices elsewhere. */
    NativeProvider(Path devices, Library library) {
        this.devices = devices;
        this.library = library;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        try {
            return "DiSNI's native provider, over libdisni and librdmacm; devices " + names();
        } catch (IOException e) {
            return "DiSNI's native provider, over libdisni and librdmacm; its devices are not to be seen: " + e;
        }
    }

    @Override
    public RdmaProvider open() throws IOException {
        RdmaProvider loaded;
        try {
            loaded = library.load();
        } catch (LinkageError missing) {
            throw new IOException(
                    "libdisni cannot be loaded: build DiSNI 2.1's native library and put it on java.library.path,"
                            + " or use the provider iwarp (" + missing.getMessage() + ")",
                    missing);
        }
        if (names().isEmpty()) {
            throw new IOException(
                    "no RDMA device in " + devices + ": load the driver of one, or use the provider iwarp");
        }
        return loaded;
    }

    private List<String> names() throws IOException {
        try (Stream<Path> found = Files.list(devices)) {
            return found.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
    }
}
