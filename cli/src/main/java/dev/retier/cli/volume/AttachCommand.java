package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.cli.TerminationSignal;
import dev.retier.cli.options.DurationConverter;
import dev.retier.config.SizeText;
import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.gateway.NbdGateway;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier volume attach}. */
@Command(
        name = "attach",
        description = "Take a volume for this machine, and serve it to its programs by NBD on a Unix socket.",
        footer = {
            "",
            "Who may open the socket may read and write the volume: nobody but this user. While the server is away",
            "requests wait. On SIGTERM or SIGINT all is brought to the server's disk and the volume given back."
        })
final class AttachCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", converter = NameParameter.class, description = "What it is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Option(names = "--nbd", paramLabel = "SOCKET", required = true, description = "The socket, made by this.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path socket;

    @Option(
            names = "--force",
            description = "Take it from the machine that has it; nothing that comes from there later is written.")
    private boolean isByForce;

    @Option(
            names = "--lost-after",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description = "Requests that have waited so long for the server fail (default: ${DEFAULT-VALUE}).")
    private Duration lostAfter = Duration.ofSeconds(60);

    @Mixin
    private ServerOption server = new ServerOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        TerminationSignal.onTermination(() -> {
            asked.countDown();
            await(ended);
        });
        try {
            server.ask(Optional.of(lostAfter), client -> {
                serve(client, asked);
                return name;
            });
        } finally {
            ended.countDown();
        }
        return ExitCode.OK.code();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(VolumeClient client, CountDownLatch asked) throws IOException, InterruptedException {
        try (RemoteVolume volume = client.attach(name, isByForce);
                NbdGateway _ = NbdGateway.listen(socket, Map.of(name, volume))) {
            String uri = "'nbd+unix:///" + name + "?socket=" + socket.toAbsolutePath() + "'";
            PrintWriter out = spec.commandLine().getOut();
            out.println(name + " (" + SizeText.print(volume.bytes()) + ") is at " + uri + "; try:");
            out.println("  nbdinfo " + uri);
            out.println("  nbdcopy --progress disk.img " + uri);
            out.println("  nbdfuse disk/ " + uri + " & mkfs.ext4 disk/nbd");
            out.flush();
            asked.await();
        }
    }
}
