package dev.retier.cli.lab;

import dev.retier.cli.ExitCode;
import dev.retier.cli.lab.plan.LabSettings;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code retier lab run}. */
@Command(
        name = "run",
        description =
                "Run a sub-command of retier as the lab's client, such as load or status. When no lab is up, one is"
                        + " made for it and removed after it.",
        footer = "For example: ./retier lab run --nodes 5 -- load http://10.77.0.250:8000/static/o1 -c 48 -d 20s")
final class LabRunCommand implements Callable<Integer> {
    @Mixin
    private LabOptions options = new LabOptions();

    @Parameters(paramLabel = "ARGUMENT", arity = "1..*", description = "The sub-command and its options, after --.")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws Exception {
        LabSettings settings = options.settings();
        Lab lab = LabHere.find();
        int[] code = new int[1];
        int own = LabHere.run(() -> {
            if (lab.exists()) {
                code[0] = onClient(lab, arguments);
                return ExitCode.OK;
            }
            try (LabGuard _ = LabGuard.of(lab)) {
                lab.up(settings, step -> System.err.println("lab: " + step));
                code[0] = onClient(lab, arguments);
            }
            return ExitCode.OK;
        });
        return own == ExitCode.OK.code() ? code[0] : own;
    }

    /** Runs it with this process's own streams; returns its exit code. */
    static int onClient(Lab lab, List<String> arguments) throws Exception {
        Process process =
                new ProcessBuilder(lab.onClient(arguments)).inheritIO().start();
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            throw e;
        }
    }
}
