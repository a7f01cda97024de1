package dev.retier.volume.serve;

import dev.retier.volume.Volume.Extent;
import dev.retier.volume.Volume.Hint;
import dev.retier.volume.Volume.Option;
import dev.retier.volume.config.Care;
import dev.retier.volume.session.Attachments.Admission;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Extents;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Does what clients ask for. What waits for nothing is done by the thread that requests come by, the rest of an
 * attachment's on a disk thread; what may have to wait for others has a thread of its own. Each is answered once.
 * Thread-safe.
 */
final class Service {
    private static final String NOT_ATTACHED = "the volume is not attached by this client, or no more";

    /** What one request for extents looks at. */
    static final long MOST_EXTENTS_BYTES = 256 << 20;

    /** No number of bytes: it would have to wait. */
    private static final int LATER = -1;

    private final Uses uses;
    private final DiskThreads threads;
    private final Flushes flushes;
    private final Management management;
    private final Tally tally;
    private final Recorder recorder;
    private final AtomicLong lastNumber = new AtomicLong();

    /**
     * What is brought to the disk.
     *
     * @param ofAll whether each change is before it is answered, also where nobody has asked for that
     */
    record Flushes(Flusher flusher, boolean ofAll) {
        private boolean isDue(Request request) {
            return request.operation() == Operation.FLUSH
                    || request.isForced()
                    || (ofAll && request.operation().isChange());
        }
    }

    Service(Management management, Uses uses, DiskThreads threads, Flushes flushes, Tally tally) {
        this.management = management;
        this.recorder = management.recorder();
        this.uses = uses;
        this.threads = threads;
        this.flushes = flushes;
        this.tally = tally;
    }

    /** What it counts. */
    Tally tally() {
        return tally;
    }

    /** Of a connection that is made now, higher than those of all before. */
    long number() {
        return lastNumber.incrementAndGet();
    }

    DiskThreads.Line line() {
        return threads.new Line(Care.HIGHEST);
    }

    /** A client has said who it is. */
    void opened(ServedClient client) {
        uses.connected(client);
    }

    /** The connection over which these were used is over. */
    void lost(ServedClient client, Set<Opened> opened) {
        uses.lost(client, opened.stream().map(Opened::use).collect(Collectors.toSet()));
    }

    /** On a disk thread. */
    void take(ServedClient client, int slot, Request request, ByteBuffer data) {
        Asked asked = new Asked(client, slot, request, tally, System.nanoTime());
        if (request.operation().needsAttachment()) {
            Opened opened = client.opened().get(request.volume());
            if (opened == null || opened.epoch() != request.epoch()) {
                asked.refuse(Status.FENCED, NOT_ATTACHED);
            } else if (opened.isForReading() && request.operation().isChange()) {
                asked.refuse(Status.INVALID, "the volume is attached for reading");
            } else {
                switch (uses.begin(opened.use())) {
                    case RUNS -> use(asked, opened, () -> perform(asked, opened, data));
                    case WAITS -> asked.refuse(Status.BUSY, "somebody is about to have the volume");
                    case FENCED -> asked.refuse(Status.FENCED, NOT_ATTACHED);
                }
            }
        } else {
            management.take(asked, data);
        }
    }

    /**
     * As {@link #take} what waits for nothing: reads of what is in memory, and what others carry on; on the thread that
     * the client's requests come by, which never waits for a disk.
     *
     * @return whether it was, or will be, answered; else nothing was done
     */
    boolean takeNow(ServedClient client, int slot, Request request) {
        if (!mayBeNow(request)) {
            return false;
        }
        Opened opened = client.opened().get(request.volume());
        if (opened == null || opened.epoch() != request.epoch() || uses.begin(opened.use()) != Admission.RUNS) {
            return false;
        }
        Asked asked = new Asked(client, slot, request, tally, System.nanoTime());
        return use(asked, opened, () -> performNow(asked, opened));
    }

    private static boolean mayBeNow(Request request) {
        return switch (request.operation()) {
            case READ -> !request.isOnce();
            case HINT -> !request.isNotNeeded();
            case FLUSH -> true;
            default -> false;
        };
    }

    /** What is done for a request. */
    private interface Performance {
        /** How many bytes of data the answer has, or {@link #LATER}. */
        int bytes() throws IOException;
    }

