package dev.retier.cli;

import dev.retier.agent.server.WithheldVariables;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Runs short commands of the system to their end; what they refuse ends the command. Stateless. */
public final class Shell {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final int MAX_OUTPUT_BYTES = 1 << 20;

    private Shell() {}

    /** What it printed on both streams; a failure is refused with what it said. */
    public static String run(List<String> command) throws InterruptedException {
        return run(command, DEADLINE);
    }

    /** The same of one that may take so long. */
    public static String run(List<String> command, Duration deadline) throws InterruptedException {
        Ended ended = ended(command, deadline);
        if (ended.code() != 0) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "'" + String.join(" ", command) + "' ended with " + ended.code() + ": "
                            + ended.output().strip());
        }
        return ended.output();
    }

    /** How it ended. */
    public record Ended(int code, String output) {}

    /** Runs it, however it ends; too long is refused. */
    public static Ended ended(List<String> command) throws InterruptedException {
        return ended(command, DEADLINE);
    }

    /** The same of one that may take so long. */
    public static Ended ended(List<String> command, Duration deadline) throws InterruptedException {
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
            WithheldVariables.removeFrom(builder.environment());
            builder.environment().put("LC_ALL", "C"); // callers read what it says
            Process process = builder.start();
            CompletableFuture<byte[]> output = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> read(process.getInputStream(), output));
            if (!process.waitFor(deadline.toSeconds(), TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "'" + String.join(" ", command) + "' took longer than " + deadline.toSeconds() + " s");
            }
            return new Ended(process.exitValue(), new String(output.get(), StandardCharsets.UTF_8));
        } catch (IOException | ExecutionException e) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "'" + command.getFirst() + "' cannot be run (" + e.getMessage() + "); is it installed?",
                    e);
        }
    }

    private static void read(InputStream in, CompletableFuture<byte[]> output) {
        try (in) {
            output.complete(in.readNBytes(MAX_OUTPUT_BYTES));
        } catch (IOException e) {
            output.completeExceptionally(e);
        }
    }
}
