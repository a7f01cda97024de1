package dev.retier.volume.serve;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.JournalRecord.Maker;
import dev.retier.volume.wire.Names;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Snapshots of volumes, and what is made of them. Thread-safe. */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    /** Who asks again does so soon: it waits for its answer. */
    private static final int MOST_DONE = 1024;

    private final Pool pool;
    private final Uses uses;
    /** For one who does something. */
    private final ReentrantLock changing = new ReentrantLock();
    /** Guarded by the lock: whose requests were done by this process, the newest last. */
    private final LinkedHashSet<Maker> done = new LinkedHashSet<>();

    Upkeep(Pool pool, Uses uses) {
        this.pool = pool;
        this.uses = uses;
    }

    /** Does what is asked for by names behind a request; if that request has done it before, nothing. */
    void perform(Maker by, Request request, ByteBuffer data) throws IOException {
        changing.lock();
        try {
            if (!done.contains(by)) {
                perform(request, data);
                done.addLast(by);
                if (done.size() > MOST_DONE) {
                    done.removeFirst();
                }
            }
        } finally {
            changing.unlock();
        }
        pool.flush();
    }

    private void perform(Request request, ByteBuffer data) throws IOException {
        switch (request.operation()) {
            case SNAPSHOT -> {
                List<VolumeName> names = names(data, 2);
                snapshot(volume(names.getFirst()), names.get(1));
            }
            case ROLL_BACK -> {
                List<VolumeName> names = names(data, 2);
                rollBack(volume(names.getFirst()), request.epoch(), snapshot(names));
            }
            case CLONE -> {
                List<VolumeName> names = names(data, 3);
                int snapshot = snapshot(names);
                require(pool.catalogue().numberOf(names.get(2)).isEmpty(), "a volume " + names.get(2));
                pool.copy(snapshot, names.get(2));
            }
            case DELETE_SNAPSHOT -> pool.delete(snapshot(names(data, 2)));
            default -> throw new IllegalArgumentException("not to be asked for here");
        }
    }

    private static List<VolumeName> names(ByteBuffer data, int count) {
        return Names.parse(data, count)
                .orElseThrow(() -> new Refusal(Status.WRONG_NAME, "what came are not " + count + " names"));
    }

    private int volume(VolumeName name) {
        return Named.volume(pool.catalogue(), name.value());
    }

    /** The number of a snapshot, by the names of its volume and its own. */
    int snapshot(List<VolumeName> names) {
        return pool.catalogue()
                .snapshotOf(volume(names.getFirst()), names.get(1))
                .orElseThrow(() -> new Refusal(
                        Status.WRONG_NAME, "there is no snapshot \"" + names.get(1) + "\" of " + names.getFirst()));
    }

    private static void require(boolean isFree, String what) {
        if (!isFree) {
            throw new Refusal(Status.WRONG_NAME, "there is " + what + " already");
        }
    }

    /** What the journal alone has, volume and snapshot would each take room for: so clusters get it before. */
    private void snapshot(int volume, VolumeName name) throws IOException {
        require(pool.catalogue().snapshotOf(volume, name).isEmpty(), "a snapshot " + name);
        pool.requireChangeable();
        try {
            pool.checkpoint();
        } catch (NoSpaceException full) {
            LOG.warn("a snapshot takes more room than it needs: {}", full.getMessage());
        }
        pool.snapshot(volume, name);
    }

    /** Who had it attached last, and comes back, is fenced: what it remembers of the volume is not true any more. */
    private void rollBack(int volume, int epoch, int snapshot) throws IOException {
        uses.replace(volume, epoch, () -> pool.rollBack(volume, snapshot));
    }
}
