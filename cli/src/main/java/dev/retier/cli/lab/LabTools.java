package dev.retier.cli.lab;

import dev.retier.cli.lab.plan.LabServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what a lab needs of this machine. Stateless. */
final class LabTools {
    private static final Path PASSWD = Path.of("/etc/passwd");
    private static final Path GROUP = Path.of("/etc/group");
    private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin");
    private static final List<Path> SERVER_ROOTS =
            List.of(Path.of("/usr/lib/apache2"), Path.of("/usr/lib64/httpd"), Path.of("/usr/lib/httpd"));
    private static final List<String> USERS = List.of("www-data", "apache", "http", "daemon");

    private LabTools() {}

    /** The servers of this machine; refuses a machine that cannot have a lab, with everything that is missing. */
    static LabServers find(boolean isWithNginx) {
        List<String> problems = new ArrayList<>();
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
            problems.add("a lab needs Linux");
        }
        if (!"root".equals(System.getProperty("user.name"))) {
            problems.add("a lab needs root, for its namespaces and control groups");
        }
        List.of("ip", "nsenter", "unshare", "setsid", "bash", "perl").forEach(tool -> require(problems, tool));
        Optional<Path> httpd = program("apache2").or(() -> program("httpd"));
        if (httpd.isEmpty()) {
            problems.add("no apache2 or httpd found (Debian: apt-get install apache2)");
        }
        Optional<Path> haproxy = require(problems, "haproxy");
        Optional<Path> nginx = isWithNginx ? require(problems, "nginx") : Optional.empty();
        Optional<Path> root = SERVER_ROOTS.stream()
                .filter(folder -> Files.exists(folder.resolve("modules/mod_mpm_event.so")))
                .findFirst();
        if (root.isEmpty()) {
            problems.add("no modules of httpd found in " + SERVER_ROOTS);
        }
        String user = first(PASSWD);
        if (httpd.isEmpty() || haproxy.isEmpty() || root.isEmpty() || !problems.isEmpty()) {
            throw new LabException(String.join("\n", problems));
        }
        return new LabServers(
                httpd.get().toString(),
                root.get().toString(),
                haproxy.get().toString(),
                nginx.map(Path::toString).orElse("nginx"),
                user,
                first(GROUP));
    }

    private static Optional<Path> require(List<String> problems, String tool) {
        Optional<Path> found = program(tool);
        if (found.isEmpty()) {
            problems.add("'" + tool + "' is missing (Debian: apt-get install iproute2 util-linux perl haproxy nginx)");
        }
        return found;
    }

    private static Optional<Path> program(String name) {
        Stream<String> path =
                Stream.of(Map.copyOf(System.getenv()).getOrDefault("PATH", "").split(":", -1));
        return Stream.concat(path, SYSTEM_FOLDERS.stream())
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The first usual name of a web server's user that the file has. */
    private static String first(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            List<String> names =
                    lines.map(line -> line.split(":", 2)[0]).collect(Collectors.toCollection(ArrayList::new));
            return USERS.stream()
                    .filter(names::contains)
                    .findFirst()
                    .orElseThrow(() -> new LabException(file + " has none of " + USERS + " for httpd to run as"));
        } catch (IOException e) {
            throw new LabException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
