package dev.retier.agent.server;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.render.RoleFlags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings files into force at one real server, one at a time, the newest first: at run time when nothing but members has
 * changed, else by {@link ReloadSequence}. A thread of its own; the public methods may be called from any.
 */
final class ConfigInstaller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    private static final Duration RUN_TIME_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(15);
    /** How soon a server that was started is noticed. */
    private static final long START_LOOK_NANOS = 50_000_000;
    /** Where it cannot be put back, it is tried again so often. */
    private static final long PUT_BACK_NANOS = 5_000_000_000L;

    private final String name;
    private final ServerConfig server;
    private final ServerDialect dialect;
    private final ReloadSequence reloads;
    private final InstallerEvents events;
    private final Path file;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private @Nullable Rendering wanted; // guarded by lock
    private boolean isOtherGeneration; // guarded by lock
    private boolean isBusy; // guarded by lock
    private long putBackNanos; // guarded by lock
    private boolean isClosing; // guarded by lock
    /** What the server has been told, null if by others, whose word may still stand; of the installing thread alone. */
    private @Nullable LetGo letGone;

    private boolean isLetGoRefused;
    /** The newest reason; touched by the installing thread alone, as is how often it has come in a row. */
    private String lastRefusal = "";

    private int sameRefusals;
    private volatile @Nullable Rendering applied;
    private volatile @Nullable String refusal;
    private volatile long installedStamp;

    ConfigInstaller(String name, ServerConfig server, ServerDialect dialect, InstallerEvents events) {
        this.name = name;
        this.server = server;
        this.dialect = dialect;
        this.events = events;
        this.file = server.roleFile();
        this.reloads = new ReloadSequence(server, dialect, events);
        this.putBackNanos = System.nanoTime() - PUT_BACK_NANOS;
        this.installedStamp = MarkOnDisk.of(file).map(Mark::stamp).orElse(0L);
        this.thread =
                Thread.ofPlatform().name("retier-install-" + name).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Puts a file in line; one that is still waiting is forgotten. */
    void offer(Rendering rendering) {
        lock.lock();
        try {
            Rendering before = applied;
            if (before == null || !before.role().equals(rendering.role())) {
                refusal = null; // of another role: nobody is to take it for one of this file
            }
            wanted = rendering;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The server has been reloaded, by whomever: what it was told at run time may be lost, as its files may have been
     * read before they were written and loaded after.
     */
    void reloadedByAnybody() {
        lock.lock();
        try {
            isOtherGeneration = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        events.reloaded();
    }

    /**
     * The generated file, removed by somebody else, is written anew: the server would start without it. So is the file
     * that says which role the server is in, removed or made.
     */
    void lookAtFiles() {
        lock.lock();
        try {
            Rendering before = applied;
            long nowNanos = System.nanoTime();
            boolean isAtRest = !isBusy && wanted == null && !isOtherGeneration;
            boolean isTime = nowNanos - putBackNanos >= PUT_BACK_NANOS;
            if (isAtRest && isTime && before != null) {
                boolean isGone = Files.notExists(file);
                if (isGone) {
                    LOG.warn(
                            "{}: somebody has removed {}, without which the server would start: it is written anew",
                            name,
                            file);
                } else if (!dialect.isFlagged(before.role())) {
                    LOG.warn(
                            "{}: somebody has changed the files beside {} by which the server is {}: they are put back",
                            name,
                            file,
                            before.role());
                } else {
                    return;
                }
                putBackNanos = nowNanos;
                isOtherGeneration = true;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What the server was proven to run, by this agent; null before that. */
    @Nullable
    Rendering applied() {
        return applied;
    }

    /** Why the newest file that was offered is not in force; null when it is, or is waiting. */
    @Nullable
    String refusal() {
        return refusal;
    }

    long installedStamp() {
        return installedStamp;
    }

    private void run() {
        try {
            reloads.recover().ifPresent(text -> LOG.warn("{}: {}", name, text));
            for (Rendering next = take(); next != null; next = take()) {
                install(next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            reloads.close();
        }
    }

    private @Nullable Rendering take() throws InterruptedException {
        lock.lock();
        try {
            isBusy = false;
            while (wanted == null && !(isOtherGeneration && applied != null) && !isClosing) {
                changed.await();
            }
            Rendering next = isClosing ? null : wanted == null ? applied : wanted;
            wanted = null;
            isBusy = true;
            if (isOtherGeneration) {
                isOtherGeneration = false;
                letGone = null;
                reloads.forgetRunning();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void install(Rendering next) throws InterruptedException {
        boolean isForNobody = !server.isTold() && !next.role().equals(RoleFlags.APP);
        try {
            if (!isForNobody && !awaitServer()) {
                return;
            }
            Optional<Mark> onDisk = MarkOnDisk.of(file);
            if (onDisk.isEmpty() && Files.exists(file)) {
                refuse(next, file + " is not a file of retier; move it away if the agent is to write it");
            } else if (onDisk.isPresent() && next.stamp() < onDisk.get().stamp()) {
                refuse(next, "it is older than stamp " + onDisk.get().stamp() + " on disk");
            } else if (!server.isTold()) {
                note(next);
            } else if (reloads.running()
                            .filter(mark -> mark.structure().equals(next.structure()))
                            .isPresent()
                    && changed(next)) {
                done(next, InstallerEvents.Result.CHANGED);
            } else {
                reload(next);
            }
        } catch (RuntimeException e) {
            LOG.error("{}: an installation failed", name, e);
            refuse(next, e.toString());
        }
    }

    /** Of a server that is told nothing: one that serves need do nothing more than answer, as it has just done. */
    private void note(Rendering next) {
        try {
            AtomicFile.replace(file, next.content());
            done(next, InstallerEvents.Result.CHANGED);
        } catch (IOException e) {
            refuse(next, file + " cannot be written: " + e);
        }
    }

    /**
     * Members at run time first, then the file, by which the server would start again, then the role: who becomes a
     * proxy has its members. Returns whether it is in force.
     */
    private boolean changed(Rendering next) {
        long begunNanos = System.nanoTime();
        try {
            dialect.changeMembers(next, RUN_TIME_TIMEOUT);
            AtomicFile.replace(file, next.content());
            dialect.writeFlags(next.mark(), next.role());
            dialect.show(next, RUN_TIME_TIMEOUT);
            events.step(InstallerEvents.Step.RUN_TIME, Duration.ofNanos(System.nanoTime() - begunNanos));
            letGo(next);
            return true;
        } catch (IOException e) {
            LOG.warn("{}: no change at run time ({}); tries a reload", name, e.toString());
            return false;
        }
    }

    /** What cannot be let go is kept: that is no reason to reload, and said once. */
    private void letGo(Rendering next) {
        if (next.letGo().equals(letGone)) {
            return;
        }
        try {
            dialect.letGo(next.letGo(), RUN_TIME_TIMEOUT);
            letGone = next.letGo();
        } catch (IOException e) {
            if (!isLetGoRefused && next.letGo().isAny()) {
                LOG.warn("{}: kept connections are not let go as the tier grows ({})", name, e.toString());
                isLetGoRefused = true;
            }
        }
    }

    private void reload(Rendering next) throws InterruptedException {
        if (!isOtherRole(next) && !awaitTurn()) {
            return;
        }
        switch (reloads.install(next)) {
            case ReloadSequence.Outcome.InForce _ -> reloaded(next);
            case ReloadSequence.Outcome.Refused(String why) -> refuse(next, why);
            case ReloadSequence.Outcome.Restored(String why) -> failed(next, InstallerEvents.Result.RESTORED, why);
            case ReloadSequence.Outcome.Lost(String why) -> failed(next, InstallerEvents.Result.LOST, why);
        }
        // A change at run time that could not be written may have gone before: the file in force is the truth.
        Rendering before = applied;
        if (refusal != null && before != null) {
            putBack(before);
        }
    }

    /** With its old worker a server lets all connections go; what it was told in files stands. */
    private void reloaded(Rendering next) {
        letGone = null;
        done(next, InstallerEvents.Result.RELOADED);
    }

    private void putBack(Rendering before) {
        try {
            if (reloads.running()
                    .filter(mark -> mark.structure().equals(before.structure()))
                    .isPresent()) {
                dialect.changeMembers(before, RUN_TIME_TIMEOUT);
                if (!MarkOnDisk.of(file).equals(Optional.of(before.mark()))) {
                    AtomicFile.replace(file, before.content());
                }
                dialect.writeFlags(before.mark(), before.role());
                dialect.show(before, RUN_TIME_TIMEOUT);
            }
        } catch (IOException e) {
            LOG.warn("{}: not all that was changed could be put back ({})", name, e.toString());
        }
    }

    /** Nobody is served meanwhile, so that it is not put off; and moves of a node do not come in bursts. */
    private boolean isOtherRole(Rendering next) {
        Rendering before = applied;
        return before != null && !before.role().equals(next.role());
    }

    /** Waits out the interval; returns whether there is still nothing newer to install. */
    private boolean awaitTurn() throws InterruptedException {
        lock.lock();
        try {
            long leftNanos = reloads.nanosUntilNext();
            while (leftNanos > 0 && wanted == null && !isClosing) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return wanted == null && !isClosing;
        } finally {
            lock.unlock();
        }
    }

    private void done(Rendering next, InstallerEvents.Result result) {
        refusal = null;
        lastRefusal = "";
        applied = next;
        installedStamp = next.stamp();
        events.ended(result);
    }

    private void refuse(Rendering next, String why) {
        failed(next, InstallerEvents.Result.REFUSED, why);
    }

    /** With its stamp and its number, so that two refusals for the same reason are two. */
    private void failed(Rendering next, InstallerEvents.Result result, String why) {
        String said = "stamp " + next.stamp() + " as " + next.role() + ": " + why;
        sameRefusals = said.equals(lastRefusal) ? sameRefusals + 1 : 1;
        lastRefusal = said;
        refusal = sameRefusals == 1 ? said : said + " (" + sameRefusals + " times)";
        events.ended(result);
    }

    /**
     * A server that nobody has started yet, or that was killed, refuses nothing: what it is to run waits for it.
     * Returns whether there is still nothing newer to install.
     */
    private boolean awaitServer() throws InterruptedException {
        if (!reloads.isServerMissing()) {
            return true;
        }
        LOG.info("{}: no file can come into force before its server is started", name);
        while (reloads.isServerMissing()) {
            lock.lock();
            try {
                if (wanted != null || isClosing) {
                    return false;
                }
                var _ = changed.awaitNanos(START_LOOK_NANOS);
            } finally {
                lock.unlock();
            }
        }
        return true;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            if (thread.isAlive()) {
                thread.join(JOIN_TIMEOUT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
