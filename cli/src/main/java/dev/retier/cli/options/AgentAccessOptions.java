package dev.retier.cli.options;

import dev.retier.agent.config.AdminConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.tls.Credentials;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.config.HostPort;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.PemException;
import dev.retier.config.tls.RereadListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** By what a command knows agents, and proves to them who asks. */
public final class AgentAccessOptions {
    private static final String WHO = "retier";

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Those who sign the certificates of agents (PEM); speaks TLS. By default client-ca of the"
                    + " cluster file, else whom Java trusts.")
    private @Nullable Path ca;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "The token to show to agents, in a file that is not for others to read.")
    private @Nullable Path tokenFile;

    @Option(
            names = "--client-cert",
            paramLabel = "FILE",
            description = "The certificate to show to agents (PEM). By default that of the node, where --config names"
                    + " one that may be read.")
    private @Nullable Path certificate;

    @Option(names = "--client-key", paramLabel = "FILE", description = "Its key (PEM, PKCS#8), not for others to read.")
    private @Nullable Path key;

    /** The files of what may not be told to others. */
    public List<Path> secretFiles() {
        return Stream.of(tokenFile, key).flatMap(Stream::ofNullable).toList();
    }

    /** For the agents of a cluster file; files that cannot be used end the command. */
    public Credentials credentials(ClusterConfig cluster) {
        AdminConfig.Tls tls = cluster.admin().tls();
        List<HostPort> agents =
                cluster.nodes().stream().map(node -> node.agentAdmin()).toList();
        return tls == null
                ? credentials(agents, false)
                : overTls(
                        Optional.of(ca == null ? tls.clientCa() : ca),
                        given().or(() -> tokenFile == null ? readable(tls) : Optional.empty()));
    }

    /**
     * For agents at these addresses.
     *
     * @param isTls whether they are said to speak TLS
     */
    public Credentials credentials(List<HostPort> agents, boolean isTls) {
        if (isTls || ca != null || given().isPresent()) {
            return overTls(Optional.ofNullable(ca), given());
        }
        try {
            Credentials clear = Credentials.inClear(WHO, Optional.ofNullable(tokenFile));
            agents.stream().filter(clear::wouldTellAll).findFirst().ifPresent(agent -> {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "--token-file: the token would be sent in clear to " + agent
                                + "; give --ca, with whose certificate the agents are known");
            });
            return clear;
        } catch (PemException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private Credentials overTls(Optional<Path> signers, Optional<Credentials.Pair> own) {
        try {
            return Credentials.overTls(WHO, signers, own, Optional.ofNullable(tokenFile));
        } catch (PemException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private Optional<Credentials.Pair> given() {
        Path shown = certificate;
        Path secret = key;
        if (shown == null || secret == null) {
            if (shown != null || secret != null) {
                throw new CommandFailure(ExitCode.USAGE, "--client-cert and --client-key belong together; give both");
            }
            return Optional.empty();
        }
        requireInTime(shown, secret);
        return Optional.of(new Credentials.Pair(shown, secret));
    }

    /** The agent would hang up, and tells the reason its log alone. */
    private static void requireInTime(Path shown, Path secret) {
        try {
            Instant end = KeyFiles.open(shown, secret, RereadListener.ONCE)
                    .certificate()
                    .getNotAfter()
                    .toInstant();
            if (end.isBefore(Instant.now())) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "--client-cert: " + shown + " expired at " + end + "; have another signed (retier cert sign)");
            }
        } catch (PemException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    /** Of the agent of this machine, for those who may read its key. */
    private static Optional<Credentials.Pair> readable(AdminConfig.Tls tls) {
        return Files.isReadable(tls.certificate()) && Files.isReadable(tls.key())
                ? Optional.of(new Credentials.Pair(tls.certificate(), tls.key()))
                : Optional.empty();
    }
}
