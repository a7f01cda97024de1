package dev.retier.volume.connect;

import static dev.retier.volume.connect.OneServer.random;
import static dev.retier.volume.connect.OneServer.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.wire.Details;
import dev.retier.volume.wire.Operation;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What several clients ask of one server, and what is asked again. */
@Timeout(120)
class SharedVolumesIT extends ServerFixture {
    /** Asks for something while the server is ended and started anew again and again, and says how it went. */
    private interface Asking {
        void ask(VolumeClient client, VolumeName own, int round) throws IOException;
    }

    private void whileTheServerComesAndGoes(Asking asking) throws Exception {
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        CompletableFuture<Void> isOver = new CompletableFuture<>();
        for (int i = 0; i < 4; i++) {
            VolumeClient client = client();
            VolumeName own = new VolumeName("own-" + i);
            all.add(CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            int round = 0;
                            for (; !isOver.isDone(); round++) {
                                asking.ask(client, own, round);
                            }
                            return round;
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    each -> Thread.ofPlatform().start(each)));
        }
        for (int i = 0; i < 5; i++) {
            int before = server.pool().catalogue().lastNumber();
            await().atMost(Duration.ofSeconds(30))
                    .failFast(() -> all.stream().anyMatch(CompletableFuture::isDone))
                    .until(() -> server.pool().catalogue().lastNumber() > before + 4);
            server.stop();
            server.start();
        }
        isOver.complete(null);
        for (CompletableFuture<Integer> one : all) {
            assertThat(one.get(60, TimeUnit.SECONDS)).isPositive();
        }
    }

    /** A name is somebody's who made it: that it is there already is no refusal for who has asked again. */
    @Test
    void shouldSayThatItWasDone_whenTheAnswerWasLostWithTheServer() throws Exception {
        whileTheServerComesAndGoes((client, own, round) -> {
            client.create(own, 4096);
            client.resize(own, 8192 + 4096L * round);
            client.resize(own, 4096);
            client.delete(own);
        });
        assertThat(client().list()).isEmpty();
    }

    @Test
    void shouldChangeNothing_whenSomebodyElseHasChangedItMeanwhile() throws IOException {
        VolumeClient client = client();
        client.create(ACCOUNTS, 4096);
        assertThatThrownBy(() -> client().create(ACCOUNTS, 4096)).hasMessageContaining("already");
        VolumeClient other = client();
        other.create(new VolumeName("b"), 4096);
        assertThat(other.show(new VolumeName("b")).volume().number()).isEqualTo(2);
        other.delete(new VolumeName("b"));
        assertThatThrownBy(() -> other.resize(new VolumeName("b"), 8192)).hasMessageContaining("there is no volume");
    }

    /** What cannot be given is not taken: the one that has it goes on. */
    @Test
    void shouldLeaveItToWhoHasIt_whenItsRequestsDoNotEndInTime() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume mine = client.attach(ACCOUNTS, false);
        VolumeClient hasty = client(Optional.of(Duration.ofSeconds(1)));
        VolumeClient patient = client();
        mine.write(0, random(1, 4096));
        CompletableFuture<Void> flush;
        CompletableFuture<Void> write;
        server.forcing.lock();
        try {
            flush = running(mine::flush);
            assertThatThrownBy(() -> running(() -> hasty.attach(ACCOUNTS, true)).get(30, TimeUnit.SECONDS))
                    .rootCause()
                    .isInstanceOfSatisfying(
                            VolumeException.class,
                            busy -> assertThat(busy.status()).isEqualTo(Status.BUSY));
            mine.write(4096, random(2, 4096));
            assertThat(patient.show(ACCOUNTS).volume().writer()).isEqualTo("client 1");
            write = running(() -> patient.attach(ACCOUNTS, true).write(8192, random(3, 4096)));
            assertThat(write.isDone()).isFalse();
        } finally {
            server.forcing.unlock();
        }
        flush.get(30, TimeUnit.SECONDS);
        write.get(30, TimeUnit.SECONDS);
        assertThat(mine.lost().toCompletableFuture().get(30, TimeUnit.SECONDS).status())
                .isEqualTo(Status.FENCED);
        assertThat(patient.show(ACCOUNTS).volume().writer()).isEqualTo("client 3");
        assertThat(patient.show(ACCOUNTS).volume().epoch()).isEqualTo(2);
    }

    private interface Step {
        void run() throws IOException;
    }

    private static CompletableFuture<Void> running(Step step) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        step.run();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                each -> Thread.ofPlatform().start(each));
    }

    @Test
    void shouldReadWhatWasAnswered_besideTheOneThatWrites() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume writing = client.attach(ACCOUNTS, false);
        RemoteVolume reading = client().attachForReading(ACCOUNTS);
        RemoteVolume another = client().attachForReading(ACCOUNTS);
        writing.write(0, random(1, 4096));
        assertThat(read(reading, 0, 4096)).isEqualTo(random(1, 4096));
        assertThat(reading.isReadOnly()).isTrue();
        assertThatThrownBy(() -> reading.write(0, random(2, 4096))).hasMessageContaining("attached for reading");
        assertThatThrownBy(() -> reading.zero(0, 4096)).hasMessageContaining("attached for reading");
        assertThatThrownBy(() -> raw(reading))
                .as("nor by a client that knows no better")
                .hasMessageContaining("INVALID");

        server.stop();
        server.start();
        writing.write(4096, random(2, 4096));
        assertThat(read(reading, 4096, 4096)).isEqualTo(random(2, 4096));
        assertThat(read(another, 0, 4096)).isEqualTo(random(1, 4096));
        Details told = client.show(ACCOUNTS);
        assertThat(told.readers()).containsExactlyInAnyOrder("client 2", "client 3");
        assertThat(told.volume().epoch()).isEqualTo(writing.epoch());
        writing.close();
        assertThatThrownBy(() -> client.delete(ACCOUNTS)).hasMessageMatching("client [23] has accounts attached.*");
        reading.close();
        another.close();
        client.delete(ACCOUNTS);
    }

    /** Asks for a write whatever the volume is attached for. */
    private static void raw(RemoteVolume volume) throws IOException {
        try {
            volume.ask(Operation.ZERO, new Volume.Range(0, 4096));
        } catch (VolumeException refused) {
            throw new IOException(refused.status().toString(), refused);
        }
    }

    @Test
    void shouldBeTakenAway_fromWhoHasIt() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume mine = client.attach(ACCOUNTS, false);
        mine.write(0, random(1, 4096));
        mine.flush();
        VolumeClient other = client();
        Details seen = other.show(ACCOUNTS);
        assertThat(seen.volume().writer()).isEqualTo("client 1");
        assertThat(System.currentTimeMillis() - seen.sinceMillis()).isBetween(0L, 60_000L);
        other.evict(seen.volume());
        assertThat(mine.lost().toCompletableFuture().get(10, TimeUnit.SECONDS)).hasMessageContaining("not attached");
        assertThat(other.show(ACCOUNTS).volume().writer()).isEmpty();

        RemoteVolume next = other.attach(ACCOUNTS, false);
        client.evict(seen.volume()); // late, as one that is asked again
        next.write(0, random(2, 4096));
        assertThat(next.epoch()).isEqualTo(3);
        server.pool().checkpoint();
        assertThat(other.show(ACCOUNTS).volume().allocated()).isEqualTo(64 << 10);
    }

    /** A flush that failed may have lost what it should have brought to the disk: no later one may succeed over it. */
    @Test
    void shouldFlushOnlyWhenItIsAttachedAnew_afterAFlushThatFailed() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        volume.write(0, random(1, 4096));
        server.pool().close();
        assertThatThrownBy(volume::flush)
                .isInstanceOfSatisfying(
                        VolumeException.class,
                        failed -> assertThat(failed.status()).isEqualTo(Status.IO_ERROR));
        assertThatThrownBy(server::stop).isInstanceOf(IOException.class);
        server.start();
        assertThat(read(volume, 0, 4096)).isEqualTo(random(1, 4096));
        assertThatThrownBy(volume::flush).hasMessageContaining("attach it anew");
        assertThatThrownBy(() -> volume.write(0, random(2, 4096))).hasMessageContaining("attach it anew");
        assertThatThrownBy(volume::close).hasMessageContaining("attach it anew");
        RemoteVolume again = client.attach(ACCOUNTS, false);
        again.write(0, random(3, 4096));
        again.flush();
    }

    /** A part of a block is written over what is there: that it is not what was written is no flush that failed. */
    @Test
    void shouldGoOn_afterAForcedWriteThatMetABrokenBlock() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        volume.write(0, random(1, 8192));
        server.pool().checkpoint();
        server.stop();
        try (FileChannel clusters = FileChannel.open(folder.resolve("pool/clusters"), StandardOpenOption.WRITE)) {
            assertThat(clusters.write(ByteBuffer.allocate(8), 0)).isEqualTo(8);
        }
        server.start();
        assertThatThrownBy(() -> volume.write(100, random(2, 8), Set.of(Volume.Option.FORCED)))
                .hasMessageContaining("block 0 of volume 1 is not what was written");
        volume.write(0, random(3, 4096), Set.of(Volume.Option.FORCED));
        volume.flush();
        assertThat(read(volume, 0, 4096)).isEqualTo(random(3, 4096));
    }

    @Test
    void shouldEndSoon_whenItIsToEndWhileTheServerIsAway() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        volume.write(0, random(1, 8192));
        server.stop();
        CompletableFuture<Void> waiting = running(() -> volume.write(8192, random(2, 4096)));
        client.hurry(Duration.ofMillis(500));
        assertThatThrownBy(() -> waiting.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(volume::close).hasMessageContaining("accounts: 8192 bytes were answered and not flushed");
        server.start();
    }

    @Test
    void shouldSayThatNothingIsLost_whenItCannotBeGivenBack() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        volume.write(0, random(1, 8192));
        volume.flush();
        server.stop();
        client.hurry(Duration.ofMillis(100));
        assertThatThrownBy(volume::close)
                .hasMessageContaining("accounts: all that was answered is on the server's disk")
                .hasMessageNotContaining("lost");
        server.start();
    }

    /** As the kernel writes what programs did not sync when it is unmounted. */
    @Test
    void shouldSayThatWhatWasNotSyncedIsLost_whenWritesFailedBeforeItCouldNotBeGivenBack() throws Exception {
        VolumeClient client = client();
        client.create(ACCOUNTS, BYTES);
        RemoteVolume volume = client.attach(ACCOUNTS, false);
        server.stop();
        client.hurry(Duration.ofMillis(100));
        CompletableFuture<Void> reading = running(() -> read(volume, 0, 4096));
        CompletableFuture<Void> writing = running(() -> volume.write(8192, random(2, 4096)));
        CompletableFuture<Void> flushing = running(volume::flush);
        for (CompletableFuture<Void> each : List.of(reading, writing, flushing)) {
            assertThatThrownBy(() -> each.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        }
        assertThatThrownBy(volume::close)
                .hasMessageContaining("2 writes or flushes failed: what programs wrote and did not sync is lost");
        server.start();
    }
}
