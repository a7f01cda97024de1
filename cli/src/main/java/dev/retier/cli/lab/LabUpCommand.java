package dev.retier.cli.lab;

import dev.retier.cli.ExitCode;
import dev.retier.cli.lab.plan.LabFiles;
import dev.retier.cli.lab.plan.LabSettings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier lab up}. */
@Command(
        name = "up",
        description = "Make the lab, and leave it running.",
        footer = "Its files and logs are below /run/retier-lab. `./retier lab down` removes all of it.")
final class LabUpCommand implements Callable<Integer> {
    @Mixin
    private LabOptions options = new LabOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        LabSettings settings = options.settings();
        PrintWriter out = spec.commandLine().getOut();
        return LabHere.run(() -> {
            Lab lab = LabHere.find();
            lab.requireNone();
            try (LabGuard guard = LabGuard.of(lab)) {
                lab.up(settings, step -> say(out, "lab: " + step));
                guard.keep();
            }
            String news =
                    settings.sites().isTwo() ? " (the second site, news, at port " + LabFiles.NEWS_PORT + ")" : "";
            say(out, "lab: up; its edge is " + lab.edge() + news + " inside it. Try");
            say(out, "  ./retier lab run -- load http://" + lab.edge() + "/static/o1 -c 48 -d 10s");
            say(out, "  ./retier lab run -- status --agent " + lab.agents().getFirst());
            return ExitCode.OK;
        });
    }

    private static void say(PrintWriter out, String line) {
        out.println(line);
        out.flush();
    }
}
