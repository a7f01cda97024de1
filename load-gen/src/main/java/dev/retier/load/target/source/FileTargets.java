package dev.retier.load.target.source;

import dev.retier.config.IoReason;
import dev.retier.load.LoadException;
import dev.retier.load.target.TargetList;
import dev.retier.load.target.TargetListJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a target file again and again and reports it when its text has changed. A file that cannot be read or makes no
 * sense after the first time leaves the last list in force.
 */
record FileTargets(Path file) implements TargetSource {
    private static final Logger LOG = LoggerFactory.getLogger(FileTargets.class);

    /** Quick enough for a move, cheap enough not to be noticed. */
    private static final long LOOK_EVERY_MILLIS = 100;

    @Override
    public Subscription follow(String site, Consumer<TargetList> listener) {
        Look look = new Look(file, listener);
        look.first();
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("load-targets-file").factory());
        var _ = thread.scheduleWithFixedDelay(look::again, LOOK_EVERY_MILLIS, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        return thread::shutdownNow;
    }

    @Override
    public String description() {
        return "file " + file;
    }

    private static final class Look {
        private final Path file;
        private final Consumer<TargetList> listener;
        private @Nullable String lastText;
        private @Nullable String lastProblem;

        Look(Path file, Consumer<TargetList> listener) {
            this.file = file;
            this.listener = listener;
        }

        void first() {
            report(read());
        }

        void again() {
            try {
                report(read());
                lastProblem = null;
            } catch (LoadException e) {
                if (!String.valueOf(e.getMessage()).equals(lastProblem)) {
                    lastProblem = String.valueOf(e.getMessage());
                    LOG.warn("{}; the last list stays in force", lastProblem);
                }
            }
        }

        private void report(String text) {
            if (!text.equals(lastText)) {
                TargetList list = TargetListJson.parse(file.toString(), text);
                lastText = text;
                listener.accept(list);
            }
        }

        private String read() {
            try {
                if (Files.size(file) > TargetListJson.MAX_BYTES) {
                    throw unreadable("is longer than " + TargetListJson.MAX_BYTES + " bytes", null);
                }
                return Files.readString(file, StandardCharsets.UTF_8);
            } catch (NoSuchFileException e) {
                throw unreadable("does not exist; check the path", e);
            } catch (IOException e) {
                throw unreadable("cannot be read (" + IoReason.of(e) + ")", e);
            }
        }

        private LoadException unreadable(String what, @Nullable IOException cause) {
            String message = "target file " + file + ": " + what;
            return cause == null ? new LoadException(message) : new LoadException(message, cause);
        }
    }
}
