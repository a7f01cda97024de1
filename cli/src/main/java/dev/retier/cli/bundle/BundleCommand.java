package dev.retier.cli.bundle;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.files.ConfigFile;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.bundle.text.Anonymising;
import dev.retier.cli.bundle.text.Masking;
import dev.retier.cli.operate.AgentPages;
import dev.retier.cli.operate.AskedAgent;
import dev.retier.cli.options.AgentAccessOptions;
import dev.retier.config.ConfigException;
import dev.retier.config.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retier bundle}. */
@Command(
        name = "bundle",
        description = "Put what somebody needs who shall help into one archive.",
        footer = {
            "In it: the cluster file, what its agents answer (status, explain, moves, configuration, metrics), journals"
                    + " and generated files of this machine, the last 10,000 lines of each log, versions, kernel,"
                    + " limits; MANIFEST lists it, and what could not be had. Secrets are masked; look at it all the"
                    + " same before you send it. It works without any agent, and changes nothing. Without --config and"
                    + " --agent the cluster file is /etc/retier/cluster.yaml; all agents are asked, not only the first"
                    + " that answers."
        })
public final class BundleCommand implements Callable<Integer> {
    private static final Path USUAL = Path.of("/etc/retier/cluster.yaml");

    @ArgGroup(exclusive = true)
    private @Nullable AskedAgent named;

    @Mixin
    private AgentAccessOptions access = new AgentAccessOptions();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The archive (tar.gz), which may not be there yet (default: retier-bundle-TIME.tar.gz here).")
    private @Nullable Path out;

    @Option(
            names = "--anonymise",
            description =
                    "Give nodes, sites, edges, volumes, hosts, addresses and users other names, the same ones in all"
                            + " files.")
    private boolean isAnonymous;

    @Option(
            names = "--log",
            paramLabel = "FILE",
            description = "A log to take in, once or more (default: /var/log/retier/*.log); systemd's journal is taken"
                    + " in where there is one.")
    private List<Path> logs = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Path archive =
                out != null ? out : Path.of("retier-bundle-" + now.toString().replace(":", "") + ".tar.gz");
        if (isAnonymous && named != null && named.config().isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--anonymise: the cluster file tells the names; give --config in place of --agent");
        }
        if (Files.exists(archive)) {
            throw new CommandFailure(ExitCode.FAILED, archive + " is there already; name another with --out");
        }
        try {
            write(archive, now);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, archive + " cannot be written: " + e, e);
        }
        return ExitCode.OK.code();
    }

    private void write(Path archive, Instant now) throws IOException, InterruptedException {
        AskedAgent asked = named != null ? named : AskedAgent.of(USUAL);
        Optional<Path> file = asked.config();
        String text = file.map(BundleCommand::text).orElse("");
        List<String> problems = new ArrayList<>();
        Optional<ClusterConfig> cluster = file.flatMap(each -> cluster(each, problems));
        KnownSecrets secrets = KnownSecrets.of(text, cluster, access.secretFiles());
        Collected collected = new Collected(new Masking(secrets.secrets()));
        if (!text.isEmpty()) {
            collected.add("config/cluster.yaml", text);
        } else {
            collected.missing(
                    "config/cluster.yaml",
                    file.map(each -> each + " is not there, is empty, or may not be read by" + " this user")
                            .orElse("no --config was given"));
        }
        problems.forEach(why -> collected.missing("agents, journals and generated files", why));
        Map<String, String> statuses = problems.isEmpty() ? agents(collected, asked) : Map.of();
        Machine machine = new Machine(collected);
        cluster.ifPresent(known -> new NodeFiles(collected, machine).add(known));
        machine.facts();
        machine.logs(logs);
        collected.add("versions", "retier " + Version.current() + "\njava " + Runtime.version() + "\n");
        if (isAnonymous) {
            anonymise(collected, names(cluster.orElseThrow(), statuses, secrets.tokenNames()));
        }
        String head = "retier bundle of " + now + ", by retier " + Version.current() + "\nsecrets are masked as "
                + Masking.MASK + (isAnonymous ? "; names are changed\n" : "; names are as they are\n");
        String manifest = collected.manifest(head);
        save(archive, collected, manifest, now);
        spec.commandLine().getOut().print(manifest);
        spec.commandLine().getOut().println("\n" + archive + " (" + Files.size(archive) + " bytes)");
        spec.commandLine().getOut().flush();
    }

    private static String text(Path file) {
        try {
            return Machine.end(file);
        } catch (IOException unreadable) {
            return "";
        }
    }

    private static void anonymise(Collected collected, Anonymising names) {
        collected.anonymise(names).ifPresent(left -> {
            throw new CommandFailure(
                    ExitCode.FAILED, "nothing is written: there is still " + left + "; please report this");
        });
    }

    private static void save(Path archive, Collected collected, String manifest, Instant now) throws IOException {
        Files.createFile(archive, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (OutputStream bytes = Files.newOutputStream(archive, StandardOpenOption.WRITE)) {
            collected.write(bytes, manifest, now);
        } catch (IOException e) {
            Files.deleteIfExists(archive);
            throw e;
        }
    }

    private Optional<ClusterConfig> cluster(Path file, List<String> problems) {
        try {
            return Optional.of(ConfigFile.read(file));
        } catch (ConfigException e) {
            if (isAnonymous) {
                throw new CommandFailure(
                        ExitCode.CONFIG,
                        "names cannot be changed, as the cluster file does not tell them: " + e.getMessage()
                                + "; mend it, or leave --anonymise out",
                        e);
            }
            problems.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** What each agent answers; the status of those that do. */
    private Map<String, String> agents(Collected collected, AskedAgent asked) throws InterruptedException {
        Map<String, String> statuses = new TreeMap<>();
        try {
            AgentPages.of(asked, access).forEach((agent, pages) -> {
                String folder = "agents/" + agent.replaceAll("[^A-Za-z0-9._-]+", "-") + "/";
                pages.texts().forEach((name, text) -> collected.add(folder + name, text));
                pages.failures().forEach((name, why) -> collected.missing(folder + name, why));
                Optional.ofNullable(pages.texts().get(AgentPages.STATUS))
                        .ifPresent(status -> statuses.put(agent, status));
            });
        } catch (CommandFailure e) {
            if (e.exitCode() == ExitCode.USAGE) {
                throw e;
            }
            collected.missing("agents", String.valueOf(e.getMessage())); // a certificate that is no good, say
        }
        return statuses;
    }

    private static Anonymising names(ClusterConfig cluster, Map<String, String> statuses, Set<String> tokenNames)
            throws IOException {
        Anonymising names = Anonymising.of(cluster);
        statuses.values().forEach(status -> names.add("volume", AgentPages.volumes(status)));
        names.add("machine", Machine.hostNames());
        names.add("user", Machine.users());
        names.add("user", tokenNames);
        names.add("user", NodeFiles.commanders(cluster));
        return names;
    }
}
