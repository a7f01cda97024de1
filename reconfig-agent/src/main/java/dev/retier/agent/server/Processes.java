package dev.retier.agent.server;

import dev.retier.agent.status.CpuText;
import dev.retier.agent.status.CpuText.ProcessTicks;
import dev.retier.agent.status.ListeningSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The processes of this machine by what Linux shows of them below {@code /proc} (proc(5)). Processes come and go
 * between two reads, so what cannot be read is empty. Thread-safe.
 */
record Processes(Path proc) {
    /** Those of the running system. */
    static final Processes OF_SYSTEM = new Processes(Path.of("/proc"));

    private static final String SOCKET = "socket:[";

    /** Whether it is there and no zombie. */
    boolean isAlive(long pid) {
        return isAlive(read(pid, "stat").orElse(""));
    }

    /** Whether that is the {@code stat} of a process that is no zombie. */
    static boolean isAlive(String stat) {
        return !stat.isEmpty() && !stat.contains(") Z ");
    }

    /** Its parent and its times. */
    Optional<ProcessTicks> ticks(long pid) {
        return read(pid, "stat").flatMap(CpuText::process);
    }

    /** The process and all that descend from it, itself first. */
    List<Long> tree(long parent) {
        Map<Long, List<Long>> children = children();
        List<Long> found = new ArrayList<>(List.of(parent));
        for (int i = 0; i < found.size(); i++) {
            found.addAll(children.getOrDefault(found.get(i), List.of()));
        }
        return found;
    }

    /** Of every process that has any: its children. */
    Map<Long, List<Long>> children() {
        Map<Long, List<Long>> children = new HashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[1-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                ticks(pid)
                        .ifPresent(seen -> children.computeIfAbsent(seen.parent(), _ -> new ArrayList<>())
                                .add(pid));
            }
        } catch (IOException | DirectoryIteratorException e) {
            return Map.of();
        }
        return children;
    }

    /** The name of its program's file, or of the process where that may not be seen; empty when neither may. */
    String name(long pid) {
        try {
            Path file = Files.readSymbolicLink(file(pid, "exe")).getFileName();
            return file == null ? "" : file.toString().replaceFirst(" \\(deleted\\)$", "");
        } catch (IOException e) {
            // Another user's process shows its name to everybody, but not its file.
            return read(pid, "comm").orElse("").strip();
        }
    }

    /** The inodes of the sockets that it holds open; empty when they may not be seen, as another user's. */
    Optional<Set<String>> sockets(long pid) {
        Set<String> inodes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(file(pid, "fd"))) {
            for (Path file : files) {
                socket(file).ifPresent(inodes::add);
            }
        } catch (IOException | DirectoryIteratorException e) {
            return Optional.empty(); // it may have ended while it was looked at
        }
        return Optional.of(inodes);
    }

    private static Optional<String> socket(Path file) {
        try {
            String target = Files.readSymbolicLink(file).toString();
            return target.startsWith(SOCKET)
                    ? Optional.of(target.substring(SOCKET.length(), target.length() - 1))
                    : Optional.empty();
        } catch (IOException e) {
            // Closed since it was listed.
            return Optional.empty();
        }
    }

    /** Every socket that anybody listens at, in the network that the process is in. */
    List<ListeningSocket> listening(long pid) {
        return Stream.of("net/tcp", "net/tcp6")
                .flatMap(table -> listening(file(pid, table)).stream())
                .toList();
    }

    private static List<ListeningSocket> listening(Path table) {
        try (Stream<String> lines = Files.lines(table)) {
            return ListeningSocket.of(lines).toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // it has ended, or the machine has no IPv6
        }
    }

    /** How many connections anybody has at that port of one of {@code hosts}, none for any, in its network. */
    long connections(long pid, int port, Set<InetAddress> hosts) {
        return Stream.of("net/tcp", "net/tcp6")
                .mapToLong(table -> connections(file(pid, table), port, hosts))
                .sum();
    }

    private static long connections(Path table, int port, Set<InetAddress> hosts) {
        try (Stream<String> lines = Files.lines(table)) {
            return ListeningSocket.connections(lines, port, hosts);
        } catch (IOException | UncheckedIOException e) {
            return 0; // as above
        }
    }

    /** The text of one of its files. */
    Optional<String> read(long pid, String name) {
        return read(file(pid, name));
    }

    /** The text of any such file. */
    static Optional<String> read(Path file) {
        try {
            return Optional.of(OperatorText.read(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The same file, to be read again and again. */
    HeldFile hold(long pid, String name) {
        return new HeldFile(file(pid, name));
    }

    private Path file(long pid, String name) {
        return proc.resolve(String.valueOf(pid)).resolve(name);
    }
}
