package dev.retier.cli.operate;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.status.Finding;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.ClusterFile;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import dev.retier.rnic.RdmaDevices;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier doctor}. */
@Command(
        name = "doctor",
        description = "Prove that this machine has what a move will need: status, proof, checker, keys, virtual hosts,"
                + " balancer, files, space, peers, edges and, with transport: native, the RDMA device. Nothing"
                + " is changed. Run it as the agent's user.",
        footer = "Exit code 1 when anything is bad; each such line says what to change, and where.")
public final class DoctorCommand implements Callable<Integer> {
    @Option(names = "--config", paramLabel = "FILE", required = true, description = "The cluster file (YAML).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(
            names = "--node",
            paramLabel = "NAME",
            description = "Which node of the cluster this is (default: those with an address of this machine).")
    private @Nullable String name;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ClusterConfig cluster = ClusterFile.read(file);
        ClusterLines lines = ClusterLines.of(file);
        Table table = new Table("node", "check", "verdict", "detail", "place", "remedy");
        PrintWriter out = spec.commandLine().getOut();
        boolean isAnyBad = false;
        for (NodeConfig node : nodes(cluster)) {
            warnOfRoot(new AgentConfig(cluster, node.id()).journalDirectory());
            List<Finding> findings = Stream.concat(
                            new Doctor(cluster, node, lines).findings().stream(),
                            DeviceExamination.of(cluster, node, lines, RdmaDevices::all).stream())
                    .toList();
            for (Finding finding : findings) {
                isAnyBad |= finding.isBad();
                table.row(
                        node.name(),
                        finding.check(),
                        finding.verdict().name().toLowerCase(Locale.ROOT),
                        finding.detail(),
                        finding.place(),
                        finding.remedy());
            }
            if (output.format() == OutputFormat.TABLE) {
                out.println(node.name() + ":");
                findings.forEach(finding -> print(out, finding));
                out.flush();
            }
        }
        if (output.format() != OutputFormat.TABLE) {
            output.print(spec, table);
        }
        return (isAnyBad ? ExitCode.FAILED : ExitCode.OK).code();
    }

    /** Who may do everything does not see what the agent may not. */
    private void warnOfRoot(Path journal) {
        if (!"root".equals(System.getProperty("user.name")) || !Files.isDirectory(journal)) {
            return;
        }
        try {
            String agent = Files.getOwner(journal).getName();
            if (!"root".equals(agent)) {
                spec.commandLine()
                        .getErr()
                        .println("retier doctor: as root; what the agent's user, " + agent
                                + ", may not do is not found so: runuser -u " + agent + " -- retier doctor ...");
            }
        } catch (IOException e) {
            // Then nobody is known who may do less.
        }
    }

    /** Remedies are sentences: as a table they would be wider than any screen. */
    private static void print(PrintWriter out, Finding finding) {
        String sign = switch (finding.verdict()) {
            case GOOD -> "[+]";
            case BAD -> "[-]";
            case UNKNOWN -> "[?]";
        };
        out.println("  " + sign + " " + finding.check() + ": " + finding.detail());
        if (finding.isBad()) {
            out.println("      " + finding.place());
            out.println("      " + finding.remedy());
        }
    }

    private List<NodeConfig> nodes(ClusterConfig cluster) {
        if (name != null) {
            return List.of(ClusterFile.node(cluster, "--node", name, file));
        }
        List<NodeConfig> here = cluster.nodes().stream()
                .filter(node -> isHere(node.rdma().host()))
                .toList();
        if (here.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "no node of " + file + " has an address of this machine; name one with --node");
        }
        return here;
    }

    private static boolean isHere(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException e) {
            return false;
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "the addresses of this machine cannot be read; use --node", e);
        }
    }
}
