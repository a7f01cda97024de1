package dev.retier.agent.daemon;

import dev.retier.agent.access.Caller;
import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.CommandAsked;
import dev.retier.agent.command.CommandText;
import dev.retier.agent.http.EventRing;
import dev.retier.agent.journal.AuditJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the commands of operators carried out, whichever way they come, and keeps who asked what, from where, and what
 * became of it: in the audit journal, the log, and for those who watch. A journal that cannot be written is told as an
 * error and keeps no operator from commanding. Thread-safe.
 */
final class CommandDesk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    /** A disk that stands still holds up no command for longer. */
    private static final Duration DISK_PATIENCE = Duration.ofSeconds(2);

    private final String node;
    private final Path folder;
    private final String life;
    private final EventRing events;
    private final Obeying agent;
    private final AtomicLong numbers = new AtomicLong();
    private final NewestCommands newest;
    private final ExecutorService disk;
    /** Touched by the disk's thread alone. */
    private @Nullable AuditJournal journal;

    /** Carries out a command and says what became of it, however long that takes. */
    interface Obeying {
        /** Called by any thread. */
        Answer obey(Command command) throws InterruptedException;
    }

    /**
     * For one life of an agent.
     *
     * @param folder where the audit journal is
     * @param life which no other life of it has
     */
    CommandDesk(String node, Path folder, String life, EventRing events, Obeying agent) {
        this.node = node;
        this.folder = folder;
        this.life = life;
        this.events = events;
        this.agent = agent;
        this.newest = new NewestCommands(kept(node, folder));
        this.disk = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("retier-audit-" + node).daemon().factory());
    }

    /** What earlier lives have kept. */
    private static List<CommandAsked> kept(String node, Path folder) {
        try {
            return AuditJournal.read(folder);
        } catch (IOException e) {
            LOG.warn("{}: commands before this start are not shown: {}", node, e.toString());
            return List.of();
        }
    }

    /** The newest commands that have ended, the newest first, one JSON object; any thread. */
    String newestJson() {
        return newest.json();
    }

    /** What became of {@code command}; any thread. */
    Answer carryOut(Command command, Caller caller) throws InterruptedException {
        CommandAsked asked = asked(command, caller);
        keep(asked);
        try {
            Answer answer = agent.obey(command);
            ended(asked.ended(Instant.now(), answer));
            return answer;
        } catch (InterruptedException e) {
            Answer answer = Answer.of(Answer.Outcome.FAILED, "the agent is leaving");
            Thread.currentThread().interrupt();
            ended(asked.ended(Instant.now(), answer));
            return answer;
        } catch (RuntimeException e) {
            ended(asked.ended(Instant.now(), Answer.of(Answer.Outcome.FAILED, "for a mistake of the agent's: " + e)));
            throw e;
        }
    }

    /** Keeps that a command was refused before it was begun, in one line; any thread. */
    void refused(Command command, Caller caller, String why) {
        ended(asked(command, caller).ended(Instant.now(), Answer.of(Answer.Outcome.REFUSED, why)));
    }

    private CommandAsked asked(Command command, Caller caller) {
        return new CommandAsked(
                life + "-" + numbers.incrementAndGet(),
                Instant.now(),
                caller.name(),
                caller.address(),
                CommandText.print(command),
                null);
    }

    private void ended(CommandAsked asked) {
        String outcome = asked.end() == null ? "" : asked.end().outcome();
        LOG.atInfo()
                .addKeyValue("agent", node)
                .addKeyValue("by", asked.by())
                .addKeyValue("from", asked.from())
                .addKeyValue("command", asked.line())
                .addKeyValue("outcome", outcome)
                .log("{}: {} at {} asked {}: {}", node, asked.by(), asked.from(), asked.line(), outcome);
        newest.add(asked);
        events.add(EventRing.Kind.COMMAND, asked.print());
        keep(asked);
    }

    private void keep(CommandAsked asked) {
        try {
            disk.submit(() -> append(asked)).get(DISK_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            notKept(asked, String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            notKept(asked, "the disk has not answered for " + DISK_PATIENCE.toSeconds() + " s");
        } catch (RejectedExecutionException e) {
            notKept(asked, "the agent has ended");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Void append(CommandAsked asked) throws IOException {
        AuditJournal open = journal;
        if (open == null) {
            open = AuditJournal.open(folder, AuditJournal.MAX_FILE_BYTES);
            journal = open;
        }
        open.append(asked);
        return null;
    }

    private void notKept(CommandAsked asked, String why) {
        LOG.error(
                "{}: the audit journal {} cannot be written ({}), so this is here alone: {}; check the folder, its"
                        + " owner and the free space",
                node,
                AuditJournal.file(folder),
                why,
                asked.print());
    }

    @Override
    public void close() {
        disk.execute(() -> {
            try {
                if (journal != null) {
                    journal.close();
                }
            } catch (IOException e) {
                LOG.warn("{}: {}: {}", node, AuditJournal.file(folder), e.toString());
            }
        });
        disk.shutdown();
    }
}
