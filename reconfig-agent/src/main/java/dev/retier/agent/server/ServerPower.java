package dev.retier.agent.server;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private final String name;
    private final ServerControl control;
    private final ServerProcess process;
    private final Path mark;
    private long pauseNanos;
    private long triedAtNanos = System.nanoTime();

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
    }

    /** Whether this agent has stopped it, and it has not answered since. */
    boolean isStopped() {
        return Files.exists(mark);
    }

    /** It answers: from now on it is as if nobody had ever stopped it. */
    void answers() {
        pauseNanos = 0;
        try {
            Files.deleteIfExists(mark);
        } catch (IOException e) {
            LOG.warn("{}: {} cannot be deleted ({}); an agent may start the server", name, mark, IoReason.of(e));
        }
    }

    /** Starts it if it does not run and was stopped by this agent; after each vain attempt it waits twice as long. */
    void start() throws InterruptedException {
        boolean isDue = System.nanoTime() - triedAtNanos >= pauseNanos;
        if (!isStopped() || !isDue || process.find() instanceof ServerProcess.Server) {
            return;
        }
        triedAtNanos = System.nanoTime();
        pauseNanos = Math.clamp(2 * pauseNanos, FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
        CommandRunner.Outcome outcome = Commands.restart(control);
        if (outcome.isGood()) {
            LOG.info("{}: starts its {}", name, program());
        } else {
            LOG.warn("{}: its {} cannot be started: {}", name, program(), outcome.summary());
        }
    }

    /** Stops it if it runs. */
    void stop() throws InterruptedException {
        if (!(process.find() instanceof ServerProcess.Server found)) {
            return;
        }
        try {
            AtomicFile.replace(mark, "the agent has stopped " + program() + " as its node has nothing for it to do\n");
        } catch (IOException e) {
            LOG.warn("{}: its {} goes on: {} cannot be written ({})", name, program(), mark, IoReason.of(e));
            return;
        }
        CommandRunner.Outcome outcome = Commands.stop(control, found);
        if (outcome.isGood()) {
            LOG.info("{}: stops its {}, which has nothing to do", name, program());
        } else {
            LOG.warn("{}: its {} cannot be stopped: {}", name, program(), outcome.summary());
        }
    }

    private String program() {
        return control.commands().program();
    }

    @Override
    public void close() {
        process.close();
    }
}
