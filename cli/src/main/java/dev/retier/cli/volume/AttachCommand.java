package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.config.SizeText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
    @Mixin
    private AttachOptions options = new AttachOptions();

    @Option(names = "--nbd", paramLabel = "SOCKET", required = true, description = "The socket, made by this.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path socket;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        options.serve(socket, (volume, uri, asked) -> {
            PrintWriter out = spec.commandLine().getOut();
            out.println(options.name() + " (" + SizeText.print(volume.bytes()) + ") is at '" + uri + "'; try:");
            out.println("  nbdinfo '" + uri + "'");
            out.println("  nbdcopy --progress disk.img '" + uri + "'");
            out.println("  nbdfuse disk/ '" + uri + "' & mkfs.ext4 disk/nbd");
            out.flush();
            asked.await();
        });
        return ExitCode.OK.code();
    }
}
