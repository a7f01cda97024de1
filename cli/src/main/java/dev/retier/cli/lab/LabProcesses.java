package dev.retier.cli.lab;

import dev.retier.cli.lab.plan.LabHost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Starts processes on the lab's hosts, and ends them. Not thread-safe. */
final class LabProcesses {
    private static final Duration END_DEADLINE = Duration.ofSeconds(10);
    private static final long LOOK_EVERY_NANOS = 20_000_000;

    /** Group of what must not be held back by a node's quota: agents, the edge, load. */
    static final String UNLIMITED = "unlimited";

    private final ControlGroups groups;

    LabProcesses(ControlGroups groups) {
        this.groups = groups;
    }

    /** The command that runs {@code command} in a host's network, as a process of {@code group}. */
    List<String> on(LabHost host, String group, List<String> command) {
        String join = groups.joining(group).stream()
                .map(file -> "echo $$ > " + file + " && ")
                .collect(Collectors.joining());
        List<String> words = new ArrayList<>(List.of(
                "sh", "-c", join + "exec nsenter --net=/run/netns/" + host.namespace() + " -- \"$@\"", "retier-lab"));
        words.addAll(command);
        return List.copyOf(words);
    }

    /** Starts something that goes on after this process, and writes what it prints to a file. */
    void start(List<String> command, Path log) {
        List<String> words = new ArrayList<>(List.of("setsid"));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            builder.start();
        } catch (IOException e) {
            throw new LabException(command.getFirst() + " cannot be started: " + e.getMessage(), e);
        }
    }

    /** Ends every process of the lab, whoever started it: asked first, then killed. */
    void endAll() {
        long deadlineNanos = System.nanoTime() + END_DEADLINE.toNanos();
        all().forEach(ProcessHandle::destroy);
        while (!all().isEmpty()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                all().forEach(ProcessHandle::destroyForcibly);
            }
            if (System.nanoTime() - deadlineNanos > END_DEADLINE.toNanos()) {
                throw new LabException("processes of the lab do not end: " + all());
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    private List<ProcessHandle> all() {
        return groups.names().stream()
                .flatMap(group -> groups.processes(group).stream())
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }
}
