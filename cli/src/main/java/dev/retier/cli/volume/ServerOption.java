package dev.retier.cli.volume;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Logging;
import dev.retier.cli.options.ClusterFile;
import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.volume.ClusterServers.Wanted;
import dev.retier.config.HostPort;
import dev.retier.link.SecretSource;
import dev.retier.link.Transport;
import dev.retier.link.TransportException;
import dev.retier.volume.config.PoolConfig;
import dev.retier.volume.connect.ClientConfig;
import dev.retier.volume.connect.TableReader;
import dev.retier.volume.connect.VolumeClient;
import dev.retier.volume.connect.VolumeException;
import dev.retier.volume.wire.ClientName;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which volume server a command asks. */
final class ServerOption {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "In place of the next two: the cluster file, or the server's own one on its machine.")
    private @Nullable Path file;

    @Option(names = "--server", paramLabel = "HOST:PORT", description = "Where the volume server listens.")
    private @Nullable String server;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "The secret that it knows, too.")
    private @Nullable Path secretFile;

    @Option(
            names = "--transport",
            paramLabel = "KIND",
            description = "iwarp, or native for RDMA hardware, Soft-RoCE or siw (default: that of the file, or iwarp).")
    private @Nullable Transport transport;

    @Option(
            names = "--patience",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "For how long it is tried to be reached (default: 10s).")
    private @Nullable Duration patience;

    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** What is asked of a server. */
    interface Action<T> {
        T of(VolumeClient client) throws IOException, InterruptedException;
    }

    /** Asks it something that is soon answered; what it refuses or what fails ends the command. */
    <T> T ask(Action<T> action) throws InterruptedException {
        Logging.errorsOnly();
        return ask(config(Optional.of(patience()), null), action);
    }

    /** The same of the server of that volume. */
    <T> T ask(Wanted wanted, Action<T> action) throws InterruptedException {
        Logging.errorsOnly();
        return ask(config(Optional.of(patience()), wanted), action);
    }

    /** Asks that one of a cluster. */
    <T> T ask(TableReader.Server one, Action<T> action) throws InterruptedException {
        return ask(config(one, Optional.of(patience())), action);
    }

    /**
     * Uses the server of that volume for as long as the action lasts.
     *
     * @param lostAfter for how long requests wait for it when it cannot be reached
     */
    <T> T ask(Optional<Duration> lostAfter, Wanted wanted, Action<T> action) throws InterruptedException {
        requireNoPatience();
        return ask(config(lostAfter, wanted), action);
    }

    private Duration patience() {
        return patience == null ? PATIENCE : patience;
    }

    /** What waits for its server as long as it has to may be told how long it looks for it in a cluster, no more. */
    private void requireNoPatience() {
        if (patience != null && servers().isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--patience says how long the servers of a cluster file are looked for: leave it out"
                            + (spec.findOption("--lost-after") == null ? "" : ", or say --lost-after"));
        }
    }

    /** What a cluster file says of its servers is not said again. */
    private void requireOfCluster() {
        if (secretFile != null || transport != null) {
            throw new ParameterException(
                    spec.commandLine(),
                    (secretFile != null ? "--secret-file" : "--transport")
                            + " is for --server: the cluster file says that of its own servers");
        }
    }

    /** The cluster, if the file is of one. */
    Optional<ClusterConfig> cluster() {
        return Optional.ofNullable(file).filter(PoolFile::isOfCluster).map(ClusterFile::read);
    }

    /** Its volume servers, if they are to be asked. */
    Optional<ClusterServers> servers() {
        Optional<ClusterConfig> cluster = server != null ? Optional.empty() : cluster();
        if (cluster.isPresent()) {
            requireOfCluster();
        }
        return cluster.map(each -> new ClusterServers(each, patience()));
    }

    private static <T> T ask(ClientConfig config, Action<T> action) throws InterruptedException {
        try (VolumeClient client = VolumeClient.open(config)) {
            return action.of(client);
        } catch (TransportException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (VolumeException e) {
            boolean isRefused = e.status() == Status.HELD || e.status() == Status.FENCED;
            throw new CommandFailure(isRefused ? ExitCode.REFUSED : ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    /** Refuses what names no server and no secret; asks nobody. */
    void require() {
        if (servers().isEmpty()) {
            requireNoPatience();
            var _ = config(Optional.empty(), null);
        }
    }

    private ClientConfig config(Optional<Duration> lostAfter, @Nullable Wanted wanted) {
        Optional<ClusterServers> servers = servers();
        if (servers.isPresent() && wanted != null) {
            return config(servers.get().of(wanted), lostAfter);
        }
        PoolConfig pool = file == null || cluster().isPresent() ? null : PoolFile.read(file);
        HostPort address = address(pool);
        Path secret = secretFile != null || pool == null ? secretFile : pool.secretFile();
        if (address == null || secret == null) {
            throw new ParameterException(
                    spec.commandLine(), "name the server: --server and --secret-file, or --config on its own machine");
        }
        Transport given = transport != null || pool == null ? transport : pool.transport();
        SecretSource secrets = PoolFile.secret(secret);
        return config(
                ClientConfig.of(PoolFile.resolved(address), secrets, given == null ? Transport.IWARP : given),
                lostAfter);
    }

    /** The one that is asked, or the cluster of which it is, for people. */
    String told() {
        return servers().isPresent() ? "the cluster of " + file : address();
    }

    /** Where the one is that is asked, if it is not one of a cluster. */
    String address() {
        return String.valueOf(address(file == null || server != null ? null : PoolFile.read(file)));
    }

    private @Nullable HostPort address(@Nullable PoolConfig pool) {
        if (server == null) {
            return pool == null ? null : pool.listen();
        }
        return HostPort.parse(server)
                .orElseThrow(
                        () -> new ParameterException(spec.commandLine(), "--server " + server + ": write host:port"));
    }

    private static ClientConfig config(TableReader.Server found, Optional<Duration> lostAfter) {
        return config(ClientConfig.of(found.address(), found.secrets(), found.transport()), lostAfter);
    }

    /** What the server calls this client. */
    private static ClientName here() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            host = "a machine without a name";
        }
        return new ClientName(host + " (process " + ProcessHandle.current().pid() + ")");
    }

    private static ClientConfig config(ClientConfig usual, Optional<Duration> lostAfter) {
        return usual.withLostAfter(lostAfter).withName(here());
    }
}
