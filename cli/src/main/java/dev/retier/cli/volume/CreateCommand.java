package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.volume.VolumeName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code retier volume create}. */
@Command(name = "create", description = "Make a volume of zeros, which takes room as it is written.")
final class CreateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", converter = NameParameter.class, description = "What it is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            required = true,
            converter = SizeConverter.class,
            description = "Its size, a multiple of 4k, such as 20g.")
    private long size;

    @Mixin
    private ServerOption server = new ServerOption();

    @Override
    public Integer call() throws InterruptedException {
        server.ask(client -> {
            client.create(name, size);
            return name;
        });
        return ExitCode.OK.code();
    }
}
