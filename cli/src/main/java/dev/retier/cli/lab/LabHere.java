package dev.retier.cli.lab;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** The lab of this machine, as commands use it. Stateless. */
final class LabHere {
    private LabHere() {}

    /** The lab, which may not be up. */
    static Lab find() {
        String root = System.getProperty("retier.root");
        if (root == null) {
            throw new CommandFailure(
                    ExitCode.FAILED, "start labs with the launcher, ./retier lab: it starts the agents");
        }
        return new Lab(Path.of(root, "retier"));
    }

    /** Does it, and turns what keeps it from being done into one clear line. */
    static int run(Callable<ExitCode> action) throws Exception {
        try {
            return action.call().code();
        } catch (LabException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
