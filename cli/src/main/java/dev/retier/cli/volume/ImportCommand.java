package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.TerminationSignal;
import dev.retier.cli.options.SizeConverter;
import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.connect.VolumeException;
import dev.retier.volume.stream.RawImport;
import dev.retier.volume.wire.Status;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume import}. */
@Command(
        name = "import",
        description = "Make a volume of a file, such as an image of a disk; what is zeros takes no room.",
        footer = {
            "",
            "The first MiB is written last, when all else is on the server's disk, so that nothing takes a part for the"
                    + " whole. If it fails a volume that was made is deleted, one that was there is left empty.",
            "  retier volume import accounts --in accounts.img --config pool.yaml",
            "  zstd -dc accounts.zst | retier volume import accounts --in - --size 20g --config pool.yaml"
        })
final class ImportCommand implements Callable<Integer> {
    private static final int SECONDS_TO_END = 10;

    @Parameters(paramLabel = "NAME", converter = NameParameter.class, description = "What to call the volume.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Option(names = "--in", paramLabel = "FILE", required = true, description = "Its bytes; - for standard input.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path in;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = SizeConverter.class,
            description = "Of the volume that is made (default: as long as the file, in whole blocks).")
    private @Nullable Long size;

    @Option(
            names = "--over",
            description = "Into a volume that is there, also if it has something: all of that is lost.")
    private boolean isOver;

    @Mixin
    private PlaceOption place = new PlaceOption();

    @Mixin
    private ServerOption server = new ServerOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    @Override
    public Integer call() throws InterruptedException {
        TerminationSignal.onTermination(() -> {
            asked.countDown();
            awaitEnd();
        });
        try (FileChannel from = in.equals(ExportCommand.STANDARD_STREAM)
                ? new FileInputStream(FileDescriptor.in).getChannel()
                : FileChannel.open(in)) {
            long length = Files.isRegularFile(in) ? from.size() : 0;
            requireSize(length);
            requirePlace();
            server.ask(
                    Optional.of(ExportCommand.LOST_AFTER),
                    isOver ? ClusterServers.Wanted.existing(name) : place.wanted(name),
                    client -> take(client, from, length));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, in + ": cannot be read (" + e.getMessage() + ")", e);
        } finally {
            ended.countDown();
        }
        return ExitCode.OK.code();
    }

    private void awaitEnd() {
        try {
            var _ = ended.await(SECONDS_TO_END, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void requirePlace() {
        if (isOver && place.isSaid()) {
            throw new ParameterException(
                    spec.commandLine(), "--on says where a new volume is made: leave it out with --over");
        }
        place.require(server);
    }

    private void requireSize(long length) {
        if (size == null && length == 0 && !isOver) {
            throw new ParameterException(
                    spec.commandLine(), "how much comes from " + in + " is not known before: say --size");
        }
        if (size != null && size < length) {
            throw new ParameterException(spec.commandLine(), in + " has " + length + " bytes, and --size says " + size);
        }
    }

    private long take(VolumeClient client, FileChannel from, long length) throws IOException {
        boolean isMade = isMade(client, length);
        boolean isDone = false;
        try (RemoteVolume volume = client.attach(name, false)) {
            boolean isMine = false;
            try {
                if (!isMade) {
                    requireRoom(volume, length);
                    requireEmpty(volume);
                }
                isMine = true;
                long expected = length == 0 ? volume.bytes() : length;
                Percent progress = new Percent(spec, "imported");
                long bytes = RawImport.run(volume, from, expected, progress::at, () -> asked.getCount() == 0);
                if (length != 0 && bytes != length) {
                    throw new IOException(in + " had " + length + " bytes, of which " + bytes + " came");
                }
                isDone = true;
                spec.commandLine().getErr().println(bytes + " bytes are in " + name);
                return bytes;
            } finally {
                if (!isDone && isMine && !isMade) {
                    empty(volume);
                }
            }
        } finally {
            if (!isDone && isMade) {
                client.delete(name);
            }
        }
    }

    /** Whether there was none of that name, and is one now. */
    private boolean isMade(VolumeClient client, long length) throws IOException {
        try {
            var _ = client.show(name);
            return false;
        } catch (VolumeException none) {
            if (none.status() != Status.WRONG_NAME || isOver) {
                throw none;
            }
        }
        long bytes = size == null ? length : size;
        client.create(name, (bytes + Volume.BLOCK_BYTES - 1) / Volume.BLOCK_BYTES * Volume.BLOCK_BYTES);
        return true;
    }

    private void requireRoom(RemoteVolume volume, long length) {
        if (length > volume.bytes()) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    in + " has " + length + " bytes, and " + name + " " + volume.bytes()
                            + ": make it larger with `retier volume resize`");
        }
        if (size != null && size != volume.bytes()) {
            throw new CommandFailure(
                    ExitCode.REFUSED, name + " is there, and has " + volume.bytes() + " bytes: leave --size out");
        }
    }

    private void requireEmpty(RemoteVolume volume) throws IOException {
        boolean isEmpty = volume.extents(0, volume.bytes()).stream().allMatch(Volume.Extent::isHole);
        if (!isEmpty && !isOver) {
            throw new CommandFailure(
                    ExitCode.REFUSED, name + " has something already: say --over if all of that is to be lost");
        }
        if (!isEmpty) {
            empty(volume);
        }
    }

    private static void empty(RemoteVolume volume) throws IOException {
        volume.zero(0, volume.bytes());
        volume.flush();
    }
}
