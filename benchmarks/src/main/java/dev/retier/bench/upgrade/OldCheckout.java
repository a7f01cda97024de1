package dev.retier.bench.upgrade;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Git;
import dev.retier.bench.Launched;
import dev.retier.bench.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Another commit of this repository in a work tree of its own, built; closing it takes the work tree away, unless it is
 * to be kept for another run.
 *
 * @param commit that it is of
 * @param folder its top folder
 * @param isKept whether closing leaves it
 */
record OldCheckout(String commit, Path folder, boolean isKept) implements AutoCloseable {
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(60);
    private static final String JAR = "cli/target/retier.jar";

    /**
     * Checks {@code commit} out and builds it: with the libraries at hand, or else with Maven's downloads.
     *
     * @param isKept whether an earlier run's work tree is used, and left for the next one
     * @throws IOException when git or the build fails
     */
    static OldCheckout of(String commit, boolean isKept) throws IOException {
        Path folder = Launched.workFolder("bench-upgrade").resolve("checkout-" + commit);
        OldCheckout checkout = new OldCheckout(commit, folder, isKept);
        if (!isKept || !Files.exists(folder.resolve(JAR))) {
            checkout.remove();
            Git.lines(Launched.root(), "worktree", "add", "--detach", folder.toString(), commit);
            try {
                checkout.build();
            } catch (IOException e) {
                checkout.close();
                throw e;
            }
        }
        // Newer than all sources, so that its launcher does not build again.
        Files.setLastModifiedTime(folder.resolve(JAR), FileTime.from(Instant.now()));
        return checkout;
    }

    private void build() throws IOException {
        Path log = folder.resolveSibling("build-" + commit + ".log");
        try {
            ChildProcess.run(maven("-o"), folder, log, BUILD_LIMIT, OldCheckout::tell);
        } catch (IOException e) {
            Progress.tell("the libraries at hand do not do (" + e.getMessage() + "); building with downloads");
            ChildProcess.run(maven("-ntp"), folder, log, BUILD_LIMIT, OldCheckout::tell);
        }
    }

    /** As the launcher builds, but without what an agent does not need: tests and their style. */
    private static List<String> maven(String network) {
        List<String> command = new ArrayList<>(List.of("mvn", "-q", "-B", network, "-pl", "cli", "-am"));
        command.addAll(List.of("-Dmaven.test.skip=true", "-Dcheckstyle.skip", "-Dspotless.check.skip", "package"));
        return command;
    }

    private static void tell(long seconds) {
        Progress.tell("building, " + seconds + " s");
    }

    /** The script {@code retier} of that commit. */
    Path launcher() {
        return folder.resolve("retier");
    }

    @Override
    public void close() throws IOException {
        if (!isKept) {
            remove();
        }
    }

    private void remove() throws IOException {
        if (Files.exists(folder)) {
            Git.lines(Launched.root(), "worktree", "remove", "--force", folder.toString());
        }
        Git.lines(Launched.root(), "worktree", "prune");
    }
}
