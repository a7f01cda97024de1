package dev.retier.bench.volumes;

import dev.retier.bench.ChildProcess;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A PostgreSQL with its own defaults, as its packages' user, and pgbench's bank (TPC-B) in it. Not thread-safe. */
final class Database implements AutoCloseable {
    private static final String USER = "postgres";
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** Bytes of the bank by pgbench's scale, with its indexes. */
    private static final long SCALE_BYTES = 15L << 20;
    /**
     * What pgbench does by itself (TPC-B), but that some accounts are used more often than others, as a database's are:
     * by a Zipf distribution.
     */
    private static final String SKEWED = """
            \\set rank random_zipfian(1, 100000 * :scale, 1.05)
            \\set aid (:rank * 7919) % (100000 * :scale) + 1
            \\set bid random(1, 1 * :scale)
            \\set tid random(1, 10 * :scale)
            \\set delta random(-5000, 5000)
            BEGIN;
            UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
            SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
            UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
            UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;
            INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)
                VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP);
            END;
            """;

    private static final Pattern PER_SECOND = Pattern.compile("tps = ([0-9.]+)");

    private final Path programs;
    /** Of sockets and what is said. */
    private final Path notes;

    private final Started server;
    /** Of the bank. */
    private final int scale;

    /**
     * How it is made.
     *
     * @param bytes of the bank
     * @param settings of the server
     * @param within makes of the server's command one that runs it elsewhere
     */
    record Shape(long bytes, List<String> settings, UnaryOperator<List<String>> within) {
        /** As packages have it, with a bank of pgbench's scale 10. */
        static final Shape USUAL = new Shape(10 * SCALE_BYTES, List.of(), UnaryOperator.identity());
        /** The same with one of scale 1. */
        static final Shape SMALL = new Shape(SCALE_BYTES, List.of(), UnaryOperator.identity());

        /** Copies the list. */
        Shape {
            settings = List.copyOf(settings);
        }
    }

    /** Makes one in {@code data}, which is not there yet, and fills it. */
    Database(Path programs, Path data, Path notes, Shape shape) throws IOException, InterruptedException {
        this.scale = Math.toIntExact(shape.bytes / SCALE_BYTES);
        this.programs = programs;
        this.notes = notes;
        for (Path own : List.of(Files.createDirectories(data), Files.createDirectories(notes))) {
            Files.setOwner(
                    own,
                    FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(USER));
            Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        }
        run("initdb", "-D", data.toString(), "-U", USER, "-A", "trust");
        List<String> serve =
                asUser("postgres", "-D", data.toString(), "-k", notes.toString(), "-c", "listen_addresses=");
        shape.settings.forEach(setting -> serve.addAll(List.of("-c", setting)));
        this.server = Started.start(notes.resolve("postgres.log"), shape.within.apply(serve))
                .awaitOutput("ready to accept connections");
        boolean isFilled = false;
        try {
            run("pgbench", "-i", "-q", "-s", String.valueOf(scale), "-h", notes.toString(), "-U", USER, USER);
            isFilled = true;
        } finally {
            if (!isFilled) {
                server.close();
            }
        }
    }

    /** Where its programs are: of Debian's newest version. */
    static Optional<Path> programs() throws IOException {
        if (!Files.isDirectory(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(VERSIONS)) {
            return all.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("pgbench")))
                    .max(Path::compareTo);
        }
    }

    private List<String> asUser(String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + USER,
                "--regid=" + USER,
                "--init-groups",
                programs.resolve(program).toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private String run(String program, String... arguments) throws IOException {
        Path log = notes.resolve("said");
        ChildProcess.run(asUser(program, arguments), notes, log, LIMIT, _ -> {});
        return Files.readString(log);
    }

    /** Transactions per second, of accounts that are used equally often. */
    double perSecond(int clients, Duration time) throws IOException {
        return perSecond(clients, time, List.of("-b", "tpcb-like"));
    }

    /** The same, where some accounts are used more often than others. */
    double perSecondSkewed(int clients, Duration time) throws IOException {
        Path script = Files.writeString(notes.resolve("skewed.sql"), SKEWED);
        return perSecond(clients, time, List.of("-f", script.toString(), "-D", "scale=" + scale));
    }

    private String pgbench(int clients, Duration time, List<String> what) throws IOException {
        List<String> options = new ArrayList<>(List.of("-n", "-c", String.valueOf(clients), "-j", "2"));
        options.addAll(what);
        options.addAll(List.of("-T", String.valueOf(time.toSeconds()), "-h", notes.toString(), "-U", USER, USER));
        return run("pgbench", options.toArray(String[]::new));
    }

    private double perSecond(int clients, Duration time, List<String> what) throws IOException {
        String said = pgbench(clients, time, what);
        Matcher found = PER_SECOND.matcher(said);
        if (!found.find()) {
            throw new IOException("pgbench tells no transactions per second: " + said);
        }
        return Double.parseDouble(found.group(1));
    }

    /** So many transactions per second, at times that chance draws, where the database can. */
    void paced(int clients, int perSecond, Duration time) throws IOException {
        var _ = pgbench(clients, time, List.of("--rate=" + perSecond));
    }

    /** Writes all tables anew ({@code VACUUM FULL}). */
    void vacuumFull() throws IOException {
        var _ = run("psql", "-h", notes.toString(), "-U", USER, "-c", "VACUUM FULL", USER);
    }

    @Override
    public void close() {
        server.close();
    }
}
