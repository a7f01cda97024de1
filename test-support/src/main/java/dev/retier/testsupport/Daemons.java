package dev.retier.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Servers that put themselves in the background, so that they are no children of the test. When one has ended,
 * process 1 is to forget it, and some take seconds for that; until then it is a zombie, which runs nothing and holds
 * nothing but its process id. Stateless.
 */
public final class Daemons {
    private static final Duration POLL = Duration.ofMillis(10);

    private Daemons() {}

    /** The process that a pid file names, with all below it; empty when there is no such file or process. */
    public static List<ProcessHandle> of(Path pidFile) {
        try {
            String pid =
                    Files.readString(pidFile).lines().findFirst().orElse("").strip();
            return pid.isEmpty()
                    ? List.of()
                    : ProcessHandle.of(Long.parseLong(pid)).stream()
                            .flatMap(parent -> Stream.concat(Stream.of(parent), parent.descendants()))
                            .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it is there, and no zombie. */
    public static boolean runs(ProcessHandle process) {
        try {
            return process.isAlive()
                    && !Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"))
                            .contains(") Z ");
        } catch (IOException e) {
            return process.isAlive(); // it has just ended, or this system has no such files
        }
    }

    /** Kills them (SIGKILL), and waits until none runs. */
    public static void kill(Collection<ProcessHandle> processes) {
        processes.forEach(ProcessHandle::destroyForcibly);
        Patience.await().pollInterval(POLL).until(() -> processes.stream().noneMatch(Daemons::runs));
    }

    /**
     * Kills them (SIGKILL), and waits until their process ids mean nothing, as a service manager does before it starts
     * them again: httpd takes a zombie whose id is in its pid file for a server that runs.
     */
    public static void killForRestart(Collection<ProcessHandle> processes) {
        processes.forEach(ProcessHandle::destroyForcibly);
        Patience.await().pollInterval(POLL).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }
}
