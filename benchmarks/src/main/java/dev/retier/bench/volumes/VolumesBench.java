package dev.retier.bench.volumes;

import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench volumes}: volumes over RDMA beside plain TCP, other NBD servers and the local disk. */
@Command(
        name = "volumes",
        description = "Volumes beside plain Java TCP, nbdkit, qemu-nbd and the local disk, in the same run. The servers"
                + " are processes of their own with the defaults that they ship with.")
@Measures(modules = {"verbs", "soft-iwarp", "link", "volume-store"})
public final class VolumesBench implements Callable<Integer> {
    /** On a disk, unlike /tmp on some machines, with a short name, as sockets have, and open to all users. */
    private static final Path DISK = Path.of("/var/tmp");

    private static final long VOLUME_BYTES = 512L << 20;
    private static final long QUICK_VOLUME_BYTES = 64L << 20;
    private static final Duration SAMPLE = Duration.ofMillis(1500);
    private static final Duration QUICK_SAMPLE = Duration.ofMillis(500);

    @Mixin
    private RoundsOption rounds = new RoundsOption(7);

    @Option(
            names = "--only",
            paramLabel = "TEXT",
            description = "Only the rows whose name begins with this, such as A or B4; may be repeated.")
    private List<String> only = List.of();

    @Option(
            names = "--peers",
            split = ",",
            paramLabel = "NAME",
            description = "Beside what: tcp, nbdkit, qemu-nbd, local (default: all that this machine has).")
    private List<String> peers = Peers.ALL;

    @Option(names = "--quick", description = "One round of short samples, to see that all works.")
    private boolean isQuick;

    @Option(
            names = "--database",
            description = "Instead of all this PostgreSQL on a mounted volume, beside nbdkit by the same mount and the"
                    + " local file system. Linux, as root.")
    private boolean isDatabase;

    @Option(
            names = "--day",
            description = "Instead of all this 1,000 volumes and 64 clients for a day: what PostgreSQL has asked of a"
                    + " volume, replayed as fast as the server answers; then the server is killed. Linux, as root; some"
                    + " 20 minutes, and 25 GB of disk.")
    private boolean isDay;

