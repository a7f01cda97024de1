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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A PostgreSQL with its own defaults, as its packages' user, and pgbench's bank (TPC-B) in it. Not thread-safe. */
final class Database implements AutoCloseable {
    private static final String USER = "postgres";
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int SCALE = 10;
    private static final Pattern PER_SECOND = Pattern.compile("tps = ([0-9.]+)");

    private final Path programs;
    /** Of sockets and what is said. */
    private final Path notes;

    private final Started server;

    /** Makes one in {@code data}, which is not there yet, and fills it. */
    Database(Path programs, Path data, Path notes) throws IOException, InterruptedException {
        this.programs = programs;
        this.notes = notes;
        for (Path own : List.of(Files.createDirectories(data), Files.createDirectories(notes))) {
            Files.setOwner(
                    own,
                    FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(USER));
            Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        }
        run("initdb", "-D", data.toString(), "-U", USER, "-A", "trust");
        this.server = Started.start(
                        notes.resolve("postgres.log"),
                        asUser("postgres", "-D", data.toString(), "-k", notes.toString(), "-c", "listen_addresses="))
                .awaitOutput("ready to accept connections");
        boolean isFilled = false;
        try {
            run("pgbench", "-i", "-q", "-s", String.valueOf(SCALE), "-h", notes.toString(), "-U", USER, USER);
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

    /** Transactions per second. */
    double perSecond(int clients, Duration time) throws IOException {
        String said = run(
                "pgbench",
                "-n",
                "-c",
                String.valueOf(clients),
                "-j",
                "2",
                "-T",
                String.valueOf(time.toSeconds()),
                "-h",
                notes.toString(),
                "-U",
                USER,
                USER);
        Matcher found = PER_SECOND.matcher(said);
        if (!found.find()) {
            throw new IOException("pgbench tells no transactions per second: " + said);
        }
        return Double.parseDouble(found.group(1));
    }

    @Override
    public void close() {
        server.close();
    }
}
