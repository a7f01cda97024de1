package dev.retier.bench.volumes;

import dev.retier.bench.Measures;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.bench.RoundsOption;
import dev.retier.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
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
    private static final Duration SAMPLE = Duration.ofSeconds(2);
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
        Peers beside = Peers.among(peers);
        Results results = options.begin("volumes", "Volumes beside plain TCP, other NBD servers and the disk", words());
        results.note("Server, gateway and clients on one machine, over software iWARP on its loopback interface; all"
                + " servers with the defaults that they ship with, on one disk, volumes and files of "
                + (bytes() >> 20) + " MiB that the kernel's memory holds. In each of "
                + count() + " rounds, after one that warms up, all of a row take turns of " + time().toMillis()
                + " ms each, every other time in the opposite order; what was written before is brought to the disk"
                + " first. Figures are medians; ratios are retier's figure by the other's, round by round: their median"
                + " (least..most).");
        if (!beside.missing().isEmpty()) {
            results.note("Left out, as this machine does not have it: " + String.join(", ", beside.missing()) + ".");
        }
        Path folder = Files.createTempDirectory(DISK, "retier-volumes");
        try {
            measure(results, beside, folder);
        } finally {
            delete(folder);
        }
        options.end(results);
        return 0;
    }

    private void measure(Results results, Peers beside, Path folder) throws Exception {
        Fio sizes = new Fio(bytes(), time());
        try (Store store = Store.start(folder.resolve("store"))) {
            if (isWanted("A")) {
                try (ClientRows client = new ClientRows(store, folder, beside, sizes)) {
                    results.heading("A: the client library beside plain Java TCP")
                            .table("client", table(results, client.rows()));
                }
                results.note("TCP: blocking sockets, one thread at each end; all requests that may be asked leave in"
                        + " one write, and all that one read of the socket brings are answered by one. It keeps"
                        + " nothing but what A4 and A5 append, checks nothing, and reads from its memory. Of several at"
                        + " a time each volume request has a virtual thread.");
            }
            if (isWanted("B") && !Started.isThere("fio")) {
                results.note("Rows B are left out, as this machine does not have fio.");
            } else if (isWanted("B")) {
                try (NbdRows nbd = new NbdRows(store, folder, beside, sizes)) {
                    results.heading("B: a volume by NBD, and fio as its client")
                            .table("nbd", table(results, nbd.rows()));
                }
                results.note("The volume's requests go from fio to its gateway by NBD, from there by RDMA to the"
                        + " server, which keeps checksums and a journal; nbdkit and qemu-nbd read and write one file"
                        + " themselves.");
            }
        }
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
        return only.isEmpty() || only.stream().anyMatch(text -> text.startsWith(group));
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
        return command.append(isQuick ? " --quick" : "").toString();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