    /** Whether it was, or will be, answered. */
    private boolean use(Asked asked, Opened opened, Performance performance) {
        boolean isFlush = flushes.isDue(asked.request());
        int[] bytes = new int[1];
        boolean isDone = false;
        try {
            isDone = asked.answering(() -> bytes[0] = performance.bytes());
        } finally {
            if (!isDone || !isFlush || bytes[0] == LATER) {
                end(opened);
            }
        }
        if (bytes[0] == LATER) {
            return false;
        }
        recorder.note(asked.request());
        if (isDone && isFlush) {
            flushes.flusher.flush(forced -> {
                end(opened);
                if (forced.status() == Status.DONE) {
                    asked.done(0);
                } else {
                    asked.refuse(forced.status(), forced.why());
                }
            });
        } else if (isDone) {
            asked.done(bytes[0]);
        }
        return true;
    }

    private void end(Opened opened) {
        uses.end(opened.use());
    }

    /** Returns how many bytes of data the answer has. */
    private int perform(Asked asked, Opened opened, ByteBuffer data) throws IOException {
        Request request = asked.request();
        return switch (request.operation()) {
            case READ -> read(asked, opened);
            case WRITE -> {
                if (data.remaining() != request.length()) {
                    throw new IllegalArgumentException(
                            data.remaining() + " bytes of data for a range of " + request.length());
                }
                opened.volume().write(request.offset(), data, request.isWhole() ? Set.of(Option.WHOLE) : Set.of());
                yield 0;
            }
            case ZERO -> {
                opened.volume().zero(request.offset(), Integer.toUnsignedLong(request.length()));
                yield 0;
            }
            case EXTENTS -> {
                ByteBuffer room = asked.room();
                Extents.put(extents(opened, request), room);
                yield room.position() - Answer.BYTES;
            }
            case HINT -> hint(opened, request);
            case DETACH -> {
                asked.client().opened().remove(request.volume(), opened);
                opened.volume().leave();
                uses.detach(request.volume(), opened.use(), opened.epoch());
                yield 0;
            }
            default -> 0;
        };
    }

    private static int performNow(Asked asked, Opened opened) throws IOException {
        Request request = asked.request();
        return switch (request.operation()) {
            case READ -> opened.volume().readNow(request.offset(), room(asked)) ? request.length() : LATER;
            case HINT -> hint(opened, request);
            default -> 0;
        };
    }

    /** How many bytes of its range it looks at, of a request that moves none of them. */
    static long lookedAt(Request request) {
        return Math.min(
                Integer.toUnsignedLong(request.length()),
                request.operation() == Operation.EXTENTS ? MOST_EXTENTS_BYTES : Request.MOST_HINT_BYTES);
    }

    /** The first ones of its range: whoever asks goes on where an answer ends. */
    private static List<Extent> extents(Opened opened, Request request) {
        long left = opened.volume().bytes() - request.offset() - Integer.toUnsignedLong(request.length());
        if (left < 0) {
            throw new IllegalArgumentException(Integer.toUnsignedLong(request.length()) + " bytes at "
                    + request.offset() + " of a volume of " + opened.volume().bytes());
        }
        return opened.volume().extents(request.offset(), lookedAt(request));
    }

    private static int hint(Opened opened, Request request) {
        long length = Integer.toUnsignedLong(request.length());
        if (length > Request.MOST_HINT_BYTES) {
            throw new IllegalArgumentException("a hint of " + length + " bytes; " + Request.MOST_HINT_BYTES
                    + " are the most that one may be about");
        }
        opened.volume().hint(request.offset(), length, request.isNotNeeded() ? Hint.WILL_NOT_NEED : Hint.WILL_NEED);
        return 0;
    }

    private static int read(Asked asked, Opened opened) throws IOException {
        opened.volume()
                .read(asked.request().offset(), room(asked), asked.request().isOnce());
        return asked.request().length();
    }

    /** For the data of the answer. */
    private static ByteBuffer room(Asked asked) {
        ByteBuffer room = asked.room();
        int length = asked.request().length();
        if (length < 0 || length > room.remaining()) {
            throw new IllegalArgumentException(length + " bytes do not fit a slot");
        }
        return room.limit(room.position() + length);
    }
}
