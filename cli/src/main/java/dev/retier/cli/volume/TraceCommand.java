package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.cli.TerminationSignal;
import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.WritableFile;
import dev.retier.sim.blocks.BlockRequest;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.connect.VolumeClient.Recorded;
import dev.retier.volume.wire.TracedRequest;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume trace}. */
@Command(
        name = "trace",
        description = "Record what is asked of a volume, whoever has it attached, until this is interrupted.",
        footer = {
            "",
            "A line for each request: microseconds, operation, offset, length. What a cache of some size would have had"
                    + " of it:",
            "  retier trace cache blocks.csv --cache-bytes 64m,256m,1g"
        })
final class TraceCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 100;
    /** Then more are there already. */
    private static final int MANY = 1000;

    private static final Duration LOST_AFTER = Duration.ofSeconds(60);

    @Parameters(paramLabel = "NAME", converter = NameParameter.class, description = "What it is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Where the lines go (CSV).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path out;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "End by itself after this.")
    private @Nullable Duration time;

    @Mixin
    private ServerOption server = new ServerOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    private final CountDownLatch asked = new CountDownLatch(1);

    @Override
    public Integer call() throws InterruptedException {
        WritableFile.require("--out", out);
        TerminationSignal.endsCommand(asked::countDown);
        server.ask(Optional.of(LOST_AFTER), ClusterServers.Wanted.existing(name), client -> {
            try (Writer lines = Files.newBufferedWriter(out)) {
                record(client, lines);
            }
            return name;
        });
        return ExitCode.OK.code();
    }

    private void record(VolumeClient client, Writer lines) throws IOException, InterruptedException {
        long untilNanos = System.nanoTime() + (time == null ? Long.MAX_VALUE / 2 : time.toNanos());
        lines.write(BlockRequest.HEAD + "\n");
        long next = client.trace(name, -1).first();
        long written = 0;
        long missed = 0;
        say("records " + name + " to " + out);
        boolean isOver = false;
        boolean isMore = false;
        while (!isOver || isMore) {
            isOver |=
                    asked.await(isMore ? 0 : LOOK_MILLIS, TimeUnit.MILLISECONDS) || System.nanoTime() - untilNanos > 0;
            Recorded part = client.trace(name, next);
            if (part.first() < next) {
                say("the server was started anew: what comes has another beginning, and is not recorded");
                break;
            }
            missed += part.first() - next;
            next = part.first() + part.requests().size();
            for (TracedRequest request : part.requests()) {
                lines.write(line(request));
            }
            written += part.requests().size();
            isMore = !isOver && part.requests().size() >= MANY;
        }
        say(written + " requests recorded" + (missed == 0 ? "" : ", and " + missed + " missed, which came too fast"));
    }

    private static String line(TracedRequest request) {
        return request.micros() + "," + request.operation().name().toLowerCase(Locale.ROOT) + "," + request.offset()
                + "," + Integer.toUnsignedLong(request.length()) + "\n";
    }

    private void say(String what) {
        spec.commandLine().getOut().println(what);
        spec.commandLine().getOut().flush();
    }
}
