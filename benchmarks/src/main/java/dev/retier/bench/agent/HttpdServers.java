package dev.retier.bench.agent;

import dev.retier.agent.config.NodeConfig;
import dev.retier.bench.ChildProcess;
import dev.retier.bench.Launched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Apache httpd as {@code conf/httpd/httpd.conf} has it, each with a folder of its own below {@code /tmp}, where its
 * children may read whoever they are. Ended by the process in its pid file. Not thread-safe.
 */
public final class HttpdServers implements NodeServers {
    private static final List<String> PROGRAMS = List.of("/usr/sbin/apache2", "/usr/sbin/httpd");
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long END_SECONDS = 20;
    private static final List<String> FOLDERS = List.of("run", "log", "www/static", "cache");

    private final Path home;
    private final String program;
    private final UnaryOperator<String> edit;

    private HttpdServers(Path home, String program, UnaryOperator<String> edit) {
        this.home = home;
        this.program = program;
        this.edit = edit;
    }

    /**
     * Makes the folder.
     *
     * @param edit what an administrator has made of the example
     * @throws IOException when there is no httpd on this machine, or it cannot be made
     */
    public static HttpdServers prepare(UnaryOperator<String> edit) throws IOException {
        String program = PROGRAMS.stream()
                .filter(file -> Files.isExecutable(Path.of(file)))
                .findFirst()
                .orElseThrow(
                        () -> new IOException("none of " + PROGRAMS + " is here (Debian: apt-get install apache2)"));
        Path home = Files.createTempDirectory("retier-bench");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new HttpdServers(home, program, edit);
    }

    private Path folder(int id) {
        return home.resolve(ClusterText.name(id));
    }

    @Override
    public Path roleFile(Path folder, int id) {
        return folder(id).resolve("retier.conf");
    }

    @Override
    public boolean hasAdminPort() {
        return false;
    }

    @Override
    public String lines(int id) {
        Path folder = folder(id);
        return """
                      kind: httpd
                      config: %s
                      pid-file: %s
                      program: %s
                """.formatted(folder.resolve("httpd.conf"), pidFile(folder), program);
    }

    private static Path pidFile(Path folder) {
        return folder.resolve("run/httpd.pid");
    }

    @Override
    public void makeFolder(int id) throws IOException {
        Path folder = folder(id);
        for (String name : FOLDERS) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.setPosixFilePermissions(folder.resolve("cache"), PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(folder.resolve("www/static/retier-proof"), "ok\n");
        Files.writeString(folder.resolve("mime.types"), "text/plain txt\n");
    }

    @Override
    public void start(NodeConfig node) throws IOException {
        int port = node.server().address().port();
        Path folder = folder(node.id().value());
        String text = Files.readString(Launched.root().resolve("conf/httpd/httpd.conf"))
                .replace("Listen 80", "Listen " + node.server().address())
                .replace("*:80", "*:" + port)
                .replace("/run/retier-httpd", folder + "/run")
                .replace("/var/log/retier-httpd", folder + "/log")
                .replace("/srv/retier/www", folder + "/www")
                .replace("/var/cache/retier-httpd", folder + "/cache")
                .replace("/etc/mime.types", folder + "/mime.types")
                .replace("/etc/retier/httpd", folder.toString());
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        Path config = Files.writeString(
                folder.resolve("httpd.conf"),
                edit.apply(isRoot ? text : text.replaceAll("(?m)^(User|Group) .*\n", "")));
        ChildProcess.run(
                List.of(program, "-f", config.toString(), "-k", "start"),
                folder,
                folder.resolve("log/start.log"),
                START_LIMIT,
                _ -> {});
    }

    private List<ProcessHandle> parents() {
        try (Stream<Path> folders = Files.list(home)) {
            return folders.map(HttpdServers::pidFile)
                    .filter(Files::exists)
                    .map(HttpdServers::process)
                    .flatMap(Optional::stream)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<ProcessHandle> process(Path pidFile) {
        try {
            return ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip()));
        } catch (IOException e) {
            return Optional.empty(); // it has just ended, and taken the file with it
        }
    }

    @Override
    public void endProcesses() {
        parents().forEach(ProcessHandle::destroy);
    }

    @Override
    public void close() {
        List<ProcessHandle> parents = parents();
        parents.forEach(ProcessHandle::destroy);
        parents.forEach(HttpdServers::await);
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(home + " cannot be removed", e);
        }
    }

    private static void await(ProcessHandle parent) {
        try {
            parent.onExit().get(END_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            parent.destroyForcibly();
        } catch (InterruptedException e) {
            parent.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
