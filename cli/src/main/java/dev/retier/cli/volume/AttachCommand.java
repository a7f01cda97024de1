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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code retier volume attach}. */
@Command(
        name = "attach",
        description = "Take a volume for this machine, and serve it to its programs by NBD on a Unix socket.",
        footer = {
            "",
            "Who may open the socket may read and write the volume: nobody but this user. While the server is away",
            "requests wait. On SIGTERM or SIGINT all is brought to the server's disk and the volume given back.",
            "Exit code 3 if another machine has it, or has taken it (by --force, or as this one was silent)."
        })
final class AttachCommand implements Callable<Integer> {
    @Mixin
    private AttachOptions options = new AttachOptions();

    @Option(names = "--nbd", paramLabel = "SOCKET", required = true, description = "The socket, made by this.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path socket;

    @Option(
            names = "--read-only",
            description = "Read it alone, beside whoever writes to it: what that machine was answered is read.")
    private boolean isForReading;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (isForReading && options.isByForce()) {
            throw new ParameterException(spec.commandLine(), "--read-only takes it from nobody: leave --force out");
        }
        options.require();
        Served.Use use = (volume, uri, asked) -> {
            PrintWriter out = spec.commandLine().getOut();
            out.println(options.name() + " (" + SizeText.print(volume.bytes()) + ") is at '" + uri + "'; try:");
            out.println("  nbdinfo '" + uri + "'");
            if (isForReading) {
                out.println("  nbdcopy --progress '" + uri + "' disk.img");
                out.println("  qemu-io -r -f raw '" + uri + "' -c 'read -v 0 512'");
            } else {
                out.println("  nbdcopy --progress disk.img '" + uri + "'");
                out.println("  nbdfuse disk/ '" + uri + "' & mkfs.ext4 disk/nbd");
            }
            out.flush();
            asked.await();
        };
        if (isForReading) {
            options.serveForReading(socket, use);
        } else {
            options.serve(socket, use);
        }
        return ExitCode.OK.code();
    }
}
