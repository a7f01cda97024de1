package dev.retier.agent.config;

import dev.retier.config.Fields;
import dev.retier.config.HostPort;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the lines about a server. Stateless. */
final class ServerParser {
    static final Pattern PATH = Pattern.compile("[^\\p{Cntrl}]{1,4096}");
    static final Pattern URL_PATH = Pattern.compile("/[!-~]{0,255}");
    static final String URL_PATH_REMEDY =
            "write a path that begins with / and has no blanks, line ends or letters beyond"
                    + " ASCII, 256 characters at most; a blank is %20";
    private static final Pattern SAFE_PATH = Pattern.compile("/[A-Za-z0-9._/@+-]{1,1023}");
    static final Pattern WORD = Pattern.compile("[^\\p{Cntrl}]{1,1024}");
    private static final Pattern TIER = Pattern.compile("proxy|app");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[a-z]+}");
    private static final String USUAL_STATUS_PATH = "/.retier/status";
    private static final int MAX_WORDS = 32;
    private static final int MAX_HELPERS = 8;
    private static final String ABSOLUTE_REMEDY = "write an absolute path of letters, digits and . _ / @ + -";
    private static final Duration ONE_MINUTE = Duration.ofMinutes(1);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration TEN_MS = Duration.ofMillis(10);

    private ServerParser() {}

    /**
     * The section {@code server} or {@code app-server} of a node.
     *
     * @param notes the folder of the agent of that node, where it notes what a server that is told nothing is for
     */
    static ServerConfig server(Fields fields, Path notes) {
        ServerKind kind = fields.oneOf("kind", ServerKind.values(), ServerKind.WEB_NODE, ServerKind::word);
        if (fields.isRefused("kind")) {
            // Which keys belong to it nobody knows: none is called missing or unknown.
            HostPort address = address(fields, "address");
            return ServerConfig.webNode(address, address, Path.of(address.toString()));
        }
        ServerConfig server =
                kind == ServerKind.OTHER ? OtherParser.server(fields, notes) : server(fields, kind, "role-file");
        fields.finish();
        return server;
    }

    /** The keys of a server of that kind; the caller finishes {@code fields}. */
    static ServerConfig server(Fields fields, ServerKind kind, String fileKey) {
        HostPort address = fileKey.equals("role-file") ? reached(fields) : address(fields, "address");
        HostPort admin = kind == ServerKind.HAPROXY ? address : address(fields, "admin");
        if (kind == ServerKind.HTTPD && admin.equals(address)) {
            fields.problem(
                    "admin",
                    admin + " is where clients come: give the status page a port of its own, such as 127.0.0.1:8099,"
                            + " and have httpd Listen there");
        }
        Path file = kind.isReloaded() ? absolute(fields, fileKey) : Path.of(fields.text(fileKey, PATH, FILE_REMEDY));
        String provePath =
                fields.optionalText("prove-path", URL_PATH, URL_PATH_REMEDY).orElse(ServerConfig.DEFAULT_PROVE_PATH);
        Set<Tier> tiers = fileKey.equals("role-file") ? tiers(fields, kind) : kind.tiers();
        return new ServerConfig(
                kind, address, admin, file, provePath, kind.isReloaded() ? control(fields, kind) : null, tiers);
    }

    /** Of a node's server; one at the edge has none. */
    private static Set<Tier> tiers(Fields fields, ServerKind kind) {
        if (!fields.has("tiers")) {
            return kind.tiers();
        }
        List<String> words = fields.texts("tiers", Tier.values().length, TIER, "write proxy or app");
        Set<Tier> tiers = Arrays.stream(Tier.values())
                .filter(tier -> words.contains(Fields.lowerCase(tier)))
                .collect(Collectors.toSet());
        if (!kind.tiers().containsAll(tiers)) {
            fields.problem("tiers", kind.word() + " cannot be an app; write [proxy], or leave it out");
        }
        return tiers;
    }

    /** Where a node's server is sent requests from other machines. */
    static HostPort reached(Fields fields) {
        return one(fields, "address", address(fields, "address"), "this server, which may listen at all");
    }

    /** An address at which others find {@code what}. */
    static HostPort one(Fields fields, String key, HostPort address, String what) {
        if (!fields.isRefused(key) && Literals.isAny(address.host())) {
            fields.problem(
                    key,
                    address
                            + " is every address of a machine, to which other nodes and edges cannot send; write the"
                            + " one by which they reach " + what);
        }
        return address;
    }

    /** Addresses go into the files of other nodes, of whatever kind these are. */
    static HostPort address(Fields fields, String key) {
        HostPort address = fields.address(key, 1);
        if (!GeneratedValue.isPlain(address.toString())) {
            fields.problem(key, "\"" + address + "\" cannot be written into a server's file; " + GeneratedValue.REMEDY);
        }
        return address;
    }

    private static final String FILE_REMEDY = "name the file that the agent writes";

    /** Servers resolve relative paths each in its own way, and some read blanks and quotes as syntax. */
    static Path absolute(Fields fields, String key) {
        return Path.of(fields.text(key, SAFE_PATH, ABSOLUTE_REMEDY));
    }

    private static ServerControl control(Fields fields, ServerKind kind) {
        String program = fields.optionalText("program", WORD, "name the server's program")
                .orElse(kind.word());
        ServerControl.Commands usual = ServerControl.Commands.usual(kind, program);
        return new ServerControl(
                absolute(fields, "config"),
                new MainProcess.InFile(absolute(fields, "pid-file")),
                fields.optionalText("status-path", URL_PATH, URL_PATH_REMEDY).orElse(USUAL_STATUS_PATH),
                kind == ServerKind.HAPROXY ? absolute(fields, "socket") : null,
                template(fields),
                new ServerControl.Commands(
                        program,
                        command(fields, "check", usual.check()),
                        command(fields, "reload", usual.reload()),
                        command(fields, "restart", usual.restart()),
                        command(fields, "stop", usual.stop())),
                limits(fields),
                alsoPidFiles(fields));
    }

    static List<Path> alsoPidFiles(Fields fields) {
        return fields.has("also-pid-files")
                ? fields.texts("also-pid-files", MAX_HELPERS, SAFE_PATH, ABSOLUTE_REMEDY).stream()
                        .map(Path::of)
                        .toList()
                : List.of();
    }

    private static ServerControl.Limits limits(Fields fields) {
        return limits(fields, ServerControl.Limits.UNLIMITED);
    }

    static ServerControl.Limits limits(Fields fields, int requestsAtOnce) {
        ServerControl.Limits limits = ServerControl.Limits.DEFAULTS;
        return new ServerControl.Limits(
                fields.duration("reload-interval", limits.reloadInterval(), Duration.ZERO, ONE_MINUTE),
                fields.duration("check-deadline", limits.checkDeadline(), TEN_MS, ONE_MINUTE),
                fields.duration("converge-deadline", limits.convergeDeadline(), TEN_MS, ONE_MINUTE),
                fields.duration("start-deadline", limits.startDeadline(), TEN_MS, TEN_MINUTES),
                requestsAtOnce);
    }

    static @Nullable Path template(Fields fields) {
        Optional<String> text = fields.optionalText("template", PATH, "name a file");
        return text.map(Path::of).orElse(null);
    }

    static List<String> command(Fields fields, String key, List<String> usual) {
        if (!fields.has(key)) {
            return usual;
        }
        List<String> words = fields.texts(key, MAX_WORDS, WORD, "write each word of the command as one item");
        for (String word : words) {
            Matcher matcher = PLACEHOLDER.matcher(word);
            while (matcher.find()) {
                if (!ServerControl.PLACEHOLDERS.contains(matcher.group())) {
                    String known = String.join(", ", ServerControl.PLACEHOLDERS);
                    fields.problem(key, matcher.group() + " stands for nothing; use one of " + known);
                }
            }
        }
        return words;
    }
}
