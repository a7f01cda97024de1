package dev.retier.cli.volume;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import dev.retier.agent.ReconfigException;
import dev.retier.agent.http.Meters;
import dev.retier.agent.http.WatchServer;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.TerminationSignal;
import dev.retier.config.SizeText;
import dev.retier.link.SecretSource;
import dev.retier.link.StateException;
import dev.retier.link.TransportException;
import dev.retier.volume.config.PoolConfig;
import dev.retier.volume.disk.BlockCache;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.pool.JournalRoom;
import dev.retier.volume.serve.ServerConfig;
import dev.retier.volume.serve.VolumeServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier volume serve}. */
@Command(
        name = "serve",
        description = "Serve the volumes of a folder to clients that have the secret.",
        footer = {
            "",
            "The file (YAML) needs the first three; what the others are by default is in volume-store/README.md:",
            "  directory: /var/lib/retier-volumes/pool  # made when it is not there",
            "  listen: 0.0.0.0:7100",
            "  secret-file: /etc/retier/secret     # made by `retier secret new`",
            "  admin: 127.0.0.1:7190               # if wanted: /metrics, /livez and /readyz by HTTP",
            "On SIGTERM or SIGINT it brings all to the disk. After kill -9 nothing that was answered is lost."
        })
final class ServeCommand implements Callable<Integer> {
    /** What may be in a folder of which a pool is to be made: of a file system, and of a process that was killed. */
    private static final Set<String> NOT_OF_A_POOL =
            Set.of("lost+found", "lock", "catalogue-0", "pool", "clusters", "sums", "maps", "journal");

    private static final long MEBIBYTE = 1 << 20;
    /** What a server with few volumes lives on beside the index of its journal. */
    private static final long LEAST_HEAP = 64 * MEBIBYTE;

    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The server's file (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PoolConfig config = PoolFile.read(file);
        SecretSource secrets = PoolFile.secret(config.secretFile());
        requireMemory(config);
        requireHeap(config);
        try {
            requireFolder(config.directory());
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, PoolFile.reason(e), e);
        }
        ExecutorService keeper = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("volume-checkpoint").daemon().factory());
        CountDownLatch asked = new CountDownLatch(1);
        TerminationSignal.endsCommand(asked::countDown);
        try (Pool pool = open(config, keeper)) {
            serve(config, secrets, pool, asked);
            pool.checkpoint();
        } catch (TransportException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, PoolFile.reason(e), e);
        } catch (StateException | ReconfigException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        } finally {
            keeper.shutdown();
        }
        return ExitCode.OK.code();
    }

    private void serve(PoolConfig config, SecretSource secrets, Pool pool, CountDownLatch asked)
            throws IOException, InterruptedException {
        Meters meters = new Meters();
        try (VolumeServer server =
                        VolumeServer.open(served(config, secrets), identity(), pool, ServerMeters.listener(meters));
                WatchServer _ = ServerMeters.serve(config, meters, server)) {
            Logging.begun(
                    spec,
                    "volume server serves " + pool.catalogue().volumes().size() + " volumes of " + config.directory()
                            + " on " + config.listen());
            asked.await();
        }
    }

    private void requireMemory(PoolConfig config) {
        long wanted = Math.ceilDiv(config.limits().bytes() + config.cache().bytes(), MEBIBYTE) * MEBIBYTE;
        String asked = file + ": clients, credits, staging-slot and cache-bytes ask for up to " + SizeText.print(wanted)
                + " bytes, and ";
        long machine = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
                ? os.getTotalMemorySize()
                : Long.MAX_VALUE;
        if (wanted > machine) {
            throw new CommandFailure(
                    ExitCode.CONFIG, asked + "the machine has " + SizeText.print(machine) + "; lower one of them");
        }
        if (wanted > bufferMemory()) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    asked + "Java may take " + SizeText.print(bufferMemory())
                            + " for buffers; lower one of them, or start it with"
                            + " RETIER_JAVA_OPTIONS=-XX:MaxDirectMemorySize=" + SizeText.print(wanted));
        }
    }

    /** What the index of the journal may take of it; the rest is left to what is under way, and to maps. */
    private void requireHeap(PoolConfig config) {
        long index = JournalRoom.indexBytes(config.journal().bytes());
        long wanted = Math.ceilDiv(index + LEAST_HEAP, MEBIBYTE) * MEBIBYTE;
        long heap = Runtime.getRuntime().maxMemory();
        if (wanted > heap) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    file + ": the index of the journal may take " + SizeText.print(index)
                            + " bytes of Java's heap, which has " + SizeText.print(heap)
                            + " for all; start it with RETIER_JAVA_OPTIONS=-Xmx" + SizeText.print(wanted)
                            + ", or more");
        }
    }

    /** What Java may take for buffers outside of its heap: as much as for that, if nothing else is said. */
    private static long bufferMemory() {
        HotSpotDiagnosticMXBean java = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long said = Long.parseLong(java.getVMOption("MaxDirectMemorySize").getValue());
        return said == 0 ? Runtime.getRuntime().maxMemory() : said;
    }

    private static ServerConfig served(PoolConfig config, SecretSource secrets) {
        return new ServerConfig(
                PoolFile.resolved(config.listen()),
                secrets,
                config.transport(),
                config.limits(),
                config.times(),
                config.care());
    }

    /** Makes the folder if it is not there; refuses one that has something else in it, and leaves nothing there. */
    private static void requireFolder(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        if (!Files.exists(folder.resolve("pool"))) {
            requireNothingElse(folder);
        }
    }

    private Pool open(PoolConfig config, ExecutorService keeper) throws IOException {
        Path folder = config.directory();
        FolderDisk disk = FolderDisk.open(folder);
        if (!Pool.isThere(disk)) {
            requireNothingElse(folder);
            Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
            Logging.begun(spec, "volume server made a new pool, as there was none in " + folder);
        }
        PoolConfig.Journal journal = config.journal();
        BlockCache cache = BlockCache.of(config.cache().bytes(), config.cache().policy());
        return Pool.open(disk, new Pool.Limits(journal.segmentBytes(), journal.bytes()), cache, keeper::execute);
    }

    private static void requireNothingElse(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            List<String> others = all.map(each -> each.getFileName().toString())
                    .filter(name -> !NOT_OF_A_POOL.contains(name))
                    .toList();
            if (!others.isEmpty()) {
                throw new IOException(folder + " has no pool, and something else: " + others
                        + "; name an empty folder, or one that is not there");
            }
        }
    }

    /** Where the system does not tell, each run counts as one of another machine, so that clients lose nothing. */
    private static VolumeServer.Identity identity() {
        UUID boot;
        try {
            boot = UUID.fromString(Files.readString(BOOT_ID).strip());
        } catch (IOException | IllegalArgumentException unknown) {
            boot = UUID.randomUUID();
        }
        return VolumeServer.Identity.drawn(boot);
    }
}
