package dev.retier.agent.server;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.status.CpuText;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a server that has nothing to do, and starts what it has stopped. A file says that it was this agent who did, so
 * that what an administrator stopped, or what has crashed, is never started; it outlasts the agent. Not thread-safe.
 */
final class ServerPower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

    /** Connections that nobody closes, idle ones of proxies say, keep a server running no longer. */
    private static final long LONGEST_REST_NANOS = 60_000_000_000L;

    private final String name;
    private final ServerControl control;
    private final ServerProcess process;
    private final Path mark;
    private final boolean isLeftToEmpty;
    private final Pause starts = new Pause();
    private final Pause stops = new Pause();
    /** A start that has succeeded and has not come to an answer yet. */
    private @Nullable Coming coming;
    /** When it was to be stopped first; empty while it is needed. */
    private OptionalLong restingSinceNanos = OptionalLong.empty();

    /** One that was begun at that time, and whether a process was seen since. */
    private record Coming(long atNanos, boolean wasSeen) {}

    /** Of attempts: after each vain one it is twice as long. */
    private static final class Pause {
        private long nanos;
        private long triedAtNanos = System.nanoTime();

        boolean isOver() {
            return System.nanoTime() - triedAtNanos >= nanos;
        }

        void tried() {
            triedAtNanos = System.nanoTime();
            nanos = Math.clamp(2 * nanos, FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
        }

        void over() {
            nanos = 0;
        }
    }

    /**
     * Of a server with a command {@code stop}.
     *
     * @param folder of the node's journal
     */
    ServerPower(String name, ServerConfig server, Path folder) {
        this.name = name;
        this.control = server.controlled();
        this.process = new ServerProcess(server);
        this.mark = ServerExamination.restMark(server, folder);
        // Of the other kinds it is known that they answer to the end what they have.
        this.isLeftToEmpty = server.kind() == ServerKind.OTHER;
    }

    /** Whether this agent has stopped it, and it has not answered since; the mark names its process. */
    boolean isStopped() {
        return Files.exists(mark);
    }

    /** Whether it runs, and is not the one that still ends. */
    boolean isRunning() {
        return process.find() instanceof ServerProcess.Server(long pid) && !isEnding(pid);
    }

    /** The one that was told to end may have much to finish; another that has got its number since was told nothing. */
    private boolean isEnding(long pid) {
        return Processes.read(mark)
                .map(String::strip)
                .filter(text -> text.equals(told(pid)) || text.equals(String.valueOf(pid))) // of a version before
                .isPresent();
    }

    private static String told(long pid) {
        String start = Processes.OF_SYSTEM.read(pid, "stat").map(CpuText::start).orElse("");
        return (pid + " " + start).strip();
    }

    /** It answers: from now on it is as if nobody had ever stopped it. */
    void answers() {
        restingSinceNanos = OptionalLong.empty();
        coming = null;
        starts.over();
        forget();
    }

    private void forget() {
        try {
            Files.deleteIfExists(mark);
        } catch (IOException e) {
            LOG.warn("{}: {} cannot be deleted ({}); an agent may start the server", name, mark, IoReason.of(e));
        }
    }

    /**
     * Starts it if it does not run and was stopped by this agent; after each vain attempt, and each end of one that has
     * not answered yet, it waits twice as long. One that comes up slowly is given its start deadline, before it is
     * taken for one that does not.
     */
    void start() throws InterruptedException {
        restingSinceNanos = OptionalLong.empty();
        if (!isStopped() || isThere() || !starts.isOver()) {
            return;
        }
        process.lookAnew();
        if (isThere()) {
            return; // somebody else has started it since
        }
        if (coming != null) {
            LOG.warn(
                    "{}: its {} has ended, or does not come up, and has not answered; starts it again",
                    name,
                    program());
        }
        starts.tried();
        CommandRunner.Outcome outcome =
                Commands.restart(control, control.limits().startDeadline());
        process.lookAnew();
        coming = outcome.isGood() ? new Coming(System.nanoTime(), false) : null;
        if (outcome.isGood()) {
            LOG.info("{}: starts its {}", name, program());
        } else {
            LOG.warn("{}: its {} cannot be started: {}", name, program(), outcome.summary());
        }
    }

    /** Whether it runs, still ends, or is still coming up. */
    private boolean isThere() {
        Coming begun = coming;
        return switch (process.find()) {
            case ServerProcess.Server _ -> {
                coming = begun == null ? null : new Coming(begun.atNanos, true);
                yield true;
            }
            // A process that does not listen yet, or no more; or one of somebody else that has got its number.
            case ServerProcess.Stranger _ -> {
                coming = begun == null ? null : new Coming(begun.atNanos, true);
                yield begun == null ? isJustStopped() : isInTime(begun);
            }
            case ServerProcess.Nothing _ -> begun != null && !begun.wasSeen && isInTime(begun);
        };
    }

    private boolean isInTime(Coming begun) {
        return System.nanoTime() - begun.atNanos
                < control.limits().startDeadline().toNanos();
    }

    private boolean isJustStopped() {
        try {
            Duration ago = Duration.between(Files.getLastModifiedTime(mark).toInstant(), Instant.now());
            return ago.compareTo(control.limits().startDeadline()) < 0;
        } catch (IOException e) {
            // It was deleted: nobody has stopped it.
            return false;
        }
    }

    /** Stops it if it runs; one that cannot be stopped is none that this agent has stopped, and is tried again. */
    void stop() throws InterruptedException {
        if (!stops.isOver() || !(process.find() instanceof ServerProcess.Server found) || isEnding(found.pid())) {
            return;
        }
        long nowNanos = System.nanoTime();
        long sinceNanos = restingSinceNanos.orElse(nowNanos);
        restingSinceNanos = OptionalLong.of(sinceNanos);
        if (isLeftToEmpty && nowNanos - sinceNanos < LONGEST_REST_NANOS && process.connections() > 0) {
            return;
        }
        stops.tried();
        try {
            AtomicFile.replace(mark, told(found.pid()) + "\n");
        } catch (IOException e) {
            LOG.warn("{}: its {} goes on: {} cannot be written ({})", name, program(), mark, IoReason.of(e));
            return;
        }
        CommandRunner.Outcome outcome = Commands.stop(control, found);
        if (outcome.isGood()) {
            coming = null;
            restingSinceNanos = OptionalLong.empty();
            LOG.info("{}: stops its {}, which has nothing to do", name, program());
            stops.over();
        } else {
            LOG.warn("{}: its {} cannot be stopped: {}", name, program(), outcome.summary());
            forget();
        }
    }

    private String program() {
        String program = control.commands().program();
        return program.isEmpty() ? "server (" + control.process() + ")" : program;
    }

    @Override
    public void close() {
        process.close();
    }
}
