package dev.retier.volume.serve;

import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.disk.PoolFigures;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.pool.JournalRecord.Maker;
import dev.retier.volume.session.Attachments.Wish;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Details;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Names;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what clients ask for about volumes as a whole; each has a thread of its own, as it may have to wait for what
 * runs, or for the disk. What comes again after a lost connection does no harm, and says that it was done when it was.
 * Thread-safe.
 */
final class Management {
    private static final Logger LOG = LoggerFactory.getLogger(Management.class);

    private final Pool pool;
    private final Uses uses;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("volume-manage-", 0).factory());

    private final Recorder recorder;
    private final Upkeep upkeep;
    private final Looks looks;
    /** For one who makes a volume, or gives it another size. */
    private final ReentrantLock changing = new ReentrantLock();

    /** By a clock in nanoseconds. */
    Management(Pool pool, Uses uses, Tally tally, LongSupplier clock) {
        this.pool = pool;
        this.uses = uses;
        this.recorder = new Recorder(clock);
        this.upkeep = new Upkeep(pool, uses);
        this.looks = new Looks(pool, tally);
    }

    /** Of what is asked of volumes. */
    Recorder recorder() {
        return recorder;
    }

    /** Takes a request; {@code data} is the caller's. */
    void take(Asked asked, ByteBuffer data) {
        ByteBuffer own = ByteBuffer.allocate(data.remaining()).put(data).flip();
        try {
            threads.execute(() -> asked.answering(() -> manage(asked, own)));
        } catch (RejectedExecutionException closing) {
            LOG.debug("the server ends: {} is for the next one", asked.request());
        }
    }

    /** Waits until all is done; nothing more is taken. To be called again if interrupted. */
    void close() throws InterruptedException {
        threads.shutdown();
        while (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            LOG.warn("what clients asked for about volumes as a whole has not ended in a minute");
        }
    }

    private void manage(Asked asked, ByteBuffer data) throws IOException, InterruptedException {
        Request request = asked.request();
        if (asked.client().isOver()) {
            return; // its client asks again by another connection, and nothing of this one may come later
        }
        switch (request.operation()) {
            case ATTACH -> attach(asked, data);
            case RESUME -> resume(asked);
            case CREATE -> create(asked, text(data));
            case DELETE -> delete(asked);
            case RESIZE -> resize(asked, data);
            case EVICT -> evict(asked);
            case LIST -> list(asked);
            case SHOW -> show(asked, text(data));
            case TRACE -> trace(asked, text(data));
            case SCRUB -> looks.scrub(asked);
            case TRIM -> looks.trim(asked);
            case SNAPSHOT, ROLL_BACK, CLONE, DELETE_SNAPSHOT -> {
                upkeep.perform(new Maker(asked.client().life(), request.sequence()), request, data);
                asked.done(0);
            }
            default -> throw new IllegalArgumentException("not to be asked for here");
        }
    }

    private static String text(ByteBuffer data) {
        return StandardCharsets.US_ASCII.decode(data).toString();
    }

    private void attach(Asked asked, ByteBuffer data) throws IOException, InterruptedException {
        Request request = asked.request();
        Optional<List<VolumeName>> snapshot = request.isForReading() ? Names.parse(data, 2) : Optional.empty();
        int volume = snapshot.isPresent() ? upkeep.snapshot(snapshot.get()) : number(text(data));
        ServedClient client = asked.client();
        answer(
                asked,
                volume,
                request.isForReading()
                        ? uses.read(volume, client)
                        : uses.attach(volume, new Wish(client.life(), request.isByForce()), client));
    }

    private void resume(Asked asked) throws InterruptedException {
        Request request = asked.request();
        int volume = request.volume();
        answer(
                asked,
                volume,
                request.epoch() == 0
                        ? uses.read(volume, asked.client())
                        : uses.resume(volume, request.epoch(), asked.client()));
    }

    private void answer(Asked asked, int volume, Opened opened) {
        Opened before = asked.client().opened().put(volume, opened);
        if (asked.client().isOver()) {
            asked.client().lost(); // it may have gone before it had this
        } else if (before != null) {
            uses.left(before.use());
        }
        long bytes = opened.volume().bytes();
        asked.done(new Answer(Status.DONE, asked.request().sequence(), volume, opened.epoch(), bytes), 0);
    }

    private int number(String name) {
        return Named.volume(pool.catalogue(), name);
    }

    /** One that comes again finds what it has made. */
    private void create(Asked asked, String name) throws IOException {
        VolumeName wanted = new VolumeName(name);
        Maker maker = new Maker(asked.client().life(), asked.request().sequence());
        changing.lock();
        try {
            Optional<Integer> known = pool.catalogue().numberOf(wanted);
            if (known.isEmpty()) {
                pool.create(wanted, asked.request().offset(), maker);
            } else if (!maker.equals(entry(known.get()).maker())) {
                throw new Refusal(Status.WRONG_NAME, "there is a volume " + wanted + " already");
            }
        } finally {
            changing.unlock();
        }
        pool.flush();
        asked.done(0);
    }

    /** Numbers are never given twice: one that is gone is what was asked for. */
    private void delete(Asked asked) throws IOException {
        int volume = asked.request().volume();
        if (pool.catalogue().volumes().containsKey(volume)) {
            uses.whileFree(volume, () -> pool.delete(volume));
            uses.deleted(volume);
        }
        pool.flush();
        asked.done(0);
    }

    /** From the size that the client has seen: one that comes late changes nothing of what somebody else has done. */
    private void resize(Asked asked, ByteBuffer data) throws IOException {
        if (data.remaining() != Long.BYTES) {
            throw new IllegalArgumentException("it does not say which size the volume has");
        }
        long expected = data.order(ByteOrder.LITTLE_ENDIAN).getLong();
        changing.lock();
        try {
            resize(asked.request().volume(), expected, asked.request().offset());
        } finally {
            changing.unlock();
        }
        pool.flush();
        asked.done(0);
    }

    private void resize(int volume, long expected, long bytes) throws IOException {
        Catalogue.Entry entry = entry(volume);
        if (entry.bytes() != bytes && entry.bytes() != expected) {
            throw new Refusal(Status.INVALID, "somebody else has given it " + entry.bytes() + " bytes meanwhile");
        }
        if (bytes < entry.bytes()) {
            uses.whileFree(volume, () -> {
                uses.fence(volume);
                pool.resize(volume, bytes);
            });
        } else if (bytes > entry.bytes()) {
            pool.resize(volume, bytes);
        }
    }

    private Catalogue.Entry entry(int volume) {
        Catalogue.Entry entry = Named.entry(pool.catalogue(), volume);
        if (entry.isSnapshot()) {
            throw new Refusal(Status.WRONG_NAME, entry.name() + " is a snapshot");
        }
        return entry;
    }

    /** From whoever has it by that epoch; a higher one says that this was done before. */
    private void evict(Asked asked) throws IOException, InterruptedException {
        int volume = asked.request().volume();
        if (entry(volume).epoch() == asked.request().epoch()) {
            uses.attach(volume, new Wish(0, true), null);
        }
        asked.done(0);
    }

    private Listing listing(int volume, Catalogue.Entry entry, PoolFigures.Taken taken) {
        String writer = uses.writer(volume, entry).map(Uses.Known::name).orElse("");
        return new Listing(
                volume, entry.name(), entry.bytes(), entry.epoch(), writer, entry.parent(), taken.usedBytes());
    }

    private void trace(Asked asked, String name) {
        Request request = asked.request();
        ByteBuffer room = asked.room();
        long first = recorder.take(number(name), request.offset(), room);
        asked.done(new Answer(Status.DONE, request.sequence(), 0, 0, first), room.position() - Answer.BYTES);
    }

    private void list(Asked asked) throws IOException {
        Map<Integer, PoolFigures.Taken> taken = pool.figures().volumes();
        ByteBuffer room = asked.room();
        boolean isMore = false;
        for (Map.Entry<Integer, Catalogue.Entry> entry :
                pool.catalogue().entries().tailMap(asked.request().volume()).entrySet()) {
            PoolFigures.Taken its = taken.getOrDefault(entry.getKey(), PoolFigures.Taken.NOTHING);
            if (!listing(entry.getKey(), entry.getValue(), its).put(room)) {
                isMore = true;
                break;
            }
        }
        asked.done(
                new Answer(Status.DONE, asked.request().sequence(), 0, 0, isMore ? 1 : 0),
                room.position() - Answer.BYTES);
    }

    private void show(Asked asked, String name) throws IOException {
        int volume = number(name);
        Catalogue.Entry entry = entry(volume);
        long since = uses.writer(volume, entry)
                .map(writer -> writer.since().toEpochMilli())
                .orElse(0L);
        PoolFigures figures = pool.figures();
        ByteBuffer room = asked.room();
        PoolFigures.Taken taken = figures.volumes().getOrDefault(volume, PoolFigures.Taken.NOTHING);
        new Details(listing(volume, entry, taken), since, uses.readers(volume)).put(room);
        asked.done(room.position() - Answer.BYTES);
    }
}
