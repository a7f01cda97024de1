package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.WritableFile;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.stream.Progress;
import dev.retier.volume.stream.RawExport;
import dev.retier.volume.wire.Listing;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume export}. */
@Command(
        name = "export",
        description = "Bring all bytes of a volume or a snapshot to a file, as an image of a disk.",
        footer = {
            "",
            "Of a volume that somebody writes to export a snapshot. In a new file what holds nothing takes no room; the"
                    + " file is there once it is whole.",
            "  retier volume export accounts --out accounts.img --config pool.yaml",
            "  retier volume export accounts --snapshot before --out - --config pool.yaml | zstd >accounts.zst"
        })
final class ExportCommand implements Callable<Integer> {
    static final Path STANDARD_STREAM = Path.of("-");
    static final Duration LOST_AFTER = Duration.ofSeconds(60);

    @Parameters(paramLabel = "NAME", converter = NameParameter.class, description = "What the volume is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Option(
            names = "--snapshot",
            paramLabel = "SNAPSHOT",
            converter = NameParameter.class,
            description = "In place of what it has now.")
    private @Nullable VolumeName snapshot;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "Where they go; - for standard output.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path out;

    @Mixin
    private ServerOption server = new ServerOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (!out.equals(STANDARD_STREAM)) {
            WritableFile.require("--out", out);
        }
        server.ask(Optional.of(LOST_AFTER), ClusterServers.Wanted.existing(name), client -> {
            Progress progress = new Percent(spec, "exported")::at;
            try (RemoteVolume volume =
                    snapshot == null ? client.attachForReading(name) : client.attachForReading(name, snapshot)) {
                if (out.equals(STANDARD_STREAM)) {
                    try (FileOutputStream stream = new FileOutputStream(FileDescriptor.out)) {
                        return unchanged(
                                client, () -> RawExport.run(volume, RawExport.pipe(stream.getChannel()), progress));
                    }
                }
                return WritableFile.writeChannel(
                        out,
                        (channel, isNew) -> unchanged(
                                client,
                                () -> RawExport.run(
                                        volume,
                                        isNew ? RawExport.sparse(channel) : RawExport.pipe(channel),
                                        progress)));
            }
        });
        return ExitCode.OK.code();
    }

    private interface Run {
        long run() throws IOException;
    }

    /** Refuses what somebody may have written to meanwhile: it would be no image of any moment. */
    private long unchanged(VolumeClient client, Run run) throws IOException {
        if (snapshot != null) {
            return run.run();
        }
        Listing before = requireFree(client, "to it");
        long bytes = run.run();
        if (requireFree(client, "to it now").epoch() != before.epoch()) {
            throw new CommandFailure(
                    ExitCode.REFUSED, name + " has been written to meanwhile; export a snapshot of it");
        }
        return bytes;
    }

    private Listing requireFree(VolumeClient client, String what) throws IOException {
        Listing now = client.show(name).volume();
        if (!now.writer().isEmpty()) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    now.writer() + " writes " + what + "; export a snapshot of it: `retier volume snapshot " + name
                            + " NAME`, then this with --snapshot NAME");
        }
        return now;
    }
}
