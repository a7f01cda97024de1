package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.testsupport.Repeats;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.config.Care;
import dev.retier.volume.config.Limits;
import dev.retier.volume.config.Times;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import dev.retier.volume.serve.ServerConfig;
import dev.retier.volume.serve.ServerListener;
import dev.retier.volume.serve.VolumeServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * PostgreSQL on a volume of a server whose machine loses its power, at any moment: what a real pool wrote and forced
 * under pgbench is recorded, and for moments by seed a folder is made that such a power cut may leave.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class VolumePowerCutIT extends VolumeProcesses {
    private static final boolean IS_LONG = Repeats.of(1) > 1;
    /** Five each day; in a long run 200, twenty for each of its times. */
    private static final int CUTS = IS_LONG ? Repeats.of(20) : 5;

    private static final Duration RUN = Duration.ofSeconds(IS_LONG ? 20 : 4);
    private static final int CLIENTS = 4;
    private static final long VOLUME_BYTES = 512L << 20;
    private static final int COPIED_AT_ONCE = 1 << 20;
    /** So small that checkpoints come again and again. */
    private static final Pool.Limits LIMITS = new Pool.Limits(2 << 20, 16L << 20);
    /** By which the clocks of pgbench, which counts from its own start, and of this process may differ. */
    private static final long CLOCK_MICROS = 10_000;

    @Test
    void shouldKeepEveryCommit_whenThePowerIsCut() throws Exception {
        requireMounts();
        Postgres postgres = Postgres.in(folder());
        Path here = Files.createDirectory(folder().resolve("here"));
        Path pool = Files.createDirectory(folder().resolve("pool"));
        RecordingDisk disk = new RecordingDisk(FolderDisk.open(pool));
        Pool.make(disk, UUID.randomUUID(), Geometry.DEFAULT);
        int begun;
        int ended;
        try (Pool served = Pool.open(disk, LIMITS, Thread::startVirtualThread);
                VolumeServer _ = VolumeServer.open(
                        server(), VolumeServer.Identity.drawn(UUID.randomUUID()), served, ServerListener.NONE)) {
            served.create(new VolumeName(mounted), VOLUME_BYTES);
            start("mount", "is mounted on", volume("mount", mounted, here.toString(), "--mkfs"));
            postgres.make(here.resolve("data"));
            start("postgres", Postgres.READY, postgres.command(here.resolve("data")));
            postgres.fill(CLIENTS);
            begun = disk.count();
            runWell("bank", postgres.bank(1, CLIENTS, RUN));
            ended = disk.count();
            Postgres.kill(process("postgres"));
            runWell("unmount", unmount("here"));
        }
        SplittableRandom random = new SplittableRandom(20);
        PowerCuts cuts = new PowerCuts(disk.first(ended), folder().resolve("forced"));
        List<Postgres.Told> told = postgres.told(1);
        int keptLast = 0;
        for (int cut : random.ints(CUTS, begun, ended).sorted().toArray()) {
            Path left = folder().resolve("left");
            cuts.leave(cut, random, left);
            long untilMicros = disk.epochMicrosAfter(cut) - CLOCK_MICROS;
            List<Postgres.Told> kept =
                    told.stream().filter(one -> one.epochMicros() < untilMicros).toList();
            keptLast = kept.size();
            Path image = folder().resolve("image");
            recover(left, image);
            require(postgres, image, here, kept);
            Files.delete(image);
            runWell("remove", List.of("rm", "-r", left.toString()));
        }
        assertThat(keptLast).as("commits before the last cut").isPositive();
        System.out.println(CUTS + " power cuts among " + (ended - begun) + " writes and forces, " + told.size()
                + " commits: all kept");
    }

    private ServerConfig server() {
        return new ServerConfig(
                address(),
                SecretSource.fromFile(folder().resolve("secret")),
                Transport.IWARP,
                Limits.DEFAULT,
                Times.DEFAULT,
                Care.LEAST);
    }

    /** What the server finds on that disk, as a file. */
    private void recover(Path left, Path image) throws IOException {
        try (Pool pool = Pool.open(FolderDisk.open(left), LIMITS, Thread::startVirtualThread);
                FileChannel out = FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            int number = pool.catalogue().numberOf(new VolumeName(mounted)).orElseThrow();
            Volume volume = pool.volume(number, 0);
            long at = 0;
            for (Volume.Extent extent : volume.extents(0, VOLUME_BYTES)) {
                for (long end = at + extent.bytes(); at < end; ) {
                    int length = (int) Math.min(COPIED_AT_ONCE, end - at);
                    if (!extent.isHole()) {
                        ByteBuffer bytes = ByteBuffer.allocate(length);
                        volume.read(at, bytes);
                        out.write(bytes.flip(), at);
                    }
                    at += length;
                }
            }
            out.write(ByteBuffer.allocate(1), VOLUME_BYTES - 1);
        }
    }

    /** The file system is whole, the database starts, and the bank has what its clients were told. */
    private void require(Postgres postgres, Path image, Path here, List<Postgres.Told> kept) throws Exception {
        runWell("loop", List.of("mount", "-t", "ext4", "-o", "loop", image.toString(), here.toString()));
        try {
            start("postgres", Postgres.READY, postgres.command(here.resolve("data")));
            postgres.requireBank(kept);
        } finally {
            Postgres.kill(process("postgres"));
            runWell("unloop", List.of("umount", here.toString()));
        }
        runWell("e2fsck", List.of("e2fsck", "-fn", image.toString()));
    }
}
