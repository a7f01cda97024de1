package dev.retier.cli.cert;

import dev.retier.cli.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier cert new}. */
@Command(
        name = "new",
        description = "Make an authority: ca.pem, which all may have, and ca.key, which nobody else may.",
        footer = {
            "Whoever has ca.key can make a certificate of any name: keep it off the nodes.",
            "ca.pem is the client-ca of the cluster file, and --ca of commands."
        })
final class NewAuthorityCommand implements Callable<Integer> {
    @Parameters(
            arity = "0..1",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Where to make both (default: here); no file is ever overwritten.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "retier",
            description = "Of the authority, as certificates name it (default: ${DEFAULT-VALUE}).")
    private String name = "retier";

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "3650",
            description = "For how long it is good (default: ${DEFAULT-VALUE}).")
    private int days;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        CertFiles files = new CertFiles(folder, "ca");
        Issued authority =
                CertFiles.made(() -> Authority.create(name, now, now.plus(CertFiles.days(days)), new SecureRandom()));
        files.writeOwn(authority);
        PrintWriter out = spec.commandLine().getOut();
        out.println(files.certificate() + ": made, good until " + now.plus(Duration.ofDays(days))
                + "; the client-ca of the cluster file, on all machines");
        out.println(files.key() + ": made, readable by its owner alone; `retier cert sign` needs it, and no node does");
        out.flush();
        return ExitCode.OK.code();
    }
}
