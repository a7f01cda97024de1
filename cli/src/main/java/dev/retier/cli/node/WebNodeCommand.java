package dev.retier.cli.node;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.TerminationSignal;
import dev.retier.config.ConfigException;
import dev.retier.webnode.SettingsFile;
import dev.retier.webnode.WebNode;
import dev.retier.webnode.WebNodeException;
import dev.retier.webnode.config.WebNodeSettings;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier web-node}. */
@Command(
        name = "web-node",
        description = "Run one web-node: an Undertow server that is proxy or app as its role file says.",
        footer = "Ends on SIGTERM or SIGINT once the requests in flight are answered.")
public final class WebNodeCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The settings file (JSON).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try {
            WebNodeSettings settings = SettingsFile.load(file);
            WebNode node = WebNode.start(settings);
            Logging.begun(spec, settings.node() + " serves on " + node.address() + ", admin on " + node.adminAddress());
            TerminationSignal.onTermination(node::close);
            node.awaitClosed();
            return ExitCode.OK.code();
        } catch (ConfigException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (WebNodeException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
