package dev.retier.volume.worlds;

import dev.retier.link.Connection;
import dev.retier.link.Transport;
import dev.retier.link.auth.ClusterSecret;
import dev.retier.link.auth.Secrets;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.Completion;
import dev.retier.volume.connect.CompletionMode;
import dev.retier.volume.connect.Pending;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.UnconnectedClient;
import dev.retier.volume.wire.ClientName;
import dev.retier.volume.wire.Grant;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A machine with a client and a program that uses the volume. */
final class ClientMachine {
    private static final int PART = Promises.PART_BYTES;
    private static final long TICK_NANOS = 250_000_000;
    private static final int MOST_UNDER_WAY = 6;
    private static final int MOST_PARTS = 24;

    private final Threads threads;
    private final SplittableRandom random;
    private final Promises promises;
    private final ServerMachine server;
    private final UnconnectedClient client;
    private final int number;
    private @Nullable Wire wire;
    private boolean isDead;
    private boolean isCalm;
    private boolean hasEnded;
    private long done;

    ClientMachine(Threads threads, SplittableRandom random, Promises promises, ServerMachine server, int number) {
        this.threads = threads;
        this.random = random;
        this.promises = promises;
        this.server = server;
        this.number = number;
        ClientConfig config = new ClientConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                Secrets.only(ClusterSecret.of("a secret of this world")),
                Transport.IWARP,
                random.nextBoolean() ? Optional.empty() : Optional.of(Duration.ofMillis(random.nextInt(300, 3000))),
                random.nextBoolean() ? 64L << 20 : 32L << 10,
                new ClientName("machine " + number),
                Duration.ofSeconds(2),
                new Completion(CompletionMode.WAIT, Duration.ZERO, Completion.NEVER));
        this.client = new UnconnectedClient(config, threads::nowNanos);
        threads.start(this::keepConnected);
        threads.start(this::run);
        tick();
    }

    int number() {
        return number;
    }

    /** How many requests of its program were done. */
    long done() {
        return done;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    /** From now on its program ends what it is at, and does no more. */
    void calm() {
        isCalm = true;
    }

    /** It loses its power. */
    void die() {
        isDead = true;
        Wire mine = wire;
        if (mine != null) {
            mine.end(0, random.nextLong(1_000_000, 2_000_000_000L));
        }
        threads.after(0, client.client()::close);
    }

    private void tick() {
        if (!isDead && !hasEnded) {
            client.tick();
            threads.after(TICK_NANOS, this::tick);
        }
    }

    private void keepConnected() {
        while (!isDead && !hasEnded) {
            Wire mine = wire;
            if (mine == null || mine.isOver()) {
                wire = server.connect(this);
            }
            threads.pause(random.nextLong(5_000_000, 100_000_000));
        }
    }

    Connection connected(Wire by, Grant grant) {
        return client.connected(by.client(), grant);
    }

    private void run() {
        while (!isDead && !isCalm) {
            int before = promises.beginsToAttach();
            try {
                RemoteVolume volume = client.client().attach(server.name(), random.nextInt(3) == 0);
                Promises.Attachment attachment = promises.attached(volume.epoch(), before);
                new Use(volume, attachment).run();
                promises.ended(attachment);
            } catch (IOException held) {
                threads.pause(random.nextLong(10_000_000, 300_000_000));
            }
        }
        hasEnded = true;
    }

    /** What of a request is still to be told. */
    private record UnderWay(Pending pending, Runnable whenDone, Runnable whenFailed) {}

    /** One attachment. */
    private final class Use {
        private final RemoteVolume volume;
        private final Promises.Attachment attachment;
        private final Queue<UnderWay> underWay = new ArrayDeque<>();
        private boolean isOver;

        Use(RemoteVolume volume, Promises.Attachment attachment) {
            this.volume = volume;
            this.attachment = attachment;
        }

        void run() throws IOException {
            int left = random.nextInt(10, 200);
            while (!isDead && !isCalm && !isOver && left-- > 0) {
                try {
                    begin();
                } catch (IOException refused) {
                    isOver = true;
                }
                while (underWay.size() > random.nextInt(MOST_UNDER_WAY)) {
                    await(underWay.remove());
                }
                if (random.nextInt(4) == 0) {
                    threads.pause(random.nextLong(100_000, 20_000_000));
                }
            }
            while (!underWay.isEmpty()) {
                await(underWay.remove());
            }
            if (!isDead) {
                Promises.Flushing flushing = promises.flushes(attachment);
                volume.close();
                promises.flushed(flushing);
            }
        }

        private void await(UnderWay one) {
            try {
                one.pending.await();
            } catch (IOException failed) {
                if (!isDead) {
                    one.whenFailed.run();
                    isOver = isOver || random.nextBoolean();
                }
                return;
            }
            if (!isDead) {
                done++;
                one.whenDone.run();
            }
        }

        private void begin() throws IOException {
            int first = random.nextInt(promises.parts());
            int end = Math.min(promises.parts(), first + 1 + random.nextInt(MOST_PARTS));
            if (random.nextBoolean()) { // whole blocks
                first -= first % 4;
                end = Math.min(promises.parts(), (end + 3) / 4 * 4);
            }
            int what = random.nextInt(16);
            if (what < 8) {
                write(first, end);
            } else if (what < 13) {
                read(first, end);
            } else if (what < 14) {
                Promises.Change change = promises.begins(attachment, true, first, end);
                Pending pending = volume.startZero((long) first * PART, (long) (end - first) * PART, Set.of());
                underWay.add(new UnderWay(pending, () -> promises.answered(change), () -> {}));
            } else {
                Promises.Flushing flushing = promises.flushes(attachment);
                underWay.add(new UnderWay(volume.startFlush(), () -> promises.flushed(flushing), () -> {}));
            }
        }

        private void write(int first, int end) throws IOException {
            Promises.Change change = promises.begins(attachment, false, first, end);
            ByteBuffer data = ByteBuffer.allocate((end - first) * PART);
            while (data.hasRemaining()) {
                data.putLong(change.number());
            }
            Pending pending = volume.startWrite((long) first * PART, Set.of(), data.flip());
            underWay.add(new UnderWay(pending, () -> promises.answered(change), () -> {}));
        }

        private void read(int first, int end) throws IOException {
            Promises.Reading reading = promises.reads(attachment, first, end);
            ByteBuffer into = ByteBuffer.allocate((end - first) * PART);
            Pending pending = volume.startRead((long) first * PART, into);
            underWay.add(
                    new UnderWay(pending, () -> promises.read(reading, numbers(into)), () -> promises.failed(reading)));
        }
    }

    private long[] numbers(ByteBuffer from) {
        long[] numbers = new long[from.capacity() / PART];
        for (int at = 0; at < from.capacity(); at += Long.BYTES) {
            long number = from.getLong(at);
            if (at % PART == 0) {
                numbers[at / PART] = number;
            } else if (numbers[at / PART] != number) {
                promises.breach("a part has " + numbers[at / PART] + " and " + number);
                return numbers;
            }
        }
        return numbers;
    }
}
