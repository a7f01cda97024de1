package dev.retier.agent.journal;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.move.Recovery;
import dev.retier.state.lock.LockWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The number of a node's start, beside its journal: above every earlier one, whatever the wall clock says. The terms of
 * the move locks and the fences of the role word count on from it, as what they were before is forgotten in a start.
 *
 * @param value seconds of the wall clock since the beginning of 2026 where these are above what was used before
 * @param told what the operator must know, with the remedy; null when all is well
 */
public record BootNumber(long value, @Nullable String told) {
    private static final String NAME = "boot-number";

    /** From which the numbers count: 32 bits of seconds last until 2162. */
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    /**
     * Takes the next number. It is on disk before this returns, unless {@link #told} says otherwise.
     *
     * @param directory of the node's journal, made if it is missing
     * @param now by the wall clock
     */
    public static BootNumber next(Path directory, Instant now) {
        Path file = directory.resolve(NAME);
        Read last = read(file, Journal.exists(directory));
        long next = Recovery.bootNumber(last.value, Duration.between(EPOCH, now).toSeconds());
        try {
            AtomicFile.replace(file, next + "\n");
            return new BootNumber(next, last.told);
        } catch (IOException e) {
            return new BootNumber(
                    next,
                    file + " cannot be written (" + e.getMessage() + "), so a start after the clock was set back may"
                            + " use old numbers again; check the folder, its owner and the free space");
        }
    }

    /**
     * Has the next start begin above {@code term}, see {@link Recovery#outgrown}. On disk before this returns.
     *
     * @throws IOException when it cannot be written; the next start may use numbers again if the clock is set back
     */
    public static void outgrow(Path directory, long term) throws IOException {
        Path file = directory.resolve(NAME);
        OptionalLong present = read(file, false).value;
        long next = present.isPresent() ? Recovery.outgrown(present.getAsLong(), term) : 0;
        if (present.isPresent() && next > present.getAsLong()) {
            AtomicFile.replace(file, next + "\n");
        }
    }

    private record Read(OptionalLong value, @Nullable String told) {}

    private static Read read(Path file, boolean isExpected) {
        String remedy = "; the wall clock stands in for it: make sure that it is right";
        try {
            String text = Files.readString(file).strip();
            return text.matches("\\d{1,10}") && Long.parseLong(text) <= LockWord.HIGHEST_TERM
                    ? new Read(OptionalLong.of(Long.parseLong(text)), null)
                    : new Read(OptionalLong.empty(), file + " holds no number of a start" + remedy);
        } catch (NoSuchFileException e) {
            return new Read(OptionalLong.empty(), isExpected ? file + " is missing beside a journal" + remedy : null);
        } catch (IOException e) {
            return new Read(OptionalLong.empty(), file + " cannot be read (" + e.getMessage() + ")" + remedy);
        }
    }
}
