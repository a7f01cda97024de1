package dev.retier.agent.apply;

import dev.retier.balance.Loads;
import dev.retier.balance.LoadsPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file by which a web-node is told how busy its apps are. It is written in place and never forced to disk, by a
 * thread of its own, as a disk that stands still must hold up no look; what comes meanwhile takes the place of what
 * waits. A link in its place is not followed. Thread-safe.
 */
public final class LoadsFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");

    private final String node;
    private final Path file;
    private final AtomicReference<@Nullable Loads> waiting = new AtomicReference<>();
    private final ExecutorService writer;
    private @Nullable FileChannel channel;
    private @Nullable Object key;
    private String problem = "";

    /** The file beside the role file of a node; it is made with the first loads. */
    public LoadsFile(String node, Path roleFile) {
        this.node = node;
        this.file = roleFile.resolveSibling(roleFile.getFileName() + LoadsPage.SUFFIX);
        this.writer = Executors.newSingleThreadExecutor(
                Thread.ofVirtual().name("retier-loads-" + node).factory());
    }

    /** Writes these, soon. */
    public void offer(Loads loads) {
        if (waiting.getAndSet(loads) == null) {
            writer.execute(this::writeNewest);
        }
    }

    private void writeNewest() {
        Loads loads = waiting.getAndSet(null);
        if (loads == null) {
            return;
        }
        try {
            write(loads);
            problem = "";
        } catch (IOException e) {
            letGo();
            if (!problem.equals(e.toString())) {
                problem = e.toString();
                LOG.warn("{}: its proxy goes without the loads of its apps: {}: {}", node, file, problem);
            }
        }
    }

    private void write(Loads loads) throws IOException {
        FileChannel open = channel;
        if (open == null || !isInPlace()) {
            letGo();
            open = open();
            channel = open;
        }
        ByteBuffer page = LoadsPage.emit(loads);
        while (page.hasRemaining()) {
            open.write(page, page.position());
        }
    }

    /** Whether the file that is open is still the one of that name. */
    private boolean isInPlace() throws IOException {
        try {
            return Objects.equals(key, attributes().fileKey());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private BasicFileAttributes attributes() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private FileChannel open() throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) != LoadsPage.LENGTH_BYTES) {
            make();
        }
        key = attributes().fileKey();
        return FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    /** Puts a file of the whole length there in one step: no reader finds it short. */
    private void make() throws IOException {
        Path staged = file.resolveSibling("." + file.getFileName() + ".staged");
        Files.deleteIfExists(staged);
        Files.write(staged, new byte[LoadsPage.LENGTH_BYTES], StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.move(staged, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void letGo() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("{}: closing {}: {}", node, file, e.toString());
            }
        }
    }

    /** Writes no more; what is there becomes stale by itself. */
    @Override
    public void close() {
        writer.execute(this::letGo);
        writer.shutdown();
    }
}
