package dev.retier.cli.cert;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier cert}: certificates for those who have no authority of their own. */
@Command(
        name = "cert",
        description = "Make certificates by which agents, edges and people prove to each other who they are.",
        subcommands = {NewAuthorityCommand.class, SignCommand.class},
        footer = "Certificates of any other authority serve as well: keys are PKCS#8 in PEM, and names DNS names.")
public final class CertCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
