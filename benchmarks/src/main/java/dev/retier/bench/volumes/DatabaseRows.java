package dev.retier.bench.volumes;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Progress;
import dev.retier.bench.volumes.Row.Beside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rows C: PostgreSQL on ext4 on a volume, as {@code retier volume mount} does it; on the same over nbdkit; and on the
 * local disk's file system. Needs root. Not thread-safe.
 */
final class DatabaseRows {
    private static final String VOLUME = "bench-database";
    private static final String KIT = "nbdkit file, same mount";
    private static final String LOCAL = "local file system";
    /** Of a volume, or a file in its place. */
    static final long BYTES = 4L << 30;

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int MANY = 8;

    private final Path folder;
    private final Path programs;
    private final Duration time;
    private final Closing toEnd;

    private final Path mounted;
    private final Database ours;
    private final List<Other> others = new ArrayList<>();

    private record Other(String name, Database database) {}

    /** Mounts all of them, and makes a database on each. */
    DatabaseRows(Store store, Path folder, Peers peers, Fio sizes, Closing toEnd)
            throws IOException, InterruptedException {
        this.folder = folder;
        this.toEnd = toEnd;
        this.programs = Database.programs().orElseThrow();
        this.time = sample(sizes.time());
        Progress.tell("making databases ...");
        this.mounted = Files.createDirectory(folder.resolve("retier"));
        store.create(VOLUME, BYTES);
        toEnd.add(store.mount(VOLUME, mounted));
        this.ours = database(mounted, "notes-retier");
        if (peers.has(Peers.NBDKIT)) {
            others.add(new Other(KIT, database(mountKit(), "notes-kit")));
        }
        if (peers.has(Peers.LOCAL)) {
            Path local = Files.createDirectory(folder.resolve("local"));
            others.add(new Other(LOCAL, database(local, "notes-local")));
        }
    }

    /** How long one of a database is, where one of requests is {@code time}. */
    static Duration sample(Duration time) {
        return Duration.ofSeconds(4 * time.toMillis() / 1000);
    }

    /** What is missing on this machine; empty when nothing is. */
    static Optional<String> missing() throws IOException {
        if (!System.getProperty("user.name", "").equals("root")) {
            return Optional.of("root");
        }
        for (String device : List.of("/dev/fuse", "/dev/loop-control")) {
            if (!Files.exists(Path.of(device))) {
                return Optional.of(device);
            }
        }
        for (String program : List.of("nbdfuse", "losetup", "mkfs.ext4", "setpriv")) {
            if (!Started.isThere(program)) {
                return Optional.of(program);
            }
        }
        return Database.programs().isPresent() ? Optional.empty() : Optional.of("PostgreSQL with pgbench");
    }

    private Database database(Path on, String notes) throws IOException, InterruptedException {
        return toEnd.add(new Database(programs, on.resolve("data"), folder.resolve(notes), Database.Shape.USUAL));
    }

    /** As {@code volume mount} does it. */
    private Path mountKit() throws IOException, InterruptedException {
        Path image = Files.createFile(folder.resolve("kit.img"));
        command("truncate", "-s", String.valueOf(BYTES), image.toString());
        Path socket = folder.resolve("kit.sock");
        toEnd.add(Started.start(
                        folder.resolve("kit.log"),
                        List.of("nbdkit", "-f", "-U", socket.toString(), "file", image.toString()))
                .awaitFile(socket));
        Path disk = Files.createDirectory(folder.resolve("fuse")).resolve("disk");
        toEnd.add(Started.start(
                        folder.resolve("fuse.log"),
                        List.of("nbdfuse", disk.toString(), "nbd+unix:///?socket=" + socket))
                .awaitFile(disk));
        String device = command("losetup", "--direct-io=on", "--find", "--show", disk.toString())
                .strip();
        toEnd.add(() -> command("losetup", "--detach", device));
        command("mkfs.ext4", "-q", "-F", device);
        Path mounted = Files.createDirectory(folder.resolve("kit"));
        command("mount", "-t", "ext4", device, mounted.toString());
        toEnd.add(() -> command("umount", mounted.toString()));
        return mounted;
    }

    private String command(String... words) throws IOException {
        Path log = folder.resolve("command.log");
        ChildProcess.run(List.of(words), folder, log, LIMIT, _ -> {});
        return Files.readString(log);
    }

    /** Where the volume is. */
    Path mounted() {
        return mounted;
    }

    /** All of them. */
    List<Row> rows() {
        return List.of(row("C1, C2", MANY, 1.5, 0.5), row("C3", 1, 0, 0.8));
    }

    private Row row(String name, int clients, double targetOfKit, double targetOfLocal) {
        List<Beside> beside = new ArrayList<>();
        for (Other other : others) {
            double target = other.name.equals(KIT) ? targetOfKit : targetOfLocal;
            beside.add(new Beside(other.name, target, () -> other.database.perSecond(clients, time)));
        }
        return new Row(
                name,
                "pgbench TPC-B, scale 10, " + clients + (clients == 1 ? " client" : " clients"),
                "transactions/s",
                true,
                () -> ours.perSecond(clients, time),
                beside);
    }
}
