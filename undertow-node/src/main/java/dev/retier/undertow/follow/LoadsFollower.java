package dev.retier.undertow.follow;

import dev.retier.balance.Loads;
import dev.retier.balance.LoadsPage;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jboss.logging.Logger;
import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Follows the file by which the agent tells how busy the apps are. It is read, not mapped: a file that somebody cuts
 * short while it is mapped ends the thread that looks at it. A file that is missing, short, of another version or
 * damaged is as no file, which is said once; and figures that have not changed for their staleness, by this process's
 * own clock, are as none. Used by one thread at a time.
 */
public final class LoadsFollower implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(LoadsFollower.class);

    /** Between two tries to open a file that is not there, or that tells nothing new: it may be another one now. */
    private static final long REOPEN_NANOS = 1_000_000_000;

    private final String node;
    private final Path file;
    private final Listener listener;
    private final ByteBuffer page = ByteBuffer.allocate(LoadsPage.LENGTH_BYTES);
    private @Nullable FileChannel channel;
    private @Nullable Loads newest;
    private boolean isNumberKnown;
    private long lastNumber;
    private String said = "nothing was told yet";
    private long changedNanos;
    private long openedNanos;

    /** Hears of figures. */
    public interface Listener {
        /** These are the newest; {@link #lost} follows when there are no others in time. */
        void told(Loads loads);

        /** There are none any more. */
        void lost();
    }

    /**
     * Follows the file beside {@code roleFile} for {@code node}.
     *
     * @param nowNanos of the clock of all calls
     */
    public LoadsFollower(String node, Path roleFile, Listener listener, long nowNanos) {
        this.node = node;
        this.file = roleFile.resolveSibling(roleFile.getFileName() + LoadsPage.SUFFIX);
        this.listener = listener;
        this.openedNanos = nowNanos - REOPEN_NANOS;
    }

    /** Looks at the file once. */
    public void poll(long nowNanos) {
        try {
            if (newest == null && nowNanos - openedNanos >= REOPEN_NANOS) {
                open(nowNanos);
            }
            if (channel != null) {
                read(channel, nowNanos);
            }
        } catch (NoSuchFileException e) {
            say(Level.INFO, "there is no " + file);
        } catch (IOException e) {
            close();
            lose(Level.WARN, file + " cannot be read (" + IoReason.of(e) + ")");
        }
        Loads last = newest;
        if (last != null && nowNanos - changedNanos >= last.stalenessNanos()) {
            lose(Level.INFO, file + " tells nothing new");
        }
    }

    private void open(long nowNanos) throws IOException {
        openedNanos = nowNanos;
        close();
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("not a regular file"); // to open a pipe would wait for who writes
        }
        channel = FileChannel.open(file, StandardOpenOption.READ);
    }

    private void read(FileChannel from, long nowNanos) throws IOException {
        fill(from, LoadsPage.HEADER_BYTES);
        boolean isWhole = page.limit() == LoadsPage.HEADER_BYTES;
        if (isWhole && isNumberKnown && LoadsPage.number(page) == lastNumber) {
            return;
        }
        fill(from, LoadsPage.LENGTH_BYTES);
        switch (LoadsPage.parse(page)) {
            case LoadsPage.Reading.Whole(Loads loads) -> take(loads, nowNanos);
            case LoadsPage.Reading.Torn _ -> {
                if (newest == null) {
                    say(Level.WARN, file + " is damaged");
                } // else the next poll finds it whole, if it is only being written
            }
            case LoadsPage.Reading.Refused(String reason) -> lose(Level.WARN, file + ": " + reason);
        }
    }

    /** Reads so many bytes from the beginning, or all that there are. */
    private void fill(FileChannel from, int lengthBytes) throws IOException {
        page.clear().limit(lengthBytes);
        int read = 0;
        while (page.hasRemaining() && read >= 0) {
            read = from.read(page, page.position());
        }
        page.flip();
    }

    /** What lies there at first may be left from an agent that is gone: it counts once its number has changed. */
    private void take(Loads loads, long nowNanos) {
        boolean isAlive = isNumberKnown;
        isNumberKnown = true;
        lastNumber = loads.number();
        if (isAlive) {
            changedNanos = nowNanos;
            newest = loads;
            listener.told(loads);
            if (!said.isEmpty()) {
                said = "";
                LOG.infof(
                        "%s goes by the loads of %d apps in %s",
                        node, loads.apps().size(), file);
            }
        }
    }

    private void lose(Level level, String why) {
        if (newest != null) {
            newest = null;
            listener.lost();
        }
        say(level, why);
    }

    private void say(Level level, String why) {
        if (!why.equals(said)) {
            said = why;
            LOG.logf(level, "%s sends to the apps that have the fewest of its own requests: %s", node, why);
        }
    }

    /** Lets go of the file. */
    @Override
    public void close() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debugf("%s: closing %s: %s", node, file, e);
            }
        }
    }
}
