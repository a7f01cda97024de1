package dev.retier.cli.volume;

import dev.retier.cli.ExitCode;
import dev.retier.volume.VolumeName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code retier volume resize}. */
@Command(
        name = "resize",
        description = "Give a volume another size; who has it attached sees that when it attaches anew.")
final class ResizeCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", converter = NameParameter.class, description = "What it is called.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private VolumeName name;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            required = true,
            converter = SizeConverter.class,
            description =
                    "Its size from now on. A smaller one only while nobody has it attached: what lies behind is gone.")
    private long size;

    @Mixin
    private ServerOption server = new ServerOption();

    @Override
    public Integer call() throws InterruptedException {
        server.ask(client -> {
            client.resize(name, size);
            return name;
        });
        return ExitCode.OK.code();
    }
}
