package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.retier.testsupport.Daemons;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL of its own, as its packages' user, which nobody reaches but by a Unix socket in the test's folder, and
 * pgbench's bank on it (TPC-B), whose clients note which of their transactions were answered as committed.
 */
final class Postgres {
    private static final String USER = "postgres";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** TPC-B as pgbench has it; each row of the history says in which run whose and the how manieth it was. */
    private static final String BANK = """
            \\set n :n + 1
            \\set aid random(1, 100000 * :scale)
            \\set bid random(1, 1 * :scale)
            \\set tid random(1, 10 * :scale)
            \\set delta random(-5000, 5000)
            BEGIN;
            UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
            SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
            UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
            UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = :bid;
            INSERT INTO pgbench_history (tid, bid, aid, delta, mtime, filler)
                VALUES (:tid, :bid, :aid, :delta, CURRENT_TIMESTAMP, :run || '/' || :client_id || '/' || :n);
            END;
            """;

    private static final String SUMS = """
            SELECT (SELECT sum(abalance) FROM pgbench_accounts), (SELECT sum(tbalance) FROM pgbench_tellers),
                (SELECT sum(bbalance) FROM pgbench_branches), (SELECT coalesce(sum(delta), 0) FROM pgbench_history)""";

    private final Path programs;
    /** Of the database's user. */
    private final Path folder;

    private int processes;

    private Postgres(Path programs, Path folder) {
        this.programs = programs;
        this.folder = folder;
    }

    /** One whose socket and notes lie in {@code parent}; the test is left out where there is no PostgreSQL. */
    static Postgres in(Path parent) throws IOException {
        Path programs = programs();
        assumeThat(System.getProperty("user.name"))
                .as("the user of this test, who starts programs as " + USER)
                .isEqualTo("root");
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx--x--x"));
        Postgres made = new Postgres(programs, parent.resolve("postgres"));
        made.own(Files.createDirectory(made.folder));
        Files.writeString(made.folder.resolve("bank"), BANK);
        return made;
    }

    /** Debian's, of the newest version, or else on the PATH. */
    private static Path programs() throws IOException {
        Path versions = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(versions)) {
            try (Stream<Path> all = Files.list(versions)) {
                List<Path> found = all.map(version -> version.resolve("bin"))
                        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                        .sorted()
                        .toList();
                if (!found.isEmpty()) {
                    return found.getLast();
                }
            }
        }
        return ExternalTool.find("initdb").toAbsolutePath().getParent();
    }

    private void own(Path path) throws IOException {
        Files.setOwner(
                path, FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(USER));
    }

    /** An empty one in {@code data}, which is made, with a small log of its own. */
    void make(Path data) throws Exception {
        own(Files.createDirectory(data));
        finish(asUser("initdb", "-D", data.toString(), "-U", USER, "-A", "trust", "--wal-segsize=4", "--no-sync"));
        finish(List.of("sync", "-f", data.toString())); // all at once, and not file by file
    }

    /** The command that serves it, until it is killed or asked to end. */
    List<String> command(Path data) {
        return asUser(
                "postgres",
                "-D",
                data.toString(),
                "-k",
                folder.toString(),
                "-c",
                "listen_addresses=",
                "-c",
                "max_wal_size=64MB",
                "-c",
                "min_wal_size=16MB",
                "-c",
                "shared_buffers=32MB");
    }

    /** In the output once it serves. */
    static final String READY = "database system is ready to accept connections";

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

    private String finish(List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("out-" + ++processes);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        boolean isEnded = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = Files.readString(out);
        assertThat(isEnded && process.waitFor() == 0)
                .as("%s: %s", String.join(" ", command), said)
                .isTrue();
        return said;
    }

    /** Kills it with all its processes, and waits until none holds a file. */
    static void kill(Process postgres) {
        Daemons.kill(Stream.concat(Stream.of(postgres.toHandle()), postgres.descendants())
                .toList());
    }

    /** What a query answers: its rows, with {@code |} between columns. */
    List<String> query(String sql) throws IOException, InterruptedException {
        return finish(asUser("psql", "-h", folder.toString(), "-XAtq", "-c", sql, USER))
                .lines()
                .toList();
    }

    /** Fills the bank. */
    void fill(int scale) throws IOException, InterruptedException {
        finish(asUser("pgbench", "-h", folder.toString(), "-iq", "-s", String.valueOf(scale), USER));
    }

    /** Clients of the bank for that long. */
    List<String> bank(int run, int clients, Duration time) {
        return asUser(
                "pgbench",
                "-h",
                folder.toString(),
                "-n",
                "-c",
                String.valueOf(clients),
                "-T",
                String.valueOf(time.toSeconds()),
                "-f",
                folder.resolve("bank").toString(),
                "-D",
                "n=0",
                "-D",
                "run=" + run,
                "-l",
                "--log-prefix=" + folder.resolve("told-" + run),
                USER);
    }

    /**
     * A transaction that a client was told is committed.
     *
     * @param name as in its row of the history
     * @param took how long it took, seen by the client
     * @param epochMicros when the client was told
     */
    record Told(String name, Duration took, long epochMicros) {}

    /** What clients of that run were told, in the order of each client. */
    List<Told> told(int run) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            List<Told> told = new ArrayList<>();
            for (Path file : all.filter(one -> one.getFileName().toString().startsWith("told-" + run + "."))
                    .toList()) {
                for (String line : Files.readAllLines(file)) {
                    String[] words = line.split(" ", -1);
                    told.add(new Told(
                            run + "/" + words[0] + "/" + words[1],
                            Duration.ofNanos(Long.parseLong(words[2]) * 1000),
                            Long.parseLong(words[4]) * 1_000_000 + Long.parseLong(words[5])));
                }
            }
            return told;
        }
    }

    /** Every sum of the bank is the same, and what clients were told is in the history. */
    void requireBank(List<Told> told) throws IOException, InterruptedException {
        String sums = query(SUMS).getFirst();
        assertThat(sums.split("\\|", -1)).as(sums).hasSize(4).containsOnly(sums.substring(0, sums.indexOf('|')));
        assertThat(query("SELECT trim(filler) FROM pgbench_history"))
                .containsAll(told.stream().map(Told::name).toList())
                .doesNotHaveDuplicates();
    }
}
