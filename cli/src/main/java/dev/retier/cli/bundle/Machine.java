package dev.retier.cli.bundle;

import dev.retier.cli.bundle.text.Tail;
import java.io.File;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What this machine tells: its kernel, its limits, its retier processes, their logs. */
final class Machine {
    /** Lines of one log. */
    static final int LOG_LINES = 10_000;

    private static final long MOST_BYTES = 8L << 20;
    private static final int MOST_PROCESSES = 32;
    private static final long JOURNAL_SECONDS = 30;
    private static final Path LOGS = Path.of("/var/log/retier");
    private static final Path SYSTEMD = Path.of("/run/systemd/system");
    private static final List<String> FACTS = List.of(
            "/proc/version",
            "/etc/os-release",
            "/proc/meminfo",
            "/proc/loadavg",
            "/proc/uptime",
            "/proc/sys/fs/file-nr",
            "/proc/sys/net/ipv4/ip_local_port_range",
            "/proc/net/sockstat",
            "/proc/self/cgroup",
            "/proc/mounts");

    private final Collected collected;

    Machine(Collected collected) {
        this.collected = collected;
    }

    /** The end of a file, under that path. */
    void file(String path, Path file) {
        try {
            collected.add(path, end(file));
        } catch (IOException e) {
            collected.missing(path, e.toString());
        }
    }

    /** The same of a file that the agent's user may have put there: what a link leads to may not be that user's. */
    void filesOwn(String path, Path file) {
        try {
            collected.add(path, end(file, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            collected.missing(path, e.toString());
        }
    }

    /** The end of a file; all of it where it is no longer than is taken. */
    static String end(Path file, LinkOption... links) throws IOException {
        if (!Files.isRegularFile(file, links)) {
            throw new IOException(file + " is not there, or is no file");
        }
        if (file.startsWith("/proc") || file.startsWith("/sys")) {
            return Files.readString(file); // whose length the system does not tell
        }
        Set<OpenOption> options = new HashSet<>(List.of(links));
        options.add(StandardOpenOption.READ);
        try (SeekableByteChannel in = Files.newByteChannel(file, options)) {
            long from = Math.max(0, in.size() - MOST_BYTES);
            in.position(from);
            byte[] bytes = Channels.newInputStream(in).readNBytes((int) MOST_BYTES);
            String text = new String(bytes, StandardCharsets.UTF_8);
            return from == 0 ? text : text.substring(text.indexOf('\n') + 1);
        }
    }

    void facts() {
        FACTS.forEach(fact -> file("system" + fact, Path.of(fact)));
        Map<String, String> own = new TreeMap<>(System.getenv());
        own.keySet().removeIf(name -> !name.startsWith("RETIER_") && !name.startsWith("JAVA") && !name.equals("LANG"));
        collected.add(
                "system/environment",
                own.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue() + "\n")
                        .collect(Collectors.joining()));
        ProcessHandle.allProcesses()
                .filter(Machine::isOurs)
                .limit(MOST_PROCESSES)
                .forEach(process ->
                        List.of("limits", "status", "cmdline").forEach(what -> process(process.pid(), what)));
    }

    private static boolean isOurs(ProcessHandle process) {
        String line =
                process.info().arguments().map(words -> String.join(" ", words)).orElse("");
        return line.contains("dev.retier.cli.Main")
                && process.pid() != ProcessHandle.current().pid();
    }

    private void process(long pid, String what) {
        String path = "system/processes/" + pid + "-" + what;
        try {
            collected.add(path, end(Path.of("/proc/" + pid + "/" + what)).replace('\0', ' '));
        } catch (IOException e) {
            collected.missing(path, e.toString());
        }
    }

    /** Those files, else those of the usual folder, and what systemd has kept of the units. */
    void logs(List<Path> named) throws InterruptedException {
        for (Path log : named.isEmpty() ? usual() : named) {
            log("logs/" + log.getFileName(), log);
        }
        if (!Files.isDirectory(SYSTEMD)) {
            collected.missing("logs/systemd-journal", "no systemd runs here; name a log with --log");
            return;
        }
        try {
            Path kept = Files.createTempFile("retier-bundle", ".log");
            try {
                journal(kept);
            } finally {
                Files.delete(kept);
            }
        } catch (IOException e) {
            collected.missing("logs/systemd-journal", e.toString());
        }
    }

    private List<Path> usual() {
        if (!Files.isDirectory(LOGS)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(LOGS)) {
            return all.filter(file -> file.toString().endsWith(".log")).sorted().toList();
        } catch (IOException e) {
            collected.missing(LOGS.toString(), e.toString());
            return List.of();
        }
    }

    private void log(String path, Path file) {
        try {
            collected.add(path, Tail.of(end(file), LOG_LINES));
        } catch (IOException e) {
            collected.missing(path, e.toString());
        }
    }

    private void journal(Path kept) throws IOException, InterruptedException {
        Process journal = new ProcessBuilder(
                        "journalctl",
                        "-u",
                        "retier-*",
                        "-n",
                        String.valueOf(LOG_LINES),
                        "--no-pager",
                        "-o",
                        "short-iso-precise")
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(kept.toFile())
                .start();
        if (!journal.waitFor(JOURNAL_SECONDS, TimeUnit.SECONDS)) {
            journal.destroyForcibly();
            collected.missing("logs/systemd-journal", "journalctl took longer than " + JOURNAL_SECONDS + " s");
        } else if (journal.exitValue() != 0) {
            collected.missing("logs/systemd-journal", "journalctl: " + end(kept));
        } else {
            log("logs/systemd-journal", kept);
        }
    }

    /** Names of it that tell whose it is: its own, and those of people who log in. */
    static List<String> hostNames() throws IOException {
        String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        return List.of(name, name.replaceAll("\\..*", ""));
    }

    /** Users that are no part of the system. */
    static List<String> users() throws IOException {
        return users(false);
    }

    /** Those that are. */
    static List<String> systemUsers() throws IOException {
        return users(true);
    }

    private static List<String> users(boolean areOfTheSystem) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/etc/passwd"))) {
            return lines.map(line -> line.split(":", -1))
                    .filter(fields -> fields.length > 2)
                    .filter(fields -> areOfTheSystem == isOfTheSystem(fields[0], fields[2]))
                    .map(fields -> fields[0])
                    .toList();
        }
    }

    private static boolean isOfTheSystem(String name, String id) {
        return name.equals("nobody") || !id.matches("[1-9]\\d{3,}");
    }
}
