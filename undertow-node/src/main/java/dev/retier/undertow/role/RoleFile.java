package dev.retier.undertow.role;

import dev.retier.config.ConfigReader;
import dev.retier.config.Fields;
import dev.retier.config.HostPort;
import dev.retier.config.Parsed;
import dev.retier.config.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file that an agent generates and a node follows.
 *
 * @param epoch number of the cluster configuration it was made for, 0 or more
 * @param role what the node is to do
 * @param site the site it serves; null only for a spare
 * @param apps where a proxy sends requests, 1..256, names and addresses distinct; empty for the other roles
 * @param letGo which kept connections a proxy lets go; none for the other roles
 * @param nodes hosts of the machines that may have forwarded a request, names or addresses; empty if any may
 */
public record RoleFile(
        long epoch, Role role, @Nullable String site, List<AppTarget> apps, LetGo letGo, List<String> nodes) {
    /** What every reader of the status page can hold: a JSON number is exact up to there (RFC 8259, section 6). */
    private static final long MAX_EPOCH = (1L << 53) - 1;

    /** Most app nodes in one file: the size of a cell (design, section 10). */
    public static final int MAX_APPS = 256;
    /** Names of nodes and sites: they go into headers, labels and file names. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    /** What to do about a name that is none. */
    public static final String NAME_REMEDY = "use 1 to 63 letters, digits, dots, dashes or underscores";

    /** A machine may have an address for each of four uses. */
    private static final int MAX_HOSTS = 4 * MAX_APPS;

    private static final String HOST_REMEDY = "write the names or addresses of machines, without ports";
    private static final Pattern ANY_TEXT = Pattern.compile("(?s).*");
    private static final int MAX_WEIGHT = 1_000;
    private static final int USUAL_WEIGHT = 100;

    /** Keeps its own copies of the lists. */
    public RoleFile {
        apps = List.copyOf(apps);
        nodes = List.copyOf(nodes);
    }

    /**
     * Reads a role file. Unknown keys, wrong types and values out of range are all reported together.
     *
     * @param bytes the content, UTF-8
     * @param file how problems name the file
     */
    public static Parsed<RoleFile> parse(byte[] bytes, String file) {
        Problems problems = new Problems(file);
        Fields fields = Fields.root(ConfigReader.json(bytes, problems), problems);
        long epoch = fields.wholeNumber("epoch", null, 0, MAX_EPOCH);
        Role role = fields.oneOf("role", Role.values(), null, Role::word);
        fields.optionalText("managed-by", ANY_TEXT, "write who does, in quotes");
        String site = role == Role.SPARE && !fields.has("site") ? null : fields.text("site", NAME, NAME_REMEDY);
        List<AppTarget> apps = parseApps(fields, role, problems);
        LetGo letGo = LetGo.parse(fields);
        if (role != Role.PROXY && fields.has("let-go")) {
            fields.problem("let-go", "only a proxy lets connections go; remove it or set role to \"proxy\"");
        }
        List<String> nodes =
                fields.has("nodes") ? fields.texts("nodes", MAX_HOSTS, HostPort.HOST, HOST_REMEDY) : List.of();
        fields.finish();
        return problems.isEmpty()
                ? new Parsed.Good<>(new RoleFile(epoch, role, site, apps, letGo, nodes))
                : new Parsed.Refused<>(problems.list());
    }

    private static List<AppTarget> parseApps(Fields fields, Role role, Problems problems) {
        List<Fields> items = fields.optionalList("apps", MAX_APPS, (value, where) -> Fields.of(value, where, problems));
        if (role == Role.PROXY && items.isEmpty() && problems.isEmpty()) {
            fields.problem("apps", "a proxy without app nodes cannot serve; list at least one app node");
        }
        if (role != Role.PROXY && !items.isEmpty()) {
            fields.problem("apps", "only a proxy has app nodes; remove the list or set role to \"proxy\"");
        }
        List<AppTarget> apps = items.stream().map(RoleFile::parseApp).toList();
        if (problems.isEmpty()) {
            refuseRepeats(items, apps);
        }
        return apps;
    }

    private static AppTarget parseApp(Fields fields) {
        String node = fields.text("node", NAME, NAME_REMEDY);
        HostPort address = fields.address("address", 1);
        int weight = fields.integer("weight", USUAL_WEIGHT, 1, MAX_WEIGHT);
        fields.finish();
        return new AppTarget(node, address, weight);
    }

    private static void refuseRepeats(List<Fields> items, List<AppTarget> apps) {
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < apps.size(); i++) {
            if (!seen.add(apps.get(i).node())) {
                items.get(i).problem("node", "a second \"" + apps.get(i).node() + "\"; list each node once");
            }
            if (!seen.add(apps.get(i).address())) {
                items.get(i).problem("address", apps.get(i).address() + " appears twice; list it once");
            }
        }
    }
}
