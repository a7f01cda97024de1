package dev.retier.volume.serve;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.Volume;
import dev.retier.volume.Volume.Extent;
import dev.retier.volume.Volume.Option;
import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.CorruptBlockException;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.disk.PoolFigures.Taken;
import dev.retier.volume.pool.Catalogue;
import dev.retier.volume.session.Attachments.Outcome;
import dev.retier.volume.session.Attachments.Wish;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Extents;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what clients ask for. Requests of an attachment run on a disk thread; what may have to wait for others has a
 * thread of its own. Each is answered once. Thread-safe.
 */
final class Service {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);

    private final Pool pool;
    private final Uses uses;
    private final DiskThreads threads;
    private final Flusher flusher;
    private final Tally tally;
    private final Recorder recorder = new Recorder();
    private final Upkeep upkeep;

    Service(Pool pool, Uses uses, DiskThreads threads, Flusher flusher, Tally tally) {
        this.pool = pool;
        this.uses = uses;
        this.threads = threads;
        this.flusher = flusher;
        this.tally = tally;
        this.upkeep = new Upkeep(pool, uses);
    }

    /** What it counts. */
    Tally tally() {
        return tally;
    }

    DiskThreads.Line line() {
        return threads.new Line();
    }

    /** The connection over which these were used is over. */
    void lost(Set<Opened> opened) {
        uses.lost(opened.stream().map(Opened::use).collect(Collectors.toSet()));
    }

    /** A request to be answered. */
    private record Asked(ServedClient client, int slot, Request request, Tally tally, long sinceNanos) {
        void done(Answer answer, int dataBytes) {
            count(Status.DONE, dataBytes);
            client.answer(slot, answer, dataBytes);
        }

        void done(int dataBytes) {
            done(Answer.of(Status.DONE, request.sequence()), dataBytes);
        }

        void refuse(Status status, String why) {
            count(status, 0);
            client.refuse(slot, request, status, why);
        }

        private void count(Status status, int dataBytes) {
            tally.answered(request, status, dataBytes, System.nanoTime() - sinceNanos);
        }
    }

    /** On a disk thread. */
    void take(ServedClient client, int slot, Request request, ByteBuffer data) {
        Asked asked = new Asked(client, slot, request, tally, System.nanoTime());
        if (request.operation().needsAttachment()) {
            Opened opened = client.opened().get(request.volume());
            if (opened == null || opened.epoch() != request.epoch() || !uses.begin(opened.use())) {
                asked.refuse(Status.FENCED, "the volume is not attached by this client, or no more");
            } else {
                recorder.note(request);
                use(asked, opened, data);
            }
        } else if (request.operation().isUpkeep()) {
            ByteBuffer names = ByteBuffer.allocate(data.remaining()).put(data).flip();
            Thread.startVirtualThread(() -> answering(asked, () -> {
                if (!client.isOver()) {
                    upkeep.perform(request, names);
                    asked.done(0);
                }
            }));
        } else {
            String name = StandardCharsets.US_ASCII.decode(data.duplicate()).toString();
            Thread.startVirtualThread(() -> answering(asked, () -> manage(asked, name)));
        }
    }

    /** What may fail. */
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** Whether it did not fail; if it did, that is the answer. */
    private static boolean answering(Asked asked, Step step) {
        try {
            step.run();
            return true;
        } catch (Refusal refusal) {
            asked.refuse(refusal.status(), String.valueOf(refusal.getMessage()));
        } catch (IllegalArgumentException impossible) {
            asked.refuse(Status.INVALID, String.valueOf(impossible.getMessage()));
        } catch (CorruptBlockException rotten) {
            asked.tally.damaged(asked.request.volume());
            asked.refuse(Status.IO_ERROR, String.valueOf(rotten.getMessage()));
        } catch (NoSpaceException full) {
            asked.refuse(Status.NO_SPACE, String.valueOf(full.getMessage()));
        } catch (IOException failed) {
            asked.refuse(Status.IO_ERROR, String.valueOf(failed.getMessage()));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            asked.refuse(Status.BUSY, "the server ends");
        } catch (RuntimeException | Error fault) {
            LOG.error("{} could not be done", asked.request, fault);
            asked.refuse(Status.IO_ERROR, fault.toString());
        }
        return false;
    }

    private void use(Asked asked, Opened opened, ByteBuffer data) {
        boolean isFlush = asked.request.operation() == Operation.FLUSH || asked.request.isForced();
        int[] bytes = new int[1];
        boolean isDone = false;
        try {
            isDone = answering(asked, () -> bytes[0] = perform(asked, opened, data));
        } finally {
            if (!isDone || !isFlush) {
                end(opened);
            }
        }
        if (isDone && isFlush) {
            flusher.flush(failure -> {
                end(opened);
                if (failure.isEmpty()) {
                    asked.done(0);
                } else {
                    asked.refuse(Status.IO_ERROR, failure);
                }
            });
        } else if (isDone) {
            asked.done(bytes[0]);
        }
    }

    private void end(Opened opened) {
        uses.end(opened.use());
    }

    /** Returns how many bytes of data the answer has. */
    private int perform(Asked asked, Opened opened, ByteBuffer data) throws IOException {
        Request request = asked.request;
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
                ByteBuffer room = asked.client.room(asked.slot);
                List<Extent> extents =
                        opened.volume().extents(request.offset(), Integer.toUnsignedLong(request.length()));
                Extents.put(extents, room);
                yield room.position() - Answer.BYTES;
            }
            case DETACH -> {
                asked.client.opened().remove(request.volume(), opened);
                uses.detach(request.volume(), opened.use(), opened.epoch());
                yield 0;
            }
            default -> 0;
        };
    }

    private static int read(Asked asked, Opened opened) throws IOException {
        ByteBuffer room = asked.client.room(asked.slot);
        int length = asked.request.length();
        if (length < 0 || length > room.remaining()) {
            throw new IllegalArgumentException(length + " bytes do not fit a slot");
        }
        opened.volume().read(asked.request.offset(), room.limit(room.position() + length));
        return length;
    }

    /** What may have to wait: for what runs, or for the disk. */
    private void manage(Asked asked, String name) throws IOException, InterruptedException {
        Request request = asked.request;
        if (asked.client.isOver()) {
            return; // its client asks again by another connection, and nothing of this one may come later
        }
        switch (request.operation()) {
            case ATTACH -> attach(asked, name);
            case RESUME -> resume(asked);
            case CREATE -> {
                VolumeName made = new VolumeName(name);
                if (pool.catalogue().numberOf(made).isPresent()) {
                    throw new Refusal(Status.WRONG_NAME, "there is a volume " + made + " already");
                }
                pool.create(made, request.offset());
                pool.flush();
                asked.done(0);
            }
            case DELETE -> {
                pool.delete(free(name));
                pool.flush();
                asked.done(0);
            }
            case RESIZE -> {
                resize(name, request.offset());
                asked.done(0);
            }
            case LIST -> list(asked);
            case TRACE -> {
                ByteBuffer room = asked.client.room(asked.slot);
                long first = recorder.take(number(name), request.offset(), room);
                asked.done(new Answer(Status.DONE, request.sequence(), 0, 0, first), room.position() - Answer.BYTES);
            }
            default -> throw new IllegalArgumentException("not to be asked for here");
        }
    }

    private void attach(Asked asked, String name) throws IOException, InterruptedException {
        int volume = number(name);
        Request request = asked.request;
        Wish wish = new Wish(asked.client.number(), request.epoch(), request.isByForce());
        answer(asked, volume, uses.attach(volume, wish));
    }

    private void resume(Asked asked) throws InterruptedException {
        Request request = asked.request;
        answer(asked, request.volume(), uses.resume(request.volume(), asked.client.number(), request.epoch()));
    }

    private void answer(Asked asked, int volume, Outcome.Granted granted) {
        DiskThreads.Line aside = line();
        Volume own = pool.volume(volume, granted.epoch(), work -> aside.add(work::accept));
        Opened opened = new Opened(granted.use(), granted.epoch(), own);
        asked.client.opened().put(volume, opened);
        long bytes = opened.volume().bytes();
        asked.done(new Answer(Status.DONE, asked.request.sequence(), volume, granted.epoch(), bytes), 0);
    }

    private int number(String name) {
        return VolumeName.parse(name)
                .flatMap(pool.catalogue()::numberOf)
                .orElseThrow(() -> new Refusal(Status.WRONG_NAME, "there is no volume \"" + name + "\" here"));
    }

    /** The number of a volume that nobody has. */
    private int free(String name) {
        int volume = number(name);
        int client = uses.client(volume);
        if (client != 0) {
            throw new Refusal(Status.HELD, "client " + client + " has " + name + " attached: detach it first");
        }
        return volume;
    }

    private void resize(String name, long bytes) throws IOException {
        int volume = number(name);
        if (bytes < pool.volume(volume, 0).bytes()) {
            volume = free(name);
        }
        pool.resize(volume, bytes);
        pool.flush();
    }

    private void list(Asked asked) throws IOException {
        Map<Integer, Taken> taken = pool.figures().volumes();
        ByteBuffer room = asked.client.room(asked.slot);
        boolean isMore = false;
        for (Map.Entry<Integer, Catalogue.Entry> entry :
                pool.catalogue().entries().tailMap(asked.request.volume()).entrySet()) {
            Catalogue.Entry volume = entry.getValue();
            int number = entry.getKey();
            Listing listing = new Listing(
                    number,
                    volume.name(),
                    volume.bytes(),
                    volume.epoch(),
                    uses.client(number),
                    volume.parent(),
                    taken.getOrDefault(number, Taken.NOTHING).usedBytes());
            if (!listing.put(room)) {
                isMore = true;
                break;
            }
        }
        asked.done(
                new Answer(Status.DONE, asked.request.sequence(), 0, 0, isMore ? 1 : 0),
                room.position() - Answer.BYTES);
    }
}
