package dev.retier.cli.lab;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.lab.plan.LabFiles;
import dev.retier.cli.lab.plan.LabSettings;
import dev.retier.cli.lab.plan.LabSites;
import dev.retier.cli.lab.plan.Placement;
import dev.retier.cli.options.DurationConverter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a lab is like. */
final class LabOptions {
    @Option(names = "--nodes", paramLabel = "N", defaultValue = "7", description = "Nodes (default: 7).")
    private int nodes;

    @Option(
            names = "--haproxy",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many of them run HAProxy instead of httpd: it can be a proxy and no app, and starts as a"
                    + " spare (default: ${DEFAULT-VALUE}).")
    private int haproxies;

    @Option(
            names = "--nginx",
            paramLabel = "N",
            defaultValue = "0",
            description = "How many run nginx, in the same way (default: ${DEFAULT-VALUE}).")
    private int nginxes;

    @Option(
            names = "--proxies",
            paramLabel = "N",
            defaultValue = "2",
            description = "How many with httpd start as proxies, the others as apps (default: ${DEFAULT-VALUE}).")
    private int proxies;

    @Option(
            names = "--min-proxies",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many proxies there must always be (default: ${DEFAULT-VALUE}).")
    private int minProxies;

    @Option(
            names = "--second-site",
            paramLabel = "PROXIES+APPS",
            description = "A second site, news, of lower priority than the first one, shop: so many of the last nodes"
                    + " with httpd start as its proxies and apps, and the edge serves it at port "
                    + LabFiles.NEWS_PORT + ".")
    private @Nullable String secondSite;

    @Option(
            names = "--guarantee",
            paramLabel = "N",
            defaultValue = "0",
            description = "Requests per second that shop is promised (default: none).")
    private int guarantee;

    @Option(
            names = "--quota",
            paramLabel = "PERCENT",
            defaultValue = "10",
            description = "What each node may use of one processor (default: ${DEFAULT-VALUE}).")
    private int quota;

    @Option(
            names = "--period",
            paramLabel = "DURATION",
            defaultValue = "100ms",
            converter = DurationConverter.class,
            description = "Over which the quota is kept: long for throughput, 20ms for latency"
                    + " (default: ${DEFAULT-VALUE}).")
    private Duration period = Duration.ZERO;

    @Option(
            names = "--dynamic",
            paramLabel = "DURATION",
            defaultValue = "1500us",
            converter = DurationConverter.class,
            description = "Processor time of the application for one dynamic answer (default: ${DEFAULT-VALUE}).")
    private Duration dynamic = Duration.ZERO;

    @Option(
            names = "--file-bytes",
            paramLabel = "N",
            defaultValue = "8192",
            description = "Length of a static file; the proxies compress it for each answer"
                    + " (default: ${DEFAULT-VALUE}).")
    private int fileBytes;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            defaultValue = "act",
            description = "Of the agents: act, recommend or observe (default: ${DEFAULT-VALUE}).")
    private String mode = "act";

    @Option(
            names = "--placement",
            paramLabel = "WHERE",
            defaultValue = "outside",
            description =
                    "Of the agents: outside the nodes' quotas; inside, where a node's agent and server have groups"
                            + " of their own below the node's; sidecar, the same in namespaces of their own"
                            + " (default: ${DEFAULT-VALUE}).")
    private Placement placement = Placement.OUTSIDE;

    @Option(
            names = {"-S", "--sensitivity"},
            paramLabel = "DURATION",
            defaultValue = "200ms",
            converter = DurationConverter.class,
            description = "Time between two looks at the shared state (default: ${DEFAULT-VALUE}).")
    private Duration sensitivity = Duration.ZERO;

    @Option(
            names = {"-T", "--history"},
            paramLabel = "DURATION",
            defaultValue = "1s",
            converter = DurationConverter.class,
            description = "How long a pressure must hold before it counts (default: ${DEFAULT-VALUE}).")
    private Duration history = Duration.ZERO;

    /** Refuses what cannot be, all at once. */
    LabSettings settings() {
        LabSettings settings = new LabSettings(
                nodes,
                haproxies,
                nginxes,
                proxies,
                minProxies,
                sites(),
                quota,
                period,
                dynamic,
                fileBytes,
                mode,
                placement,
                sensitivity,
                history);
        List<String> problems = settings.problems();
        if (!problems.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, String.join("\n", problems));
        }
        return settings;
    }

    private LabSites sites() {
        if (secondSite == null) {
            return new LabSites(guarantee, 0, 0);
        }
        if (!secondSite.matches("[1-9]\\d?\\+[1-9]\\d?")) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--second-site " + secondSite + ": use its proxies and its apps, at least 1+1");
        }
        int plus = secondSite.indexOf('+');
        return new LabSites(
                guarantee,
                Integer.parseInt(secondSite.substring(0, plus)),
                Integer.parseInt(secondSite.substring(plus + 1)));
    }
}
