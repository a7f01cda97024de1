package dev.retier.volume.worlds;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.Volume.Option;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.Pending;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.wire.Status;
import dev.retier.volume.worlds.Promises.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A program that has the volume for itself: attaches it, reads, writes, zeros and flushes, and gives it back. */
record Writer(VolumeName name) implements ClientMachine.Program {
    private static final int PART = Promises.PART_BYTES;
    private static final int MOST_UNDER_WAY = 6;
    private static final int MOST_PARTS = 24;

    @Override
    public void run(ClientMachine on) {
        Promises promises = on.stage().promises();
        while (on.isBusy()) {
            int before = promises.beginsToAttach();
            try {
                RemoteVolume volume = on.client().attach(name, on.random().nextInt(3) == 0);
                Promises.Attachment attachment = promises.attached(volume.epoch(), before);
                on.writes(volume);
                new Use(on, volume, attachment).run();
                promises.ended(attachment);
            } catch (IOException held) {
                on.pause(10_000_000, 300_000_000);
            }
        }
    }

    /** What of a request is still to be told. */
    private record UnderWay(Pending pending, Runnable whenDone, Consumer<IOException> whenFailed) {}

    /** One attachment. */
    private static final class Use {
        private final ClientMachine on;
        private final Promises promises;
        private final SplittableRandom random;
        private final RemoteVolume volume;
        private final Promises.Attachment attachment;
        private final Queue<UnderWay> underWay = new ArrayDeque<>();
        private boolean isOver;

        Use(ClientMachine on, RemoteVolume volume, Promises.Attachment attachment) {
            this.on = on;
            this.promises = on.stage().promises();
            this.random = on.random();
            this.volume = volume;
            this.attachment = attachment;
            var _ = volume.lost().thenAccept(why -> {
                if (why.status() == Status.FENCED) {
                    on.stage().counts().count(Counted.FENCED);
                }
            });
        }

        void run() throws IOException {
            int left = random.nextInt(10, 200);
            while (on.isBusy() && !isOver && left-- > 0) {
                try {
                    begin();
                } catch (IOException refused) {
                    isOver = true;
                }
                while (underWay.size() > random.nextInt(MOST_UNDER_WAY)) {
                    await(underWay.remove());
                }
                if (random.nextInt(4) == 0) {
                    on.pause(100_000, 20_000_000);
                }
            }
            while (!underWay.isEmpty()) {
                await(underWay.remove());
            }
            if (!on.isDead()) {
                Promises.Flushing flushing = promises.flushes(attachment);
                volume.close();
                flushed(flushing);
            }
        }

        private void flushed(Promises.Flushing flushing) {
            promises.flushed(flushing);
            if (on.hasSentAgain()) {
                on.stage().counts().count(Counted.SENT_AGAIN);
            }
        }

        private void await(UnderWay one) {
            try {
                one.pending.await();
            } catch (IOException failed) {
                if (!on.isDead()) {
                    one.whenFailed.accept(failed);
                    isOver = isOver || random.nextBoolean();
                }
                return;
            }
            if (!on.isDead()) {
                on.stage().counts().count(Counted.REQUESTS);
                one.whenDone.run();
            }
        }

        private void begin() throws IOException {
            int first = random.nextInt(promises.parts());
            int end = Math.min(promises.parts(), first + 1 + random.nextInt(MOST_PARTS));
            if (random.nextBoolean()) { // whole blocks
                first -= first % Promises.PARTS_OF_BLOCK;
                end = Math.min(promises.parts(), (end + 3) / Promises.PARTS_OF_BLOCK * Promises.PARTS_OF_BLOCK);
            }
            int what = random.nextInt(16);
            if (what < 8) {
                change(what == 0 ? Kind.FORCED_WRITE : Kind.WRITE, first, end);
            } else if (what < 13) {
                read(first, end);
            } else if (what < 14) {
                change(Kind.ZERO, first, end);
            } else {
                Promises.Flushing flushing = promises.flushes(attachment);
                underWay.add(new UnderWay(volume.startFlush(), () -> flushed(flushing), _ -> {}));
            }
        }

        private void change(Kind kind, int first, int end) throws IOException {
            Promises.Change change = promises.begins(attachment, kind, first, end);
            Promises.Flushing flushing = promises.flushes(attachment);
            Wire wire = on.wire();
            long offset = (long) first * PART;
            Pending pending = switch (kind) {
                case ZERO -> volume.startZero(offset, (long) (end - first) * PART, Set.of());
                case WRITE -> volume.startWrite(offset, Set.of(), Numbers.data(change.number(), end - first));
                case FORCED_WRITE ->
                    volume.startWrite(offset, Set.of(Option.FORCED), Numbers.data(change.number(), end - first));
            };
            Runnable whenDone = () -> {
                promises.answered(change);
                if (kind == Kind.FORCED_WRITE) {
                    flushed(flushing);
                }
            };
            underWay.add(new UnderWay(pending, whenDone, failed -> failed(change, wire, failed)));
        }

        private void failed(Promises.Change change, @Nullable Wire wire, IOException failed) {
            if (!(failed instanceof NoSpaceException)) {
                return;
            }
            on.stage().counts().count(Counted.NO_ROOM);
            boolean isSentOnce = wire != null && wire.equals(on.wire()) && !wire.isOver();
            if (isSentOnce && isOneRecord(change)) {
                promises.refused(change);
            }
        }

        /** Whether it is one request, and one record of the server's journal: done as a whole, or not. */
        private boolean isOneRecord(Promises.Change change) {
            int most = volume.facts().mostBytes() / PART;
            int block = Promises.PARTS_OF_BLOCK;
            int last = change.end() - 1;
            boolean isOfBlocks = change.first() % block == 0 && change.end() % block == 0;
            return (isOfBlocks || change.first() / block == last / block)
                    && (change.isZero() || change.first() / most == last / most);
        }

        private void read(int first, int end) throws IOException {
            Reading reading = promises.reads(attachment, first, end);
            ByteBuffer into = ByteBuffer.allocate((end - first) * PART);
            Pending pending = volume.startRead((long) first * PART, into);
            underWay.add(new UnderWay(pending, () -> promises.read(reading, Numbers.of(into, promises)), failed -> {
                promises.ended(reading);
                Numbers.readFailed(on.stage(), volume, failed);
            }));
        }
    }
}
