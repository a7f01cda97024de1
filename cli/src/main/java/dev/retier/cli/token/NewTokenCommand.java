package dev.retier.cli.token;

import dev.retier.agent.access.CallerRole;
import dev.retier.agent.access.Tokens;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier token new}. */
@Command(
        name = "new",
        description = "Print a new token, and the line by which agents know it.",
        footer = {
            "The token is shown this once: the line has its digest, from which nobody finds it.",
            "Agents read the file again as soon as it has changed. Take the line away, and the token is good no more."
        })
final class NewTokenCommand implements Callable<Integer> {
    /** 256 bits: nobody guesses it, so its digest needs no salt. */
    private static final int LENGTH_BYTES = 32;

    /** What a token is good for. */
    private enum Role {
        VIEWER(CallerRole.VIEWER),
        OPERATOR(CallerRole.OPERATOR);

        private final CallerRole role;

        Role(CallerRole role) {
            this.role = role;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "NAME", description = "Whose it is, as logs will call it.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(
            names = "--role",
            required = true,
            paramLabel = "ROLE",
            description = "What one may do with it: ${COMPLETION-CANDIDATES}; viewers read, operators command, too.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Role role;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() {
        byte[] bytes = new byte[LENGTH_BYTES];
        new SecureRandom().nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        String line = line(token);
        PrintWriter out = spec.commandLine().getOut();
        out.println(token);
        out.println();
        out.println("for the tokens file of the agents (admin.tokens-file):");
        out.println(line);
        out.flush();
        return ExitCode.OK.code();
    }

    private String line(String token) {
        try {
            return Tokens.line(name, role.role, token);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
