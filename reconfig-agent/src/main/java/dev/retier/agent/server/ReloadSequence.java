package dev.retier.agent.server;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.render.TemplateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A file into force by a reload: staged in the same directory, checked with the whole configuration, kept from what a
 * reload would not survive, put in place of the last good one, which is kept beside it until the new one is proven;
 * else the last good one comes back and is proven in its turn. The file beside it is also how a restarted agent knows
 * that it was stopped in between. Owned by the installer's thread.
 */
final class ReloadSequence implements AutoCloseable {
    private final ServerConfig server;
    private final ServerControl control;
    private final ServerDialect dialect;
    private final InstallerEvents events;
    private final ServerProcess process;
    private final EpochProbe probe;
    private final Path file;
    private final Path staged;
    private final Path lastGood;
    private Optional<Mark> running = Optional.empty();
    /** Whether the last look has found the server. */
    private boolean isProven;

    /** Whether the server took the newest signal or command to reload: if it is gone now, that may be why. */
    private boolean isReloadTaken;

    private boolean hasReloaded;
    private long reloadEndNanos;

    /** How it went. */
    sealed interface Outcome {
        /** Every fresh connection is answered by it. */
        record InForce() implements Outcome {}

        /** Nothing was changed. */
        record Refused(String why) implements Outcome {}

        /** It was put in place and did not come into force; the last good file is in force. */
        record Restored(String why) implements Outcome {}

        /** It did not come into force, and neither did the last good file. */
        record Lost(String why) implements Outcome {}
    }

    ReloadSequence(ServerConfig server, ServerDialect dialect, InstallerEvents events) {
        this.server = server;
        this.control = server.controlled();
        this.dialect = dialect;
        this.events = events;
        this.process = new ServerProcess(server);
        this.probe = dialect.probe(server);
        this.file = server.roleFile();
        this.staged = TemplateFiles.staged(file);
        this.lastGood = file.resolveSibling("." + file.getFileName() + ".last-good");
    }

    /** The mark of the file that the server has loaded; asked anew while it is not known. */
    Optional<Mark> running() {
        if (running.isEmpty()) {
            running = probe.ask();
        }
        return running;
    }

    /** Somebody else may have had it load another one. */
    void forgetRunning() {
        running = Optional.empty();
    }

    /**
     * Whether it is not running, and somebody else has to start it, or it has not come up yet. One that was proven to
     * be the server is until it ends: what proves it reads of every process of the machine.
     */
    boolean isServerMissing() {
        ServerProcess.Found found = isProven ? process.watch() : process.find();
        isProven = found instanceof ServerProcess.Server;
        return found instanceof ServerProcess.Nothing || !dialect.isReady();
    }

    /** How long the next reload has to wait. */
    long nanosUntilNext() {
        return hasReloaded ? control.limits().reloadInterval().toNanos() - (System.nanoTime() - reloadEndNanos) : 0;
    }

    /** After a start: ends what an agent that was stopped left undone. Returns what it did, if anything. */
    Optional<String> recover() throws InterruptedException {
        try {
            Files.deleteIfExists(staged);
            if (!Files.exists(lastGood)) {
                return Optional.empty();
            }
            Optional<Mark> onDisk = Mark.ofFile(Files.readString(file));
            Optional<Mark> loaded = probe.ask();
            if (server.kind().showsItsFile() && loaded.isPresent() && loaded.equals(onDisk)) {
                Files.delete(lastGood);
                return Optional.of("found a reload that had come into force, and no agent to say so");
            }
            return Optional.of("found an unproven file; " + text(restore("it was not proven")));
        } catch (IOException e) {
            return Optional.of("cannot end an installation that was left undone: " + e);
        }
    }

    private static String text(Outcome outcome) {
        return switch (outcome) {
            case Outcome.InForce _ -> "it is in force";
            case Outcome.Refused(String why) -> why;
            case Outcome.Restored(String why) -> why;
            case Outcome.Lost(String why) -> why;
        };
    }

    /** Goes through all steps with one file; of a server that reads none, it is a mistake of the caller. */
    Outcome install(Rendering next) throws InterruptedException {
        if (!server.isTold()) {
            throw new IllegalStateException(server.address() + " is told nothing, so it is never reloaded");
        }
        Optional<String> hazard = TemplateFiles.hazardIn(server.kind(), next.content());
        if (hazard.isPresent()) {
            return new Outcome.Refused(hazard.get());
        }
        if (Commands.reloadNeedsPid(control) && process.find() instanceof ServerProcess.Stranger(String why)) {
            return new Outcome.Refused(why);
        }
        try {
            AtomicFile.write(staged, next.content(), file);
            Optional<String> refusal = check();
            if (refusal.isPresent()) {
                Files.deleteIfExists(staged);
                return new Outcome.Refused(refusal.get());
            }
            putInPlace(next);
        } catch (IOException e) {
            cleanUp();
            return new Outcome.Refused(file + " cannot be written: " + e);
        }
        return reload(next.mark());
    }