    @Mixin
    private ResultOptions options = new ResultOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /**
     * {@inheritDoc}
     *
     * @throws Exception if a server does not start, or a request fails
     */
    @Override
    public Integer call() throws Exception {
        for (String peer : peers) {
            if (!Peers.ALL.contains(peer)) {
                throw new ParameterException(spec.commandLine(), "--peers " + peer + ": there are " + Peers.ALL);
            }
        }
        if (isDay) {
            return day();
        }
        Peers beside = Peers.among(peers);
        Results results = isDatabase
                ? options.begin("volumes-database", "PostgreSQL on a volume beside nbdkit and the local disk", words())
                : options.begin("volumes", "Volumes beside plain TCP, other NBD servers and the disk", words());
        Duration turn = isDatabase ? DatabaseRows.sample(time()) : time();
        long bytes = isDatabase ? DatabaseRows.BYTES : bytes();
        results.note("Server, gateway and clients on one machine, over software iWARP on its loopback interface; all"
                + " servers with the defaults that they ship with, on one disk, volumes and files of "
                + (bytes >> 20) + " MiB, of which the kernel's memory holds what is used. In each of "
                + count() + " rounds, after as many as it takes to warm up, all of a row take turns of "
                + turn.toMillis()
                + " ms each, every other time in the opposite order; what was written before is brought to the disk"
                + " first. Figures are medians; ratios are retier's figure by the other's, round by round: their median"
                + " (least..most).");
        if (!beside.missing().isEmpty()) {
            results.note("Left out, as this machine does not have it: " + String.join(", ", beside.missing()) + ".");
        }
        Path folder = Files.createTempDirectory(DISK, "retier-volumes");
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            if (isDatabase) {
                measureDatabase(results, beside, folder);
            } else {
                measure(results, beside, folder);
            }
        } finally {
            delete(folder);
        }
        options.end(results);
        return 0;
    }

    private int day() throws Exception {
        for (String other : List.of("--database", "--only", "--peers", "--rounds")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(other)) {
                throw new ParameterException(spec.commandLine(), other + " says nothing about a day; leave it out");
            }
        }
        String command = "./retier bench volumes --day" + (isQuick ? " --quick" : "");
        Results results = options.begin("volumes-day", "Many volumes and clients for a day", command);
        Path folder = Files.createTempDirectory(DISK, "retier-volumes");
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            new VolumesDay(isQuick ? VolumesDay.Shape.QUICK : VolumesDay.Shape.FULL, folder, results).run();
        } finally {
            delete(folder);
        }
        options.end(results);
        return 0;
    }

    private void measure(Results results, Peers beside, Path folder) throws Exception {
        Fio sizes = new Fio(bytes(), time());
        boolean isFioThere = Started.isThere("fio");
        boolean isNbd = isFioThere && (isWanted("B") || isWanted("A7"));
        try (Store store = Store.start(folder.resolve("store"));
                Closing toEnd = new Closing()) {
            boolean isClient = isWanted("A") || isWanted("D");
            ClientRows client = isClient ? new ClientRows(store, folder, beside, sizes, toEnd) : null;
            NbdRows nbd = isNbd ? new NbdRows(store, folder, beside, sizes, toEnd) : null;
            if (client != null) {
                measureClient(results, client);
            }
            if (client != null && (isWanted("A6") || isWanted("D1"))) {
                measureOptimizations(results, store, client);
            }
            if (client != null && nbd != null && isWanted("A7")) {
                measureForms(results, store, client, nbd);
            }
            if (nbd != null && isWanted("B")) {
                measureNbd(results, nbd);
            }
        }
        if (!isFioThere) {
            results.note("Rows B and A7 are left out, as this machine does not have fio.");
        }
        if (only.isEmpty()) {
            results.heading("The figures of seed 000").table("seed", SeedFigures.table());
            results.note("Its machines were 32 and 4 processors with networks of 110 MB/s (cLan) and up to 640 disks;"
                    + " these are two processors, no network and one disk, so that shapes compare and figures do not."
                    + " Figures 9 to 14 are beside databases (--database). Not measured here: locks (D2).");
        }
    }

    private void measureClient(Results results, ClientRows client) throws Exception {
        results.heading("A: the client library beside plain Java TCP").table("client", table(results, client.rows()));
        results.note("The volume has 128 MiB, which its server's cache of 256 MiB holds. One thread at each end of TCP;"
                + " all requests that may be asked leave in one write, and all that one read of the socket brings are"
                + " answered by one. It keeps nothing but what A4 and A5 append, checks nothing, and reads from its"
                + " memory. Of a volume one thread starts requests and waits for the next end (cDSA). In A1 both"
                + " clients poll, and neither server does.");
    }

    private void measureOptimizations(Results results, Store store, ClientRows client) throws Exception {
        try (Closing toEnd = new Closing()) {
            OptimizationRows rows = new OptimizationRows(store, client, time(), toEnd);
            results.heading("A6 and D1: checksums, and the optimisations of seed 000, off in turn")
                    .table("optimizations", table(results, rows.rows()));
        }
        results.note("There is no way to have volumes without checksums, so A6 compares the time that they take with"
                + " the processor time of a whole request. The three optimisations: requests leave together (off: the"
                + " program looks for answers after each that it starts, so that each is posted alone), answers are"
                + " taken by who asks for more (off: WAIT, and never above batch-above, so that a thread sleeps and is"
                + " woken for them), and memory is registered once (off: the verbs alone, as a volume's slots are"
                + " never registered by request; who does it registers, makes a work request and deregisters for"
                + " each).");
    }

    private void measureForms(Results results, Store store, ClientRows client, NbdRows nbd) throws Exception {
        try (Closing toEnd = new Closing()) {
            FormRows rows = new FormRows(store, client.work(), nbd, new Fio(bytes(), time()), toEnd);
            results.heading("A7: the forms of seed 000, by size and by depth")
                    .table("forms", table(results, rows.rows()));
        }
        results.note("Turns by size are of " + FormRows.turn(time()).toMillis()
                + " ms, and all that is read has room in the server's cache. cDSA is the client library,"
                + " wDSA a FileChannel on a volume, kDSA the gateway with fio as its client. By the verbs alone: one"
                + " RDMA read of as many bytes between two devices of one process, both ends of which look for 20 us"
                + " and then sleep; its figure has the 15 us in it that the seed's library adds at least.");
    }

    private void measureNbd(Results results, NbdRows nbd) throws Exception {
        results.heading("B: a volume by NBD, and fio as its client").table("nbd", table(results, nbd.rows()));
        results.note("The volume's requests go from fio to its gateway by NBD, from there by RDMA to the server,"
                + " which keeps checksums and a journal; nbdkit and qemu-nbd read and write one file themselves.");
    }

    private void measureDatabase(Results results, Peers beside, Path folder) throws Exception {
        Optional<String> missing = DatabaseRows.missing();
        if (missing.isPresent()) {
            throw new IllegalArgumentException("--database needs " + missing.get() + ", which is not here");
        }
        if (isWanted("C")) {
            measureBanks(results, beside, folder);
        }
        if (isWanted("D3")) {
            measureCaches(results, Files.createDirectory(folder.resolve("caches")));
        }
        if (only.isEmpty()) {
            results.heading("The figures of seed 000").table("seed", SeedFigures.ofDatabases());
        }
    }

    private void measureBanks(Results results, Peers beside, Path folder) throws Exception {
        try (Store store = Store.start(folder.resolve("store"));
                Closing toEnd = new Closing()) {
            DatabaseRows databases = new DatabaseRows(store, folder, beside, new Fio(bytes(), time()), toEnd);
            results.heading("C: PostgreSQL and H2").table("database", table(results, databases.rows()));
            if (isWanted("C4")) {
                Path local = Files.createDirectory(folder.resolve("h2"));
                H2Rows rows = H2Rows.begin(store, databases.mounted(), local, time());
                results.table("h2", table(results, rows.rows()));
            }
        }
        results.note("PostgreSQL with its own defaults, a server for each, all on one disk. On the volume: `retier"
                + " volume mount`, that is its gateway, nbdfuse, a loop device with direct I/O, ext4; nbdkit's file is"
                + " mounted by the same nbdfuse, loop device and ext4; the third is a folder of the disk's own file"
                + " system. Each turn is one run of pgbench, of H2 one process whose clients run for "
                + time().toMillis()
                + " ms before the time that counts, as long; H2 never forces its file while it is open.");
    }

    private void measureCaches(Results results, Path folder) throws Exception {
        Duration turn = Duration.ofSeconds(isQuick ? 2 : 4);
        results.heading("D3: caches of servers, beside a disk as slow as theirs");
        try (Closing toEnd = new Closing()) {
            CacheRows rows = new CacheRows(folder, turn, toEnd);
            Table table = Row.table();
            for (int mebibytes : rows.mebibytes()) {
                rows.use(mebibytes);
                for (Row row : rows.rows(mebibytes)) {
                    row.measure(results.rounds(), count(), table);
                }
            }
            results.table("caches", table);
        } catch (LimitedGroup.Unavailable missing) {
            results.note("Left out, as this machine cannot limit memory and disks: " + missing.getMessage());
            return;
        }
        results.note("Turns of " + turn.toMillis()
                + " ms, of hits half as long. Each PostgreSQL (shared_buffers 32 MB) is"
                + " in a control group of " + (CacheRows.MEMORY_BYTES >> 20) + " MiB, what the kernel keeps of its"
                + " files included, a quarter of its bank; that on the local file system and each volume server have "
                + (CacheRows.DISK_BYTES >> 20) + " MiB and " + CacheRows.DISK_REQUESTS + " requests per second of the"
                + " disk, for reads and for writes; a server, once its cache is filled, has "
                + (CacheRows.FILES_BYTES >> 20)
                + " MiB beside what its process has then, so that what its cache has not comes from the disk."
                + " pgbench's transaction, where accounts are drawn by Zipf (1.05) and lie scattered.");
    }

    private Table table(Results results, List<Row> rows) throws Exception {
        Table table = Row.table();
        for (Row row : rows) {
            if (only.isEmpty() || only.stream().anyMatch(row.name()::startsWith)) {
                row.measure(results.rounds(), count(), table);
            }
        }
        return table;
    }

    private boolean isWanted(String group) {
        return only.isEmpty() || only.stream().anyMatch(text -> text.startsWith(group) || group.startsWith(text));
    }

    private int count() {
        return isQuick ? 1 : rounds.count();
    }

    private long bytes() {
        return isQuick ? QUICK_VOLUME_BYTES : VOLUME_BYTES;
    }

    private Duration time() {
        return isQuick ? QUICK_SAMPLE : SAMPLE;
    }

    private String words() {
        StringBuilder command = new StringBuilder("./retier bench volumes --rounds " + rounds.count());
        only.forEach(text -> command.append(" --only ").append(text));
        if (!peers.equals(Peers.ALL)) {
            command.append(" --peers ").append(String.join(",", peers));
        }
        return command.append(isDatabase ? " --database" : "")
                .append(isQuick ? " --quick" : "")
                .toString();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
