package dev.retier.agent.server;

import dev.retier.agent.apply.WriteTrial;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.Rendering.Mark;
import dev.retier.agent.render.TemplateFiles;
import dev.retier.agent.status.Finding;
import dev.retier.config.IoReason;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether the server beside an agent has what a move will need, found out without a move: by requests, by its own
 * checker, and by files that are written and taken away again. It changes nothing. One use.
 */
public final class ServerExamination {
    /** Where a name only sends clients to another, that is right in every role (RFC 9110, 15.4). */
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 307, 308);

    static final Duration TIMEOUT = Duration.ofSeconds(3);

    /** Of httpd: the line, then the file. */
    private static final Pattern SYNTAX_ERROR = Pattern.compile("Syntax error on line (\\d+) of ([^:]+):");

    /** Of nginx and HAProxy: the file, then the line. */
    private static final Pattern FILE_AND_LINE = Pattern.compile("(?: in |\\[)(/[^: ]+:\\d+)");

    private final ClusterConfig cluster;
    private final NodeConfig node;
    private final ServerConfig server;
    private final UnaryOperator<String> places;
    private final List<Finding> findings = new ArrayList<>();

    /**
     * An examination of a server of {@code node}.
     *
     * @param places where a key of the node stands, such as {@code server.check}
     */
    public ServerExamination(
            ClusterConfig cluster, NodeConfig node, ServerConfig server, UnaryOperator<String> places) {
        this.cluster = cluster;
        this.node = node;
        this.server = server;
        this.places = places;
    }

    /**
     * All that was found, in the order in which it is best mended. It takes as long as the server's checker, and a few
     * seconds where nobody answers.
     *
     * @param expected the file that the server would get now; empty where none can be rendered
     */
    public List<Finding> findings(Optional<Rendering> expected) throws InterruptedException {
        if (server.isTold()) {
            folder();
        }
        switch (server.kind()) {
            case HTTPD -> {
                try (HttpdDialect dialect = new HttpdDialect(server)) {
                    // Its page says which MPM runs, without which the check does not know what a reload would end.
                    askedOnce(dialect);
                    boolean isChecked = check(dialect, expected);
                    process();
                    new HttpdExamination(this, dialect).examine(isChecked ? dialect.dump() : "", expected);
                }
            }
            case NGINX -> {
                try (NginxDialect dialect = new NginxDialect(server)) {
                    boolean isChecked = check(dialect, expected);
                    process();
                    new NginxExamination(this, dialect).examine(isChecked);
                }
            }
            case HAPROXY -> {
                try (HaproxyDialect dialect = new HaproxyDialect(server)) {
                    var _ = check(dialect, expected);
                    process();
                    new HaproxyExamination(this, dialect).examine(expected);
                    proof();
                }
            }
            case OTHER -> {
                try (OtherDialect dialect = new OtherDialect(server, cluster.anyHost(server))) {
                    if (server.isTold()) {
                        var _ = check(dialect, expected);
                    }
                    process();
                    new OtherExamination(this, dialect).examine();
                }
            }
            case WEB_NODE -> new WebNodeExamination(this).examine();
        }
        return List.copyOf(findings);
    }

    /**
     * There while the agent has stopped that server, as its node has nothing for it to do.
     *
     * @param journal the folder of the node's journal
     */
    public static Path restMark(ServerConfig server, Path journal) {
        return journal.resolve("stopped-" + server.kind().word());
    }

    private static void askedOnce(ServerDialect dialect) {
        try {
            var _ = dialect.page(TIMEOUT);
        } catch (IOException e) {
            // That nobody answers is found again, and said, by the check of the status.
            return;
        }
    }

    ClusterConfig cluster() {
        return cluster;
    }

    NodeConfig node() {
        return node;
    }

    ServerConfig server() {
        return server;
    }

    void good(String check, String detail) {
        findings.add(Finding.good(check, detail));
    }

    void unknown(String check, String detail) {
        findings.add(Finding.unknown(check, detail));
    }

    void bad(String check, String detail, String place, String remedy) {
        findings.add(Finding.bad(check, detail, place, remedy));
    }

    /** Where a key of the node stands. */
    String place(String key) {
        return places.apply(key);
    }

    /** As whom this runs. */
    public static String user() {
        return System.getProperty("user.name", "this user");
    }

    private void folder() {
        Path file = server.roleFile();
        Path folder = Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/"));
        String key = place("server.role-file");
        if (!Files.isDirectory(folder)) {
            bad(
                    "role-file",
                    folder + " is no folder",
                    key,
                    "make it, so that " + user() + " may write in it: mkdir -p " + folder);
            return;
        }
        try {
            WriteTrial.in(folder);
        } catch (IOException e) {
            bad(
                    "role-file",
                    user() + " cannot write in " + folder + " (" + IoReason.of(e) + ")",
                    key,
                    "let " + user() + " write there, with some space left");
            return;
        }
        if (Files.exists(file)
                && MarkOnDisk.of(server.roleFile()).isEmpty()
                && server.kind().isReloaded()) {
            bad("role-file", file + " is not a file of retier", key, "move it away, or name another one");
            return;
        }
        good("role-file", "may be written");
    }

    /** The staged file is the lock: while an agent checks one of its own, this stays away. */
    private boolean check(ServerDialect dialect, Optional<Rendering> expected) throws InterruptedException {
        if (expected.isEmpty()) {
            unknown("check", "there is no file for its role yet: a proxy needs an app");
            return false;
        }
        Path staged = TemplateFiles.staged(server.roleFile());
        CommandRunner.Outcome outcome;
        long begunNanos = System.nanoTime();
        try (StagedCopy copy = new StagedCopy(staged, expected.get().content())) {
            outcome = dialect.check(staged);
            if (!copy.isOwn()) {
                throw new FileAlreadyExistsException(staged.toString()); // what was checked is not known
            }
        } catch (FileAlreadyExistsException e) {
            unknown("check", "an agent is checking a file just now; ask again");
            return false;
        } catch (IOException e) {
            unknown("check", "no file can be staged beside " + server.roleFile());
            return false;
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
        if (!outcome.isGood()) {
            refused(outcome.summary());
            return false;
        }
        Optional<String> hazard = dialect.reloadHazard();
        if (hazard.isPresent()) {
            bad("reload", hazard.get(), server.controlled().config().toString(), "as it says, before anybody reloads");
        }
        deadline(took);
        return true;
    }

    private void deadline(Duration took) {
        Duration deadline = server.controlled().limits().checkDeadline();
        String detail = "as " + user() + ", in " + took.toMillis() + " ms of " + deadline.toMillis();
        if (took.multipliedBy(2).compareTo(deadline) > 0) {
            bad(
                    "check",
                    detail + ": on a busy node it will take longer",
                    place("server.check-deadline"),
                    "set it to " + Math.ceilDiv(took.toMillis() * 4, 1_000) + "s or more");
        } else {
            good("check", detail);
        }
    }

    private void refused(String summary) {
        String place = errorPlace(summary);
        if (summary.contains(" took longer than ")) {
            bad("check", summary, place("server.check-deadline"), "let it take longer, or find out why it does");
            return;
        }
        Optional<Finding> known = server.kind() == ServerKind.NGINX
                ? NginxRefusals.of(summary, this)
                : HttpdRefusals.of(summary, place, this);
        findings.add(known.orElseGet(() -> Finding.bad(
                "check",
                summary,
                summary.contains("cannot be run") ? place("server.check") : place,
                "mend what it names; as " + user() + " run: "
                        + String.join(" ", server.controlled().commands().check()))));
    }

    private String errorPlace(String summary) {
        Matcher syntax = SYNTAX_ERROR.matcher(summary);
        String config = server.controlled().config().toString();
        String staged = TemplateFiles.staged(server.roleFile()).toString();
        if (syntax.find()) {
            // The copy is gone by the time somebody looks for it.
            return syntax.group(2).equals(staged) ? config : syntax.group(2) + ":" + syntax.group(1);
        }
        Matcher other = FILE_AND_LINE.matcher(summary);
        // What nginx only warns of stands before it, and did no harm.
        return other.find(Math.max(0, summary.lastIndexOf("[emerg]")))
                        && !other.group(1).startsWith(staged)
                ? other.group(1)
                : config;
    }

    private void signal(long pid) throws InterruptedException {
        if (server.isTold() && !Commands.maySignal(server.kind(), server.controlled(), pid)) {
            bad(
                    "reload",
                    user() + " may not signal process " + pid + ", so no reload would come about",
                    place("server.reload"),
                    "run the agent as the user of that process, or write a command that this user may run, such as"
                            + " reload: [systemctl, reload, UNIT]");
        }
    }

    private String processKey() {
        return server.controlled().process() instanceof MainProcess.OfUnit ? "server.unit" : "server.pid-file";
    }

    private void helpers() {
        for (Path file : server.controlled().alsoPidFiles()) {
            if (ServerProcess.named(file).filter(Processes.OF_SYSTEM::isAlive).isPresent()) {
                good("also-pid-files", file + " names a process, whose work counts");
            } else {
                bad(
                        "also-pid-files",
                        file + " names no running process that " + user() + " can see, so that its work does not count",
                        place("server.also-pid-files"),
                        "start that program, name the pid file that it writes, or take it out");
            }
        }
    }

    private void process() throws InterruptedException {
        try (ServerProcess process = new ServerProcess(server)) {
            switch (process.find()) {
                case ServerProcess.Server(long pid) -> {
                    if (process.usage().isPresent()) {
                        good("process", "process " + pid);
                    } else {
                        bad("process", process.noUsage(), place(processKey()), "as it says");
                    }
                    signal(pid);
                    helpers();
                }
                case ServerProcess.Nothing(String why) ->
                    bad(
                            "process",
                            why,
                            place(processKey()),
                            "start the server, or name the pid file that it writes, which " + user()
                                    + " may read, or its unit");
                case ServerProcess.Stranger(String why) -> bad("process", why, place(processKey()), "as it says");
            }
        }
    }

    static String reason(IOException e) {
        String reason = IoReason.of(e);
        return reason.equals("null") ? e.toString() : reason;
    }

    /** Whether the file that the server has loaded is the one on disk. */
    void loaded() {
        Optional<Mark> onDisk = MarkOnDisk.of(server.roleFile());
        Optional<Mark> shown =
                new EpochProbe(server.admin(), server.controlled().statusPath(), () -> {}).ask();
        String place = server.controlled().config().toString();
        if (onDisk.isEmpty()) {
            unknown("loaded", server.roleFile() + " is not there yet; the agent writes it when it starts");
        } else if (shown.isEmpty()) {
            bad(
                    "loaded",
                    "it does not say which file it answers by",
                    place,
                    "have it include " + server.roleFile() + " and show X-Retier-Epoch, as conf/ of retier shows");
        } else if (!shown.get().structure().equals(onDisk.get().structure())) {
            bad("loaded", "it answers by " + shown.get() + ", and on disk is " + onDisk.get(), place, "reload it once");
        } else {
            good("loaded", "it answers by the file on disk");
        }
    }

    /** As clients ask, for each host of each site; once one is not answered at all, none will be. */
    void proof() {
        for (String host : hosts()) {
            String asked = server.address() + server.provePath() + " of host " + host;
            try (HttpFetch fetch = new HttpFetch(server.address(), host)) {
                HttpFetch.Answer answer = fetch.probe(server.provePath() + "?retier-proof=1", TIMEOUT);
                boolean isAsked =
                        cluster.sites().stream().allMatch(site -> site.hosts().isEmpty())
                                || cluster.sites().stream()
                                        .anyMatch(site -> site.hosts().indexOf(host) == 0);
                boolean isShown =
                        Mark.ofHeader(answer.headers().get(EpochProbe.HEADER)).isPresent();
                if (isShown || (REDIRECTS.contains(answer.status()) && !isAsked)) {
                    good("proof", asked + " answers " + answer.status());
                } else {
                    bad(
                            "proof",
                            asked + " answers " + answer.status() + " without X-Retier-Epoch",
                            server.controlled().config().toString(),
                            "have what answers there show it; the name that it sends to must be its site's first");
                }
            } catch (IOException e) {
                bad("proof", asked + ": " + reason(e), place("server.address"), "let the server listen there");
                return;
            }
        }
    }

    /** All names of all sites, else the address. */
    List<String> hosts() {
        List<String> hosts = cluster.sites().stream()
                .map(SiteConfig::hosts)
                .flatMap(List::stream)
                .toList();
        return hosts.isEmpty() ? List.of(server.address().toString()) : hosts;
    }
}
