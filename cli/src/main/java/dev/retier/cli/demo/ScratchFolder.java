package dev.retier.cli.demo;

import dev.retier.cli.TerminationSignal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A temporary folder for one command, deleted when the command ends. A request to end the process (SIGINT, SIGTERM)
 * interrupts the thread that made it and waits until it has closed the folder.
 */
final class ScratchFolder implements AutoCloseable {
    /** What a command may take to close what it has started. */
    private static final long CLOSE_SECONDS = 20;

    private final Path path;
    private final CountDownLatch closed = new CountDownLatch(1);

    private ScratchFolder(Path path) {
        this.path = path;
    }

    static ScratchFolder create(String prefix) throws IOException {
        ScratchFolder folder = new ScratchFolder(Files.createTempDirectory(prefix));
        Thread owner = Thread.currentThread();
        TerminationSignal.onTermination(() -> folder.awaitClosed(owner));
        return folder;
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        } finally {
            closed.countDown();
        }
    }

    private void awaitClosed(Thread owner) {
        if (closed.getCount() == 0) {
            return;
        }
        owner.interrupt();
        try {
            if (!closed.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("retier: " + path + " is left behind");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
