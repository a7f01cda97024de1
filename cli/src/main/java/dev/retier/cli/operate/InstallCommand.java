package dev.retier.cli.operate;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.install.Edit;
import dev.retier.agent.install.Installation;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.ClusterFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code retier install}. */
@Command(
        name = "install",
        description = "Write into the own configuration of httpd, nginx or HAProxy what a node needs: modules, a port"
                + " for the agent, and one line in each virtual host of a site; or the generated file in HAProxy's"
                + " options, and a few lines in its front end. The difference is shown first. Nothing is reloaded. Of a"
                + " server of kind other it says what is to be done by hand.",
        footer = {
            "Exit code 2 with --check when something would be changed.",
            "--remove gives files that nobody has changed since their bytes back."
        })
public final class InstallCommand implements Callable<Integer> {
    private static final String USUAL_USER = "retier";
    private static final int CONNECT_MILLIS = 1_000;

    @Parameters(
            paramLabel = "KIND",
            description = "The kind of the server beside the node: httpd, nginx, haproxy or other.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String kind;

    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The cluster file (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(names = "--node", paramLabel = "NAME", required = true, description = "Which node of the cluster this is.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(names = "--check", description = "Show the difference and change nothing.")
    private boolean isCheck;

    @Option(names = "--remove", description = "Take out what was installed.")
    private boolean isRemoving;

    @Option(
            names = "--agent-user",
            paramLabel = "USER",
            description = "Who is to own the folder of the generated file (default: retier, if there is such a user).")
    private @Nullable String user;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            ClusterConfig cluster = ClusterFile.read(file);
            NodeConfig node = ClusterFile.node(cluster, "--node", name, file);
            ServerConfig server = node.servers().stream()
                    .filter(one -> one.kind().word().equals(kind))
                    .findFirst()
                    .orElseThrow(() -> new CommandFailure(
                            ExitCode.USAGE,
                            "beside " + name + " is "
                                    + node.servers().stream()
                                            .map(one -> one.kind().word())
                                            .collect(Collectors.joining(" and "))
                                    + ", not " + kind));
            Installation installation = new Installation(new AgentConfig(cluster, node.id()), server);
            return (isRemoving ? remove(installation, node, out) : install(installation, node, out)).code();
        } catch (ReconfigException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        } finally {
            out.flush();
        }
    }

    private ExitCode install(Installation installation, NodeConfig node, PrintWriter out) throws InterruptedException {
        installation.advice().forEach(out::println);
        List<Edit> edits = installation.plan();
        edits.forEach(edit -> Installation.shown(edit).forEach(out::println));
        if (edits.isEmpty()) {
            out.println("nothing is lacking; now: " + doctor(node));
            return ExitCode.OK;
        }
        if (isCheck) {
            return ExitCode.CHANGES;
        }
        out.flush();
        installation.install(edits, owner());
        out.println(
                "installed, and " + kind + "'s checker is content. Now restart it once, then:" + " " + doctor(node));
        return ExitCode.OK;
    }

    /** As the agent's user, whose rights are what is to be proven. */
    private String doctor(NodeConfig node) {
        String agent = owner();
        return (agent == null ? "" : "runuser -u " + agent + " -- ") + "retier doctor --config " + file + " --node "
                + node.name();
    }

    private ExitCode remove(Installation installation, NodeConfig node, PrintWriter out) {
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            node.agentAdmin().host(), node.agentAdmin().port()),
                    CONNECT_MILLIS);
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    "an agent runs at " + node.agentAdmin() + ": drain " + name
                            + " and stop it before its server forgets" + " its role");
        } catch (IOException e) {
            // Nobody is there, as it must be.
            installation.remove(out::println);
        }
        out.println("taken out; now restart " + kind + " once");
        return ExitCode.OK;
    }

    private @Nullable String owner() {
        if (user != null) {
            return user;
        }
        try {
            FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(USUAL_USER);
            return USUAL_USER;
        } catch (IOException e) {
            return null;
        }
    }
}
