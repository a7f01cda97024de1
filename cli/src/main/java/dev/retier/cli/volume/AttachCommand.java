package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.config.SizeText;
import dev.retier.volume.gateway.SocketOwner;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code retier volume attach}. */
@Command(
        name = "attach",
        description = "Take a volume for this machine, and serve it to its programs by NBD on a Unix socket.",
        footer = {
            "",
            "Who may open the socket may read and write the volume: nobody but this user, or whom --socket-owner says.",
            "They have to reach its folder, too. While the server is away requests wait. On SIGTERM or SIGINT all is",
            "brought to the server's disk and the volume given back.",
            "Exit code 4 if another machine has it, 3 if one has taken it (by --force, or as this one was silent)."
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

    @Option(
            names = "--socket-owner",
            paramLabel = "USER[:GROUP]",
            converter = OwnerConverter.class,
            description = "Who may open the socket in place of this user (0600), and the group (0660): as root.")
    private SocketOwner owner = SocketOwner.SELF;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Takes who owns a socket. */
    static final class OwnerConverter implements ITypeConverter<SocketOwner> {
        @Override
        public SocketOwner convert(String text) {
            try {
                return SocketOwner.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(String.valueOf(wrong.getMessage()));
            }
        }
    }

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
                out.println("  mkdir -p disk; nbdfuse disk '" + uri
                        + "' & until [ -e disk/nbd ] || ! kill -0 $!; do sleep 1; done; mkfs.ext4 disk/nbd");
            }
            out.flush();
            asked.await();
        };
        if (isForReading) {
            options.serveForReading(new Served.Socket(socket, owner), use);
        } else {
            options.serve(new Served.Socket(socket, owner), use);
        }
        return ExitCode.OK.code();
    }
}