    private Optional<String> check() throws InterruptedException {
        long begunNanos = System.nanoTime();
        CommandRunner.Outcome checked = dialect.check(staged);
        Optional<String> refusal = checked.isGood() ? dialect.reloadHazard() : Optional.of(checked.summary());
        events.step(InstallerEvents.Step.CHECK, Duration.ofNanos(System.nanoTime() - begunNanos));
        return refusal;
    }

    /** The file may be a link into another file system, so the staged one, which the checker has seen, is not moved. */
    private void putInPlace(Rendering next) throws IOException {
        if (Files.exists(file)) {
            AtomicFile.copy(file, lastGood);
        }
        AtomicFile.replace(file, next.content());
        dialect.writeFlags(next.mark(), next.role());
        Files.deleteIfExists(staged);
    }

    /** Where the file stayed as it was, there is nothing to go back to. */
    private void cleanUp() {
        try {
            Files.deleteIfExists(staged);
            if (Files.exists(lastGood) && Files.mismatch(file, lastGood) < 0) {
                Files.delete(lastGood);
            }
        } catch (IOException e) {
            // The next file is staged over it, and the next start ends what is left.
            return;
        }
    }

    private Outcome reload(Mark mark) throws InterruptedException {
        Optional<String> failure = tryReload(mark);
        if (failure.isPresent()) {
            return restore(failure.get());
        }
        try {
            Files.deleteIfExists(lastGood);
        } catch (IOException e) {
            return new Outcome.Lost(lastGood + " cannot be removed, and would undo this at the next start: " + e);
        }
        return new Outcome.InForce();
    }

    /** Why the file on disk is not in force; empty when it is. */
    private Optional<String> tryReload(Mark mark) throws InterruptedException {
        long begunNanos = System.nanoTime();
        ServerProcess.Found before = process.find();
        CommandRunner.Outcome asked = Commands.reload(control, dialect.reloadCommand(server), before);
        isReloadTaken = asked.isGood();
        if (!asked.isGood()) {
            return Optional.of("the reload failed: " + asked.summary());
        }
        boolean isProven = probe.isProven(mark, control.limits().convergeDeadline(), () -> isGone(before));
        running = isProven ? Optional.of(mark) : Optional.empty();
        hasReloaded = true;
        reloadEndNanos = System.nanoTime();
        events.step(InstallerEvents.Step.RELOAD, Duration.ofNanos(reloadEndNanos - begunNanos));
        if (isProven) {
            return Optional.empty();
        }
        return Optional.of(
                isGone(before)
                        ? "the server ended in the reload"
                        : "after the reload, " + server.admin() + " was not answered by this file in "
                                + control.limits().convergeDeadline().toMillis() + " ms");
    }

    private static boolean isGone(ServerProcess.Found before) {
        return before instanceof ServerProcess.Server(long pid) && !Processes.OF_SYSTEM.isAlive(pid);
    }

    /**
     * The last good file is put back; a server that still runs it needs no reload, and one that ended in a reload is
     * started. One that had ended before was stopped by somebody else, who starts it again.
     */
    private Outcome restore(String why) throws InterruptedException {
        Mark mark;
        try {
            if (!Files.exists(lastGood)) {
                return new Outcome.Lost(why + "; there is no earlier file to go back to");
            }
            String content = Files.readString(lastGood);
            mark = Mark.ofFile(content).orElse(Mark.NONE);
            AtomicFile.replace(file, content);
            dialect.writeFlags(mark, Rendering.roleOf(content).orElse(""));
            Files.delete(lastGood);
        } catch (IOException e) {
            return new Outcome.Lost(why + "; the last good file cannot be put back: " + e);
        }
        if (process.find() instanceof ServerProcess.Nothing) {
            return isReloadTaken
                    ? started(mark, why)
                    : new Outcome.Restored(why + "; the server does not run, and is not started, as it did not end in a"
                            + " reload; the last good file is back on disk");
        }
        // One that does not show its file may run the one that was taken away.
        if (server.kind().showsItsFile() && probe.isProven(mark, Duration.ofMillis(500), () -> false)) {
            running = Optional.of(mark);
            return new Outcome.Restored(why + "; the server still runs the last good file, which is back on disk");
        }
        return tryReload(mark)
                .<Outcome>map(again -> new Outcome.Lost(why + "; with the last good file back, " + again))
                .orElseGet(() -> new Outcome.Restored(why + "; the last good file is back and in force"));
    }

    private Outcome started(Mark mark, String why) throws InterruptedException {
        CommandRunner.Outcome begun = Commands.restart(control, control.limits().checkDeadline());
        boolean isProven =
                begun.isGood() && probe.isProven(mark, control.limits().convergeDeadline(), () -> false);
        running = isProven ? Optional.of(mark) : Optional.empty();
        return isProven
                ? new Outcome.Restored(why + "; it was started again with the last good file")
                : new Outcome.Lost(why + "; the last good file is back, but the server is down: " + begun.summary());
    }

    /** Gives back what it keeps open. */
    @Override
    public void close() {
        process.close();
    }
}
