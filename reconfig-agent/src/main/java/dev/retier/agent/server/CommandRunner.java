package dev.retier.agent.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Runs a command without a shell, with a deadline and without the secret in its environment, and keeps the
 * beginning of what it says. Stateless.
 */
final class CommandRunner {
    private static final int MAX_OUTPUT_BYTES = 8 << 20;
    /** A child that lives on may hold the pipe open; what was said until then is enough. */
    private static final Duration HELD_PIPE = Duration.ofMillis(200);

    private static final int MAX_SHOWN_LENGTH = 600;

    private CommandRunner() {}

    /**
     * How a command ended.
     *
     * @param isGood whether it ended in time with code 0
     * @param output what it said, both streams
     * @param summary for people: how it ended, and the end of what it said in one line
     */
    record Outcome(boolean isGood, String output, String summary) {
        /** What was said of {@code copy} as said of {@code original}, which people know. */
        Outcome naming(Path original, Path copy) {
            String known = original.toString();
            return new Outcome(isGood, output.replace(copy.toString(), known), summary.replace(copy.toString(), known));
        }

        /** Whether it may have said more than is kept. */
        boolean isCut() {
            return output.length() >= MAX_OUTPUT_BYTES / 4;
        }
    }

    /** Runs it to its end, or to the deadline, when it is killed with all that it started. */
    static Outcome run(List<String> words, Duration deadline) throws InterruptedException {
        return run(words, deadline, HELD_PIPE);
    }

    /** The same with a command that leaves nobody behind: all that it says is waited for, also on a busy machine. */
    static Outcome ask(List<String> words, Duration deadline) throws InterruptedException {
        return run(words, deadline, deadline);
    }

    private static Outcome run(List<String> words, Duration deadline, Duration patience) throws InterruptedException {
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
            WithheldVariables.removeFrom(builder.environment());
            process = builder.start();
        } catch (IOException e) {
            return new Outcome(false, "", words.getFirst() + " cannot be run: " + e.getMessage());
        }
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        Thread reader = Thread.ofVirtual().start(() -> drain(process.getInputStream(), output));
        boolean isInTime = process.waitFor(deadline.toNanos(), TimeUnit.NANOSECONDS);
        if (!isInTime) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        reader.join(isInTime ? patience : HELD_PIPE);
        String text = text(output);
        if (!isInTime) {
            return new Outcome(false, text, words.getFirst() + " took longer than " + deadline.toMillis() + " ms");
        }
        int code = process.exitValue();
        String end = String.format(Locale.ROOT, "%s ended with %d: %s", words.getFirst(), code, lastLine(text));
        return new Outcome(code == 0, text, end);
    }

    private static void drain(InputStream in, ByteArrayOutputStream out) {
        byte[] buffer = new byte[4096];
        try (in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                synchronized (out) {
                    if (out.size() < MAX_OUTPUT_BYTES) {
                        out.write(buffer, 0, count);
                    }
                }
            }
        } catch (IOException e) {
            // The process was killed; what it said before is kept.
            return;
        }
    }

    private static String text(ByteArrayOutputStream output) {
        synchronized (output) {
            return output.toString(StandardCharsets.UTF_8);
        }
    }

    private static String lastLine(String text) {
        String flat = text.strip().replaceAll("\\s*\\R\\s*", "; ").replaceAll("\\p{Cntrl}", " ");
        return flat.length() <= MAX_SHOWN_LENGTH ? flat : "..." + flat.substring(flat.length() - MAX_SHOWN_LENGTH);
    }
}
