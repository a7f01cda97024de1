package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import java.io.IOException;

/**
 * Whether a pool takes changes: not any more once one has failed, as then nobody knows what the disk has. One for which
 * there was no room has changed nothing, and does not count. Thread-safe.
 */
final class Health {
    private final PoolFiles files;
    /** Why nothing can be changed any more; empty while it can. */
    private volatile String failure = "";
    /** Whether that is for want of room alone, before anything was changed. */
    private volatile boolean isShort;

    /** What of the journal and the disk may fail. */
    interface Change {
        void make() throws IOException;
    }

    Health(PoolFiles files) {
        this.files = files;
    }

    /** Why it takes no changes any more; empty while it does. */
    String failure() {
        return failure;
    }

    boolean isFailed() {
        return !failure.isEmpty();
    }

    /** Refuses once it has failed; as all that finds no room if that is why, as who asked may do it again then. */
    void require() throws IOException {
        if (isShort) {
            throw new NoSpaceException("the pool takes no changes: " + failure + ", then start the server anew");
        }
        if (isFailed()) {
            throw new IOException("the pool takes no changes since it failed (" + failure + "); start the server anew");
        }
    }

    void make(Change change) throws IOException {
        require();
        try {
            change.make();
        } catch (NoSpaceException full) {
            throw full;
        } catch (IOException | RuntimeException | Error failed) {
            failure = failed.toString();
            suspect(failed);
            throw failed;
        }
    }

    /**
     * The kernel tells once of what it could not write, and has its memory of that for good: another process that reads
     * the journal would find it there, and force it with success.
     */
    private void suspect(Throwable failed) {
        try {
            files.suspect();
        } catch (IOException | RuntimeException also) {
            failed.addSuppressed(also);
        }
    }

    /** From now on it takes no changes, though nothing has failed. */
    void refuse(String why) {
        failure = why;
    }

    /** The same, for want of room. */
    void refuseForRoom(String why) {
        refuse(why);
        isShort = true;
    }

    void close() {
        if (!isFailed()) {
            failure = "it is closed";
        }
    }
}
