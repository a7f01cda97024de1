package dev.retier.webnode.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The file that an agent generates and a web-node follows.
 *
 * @param epoch number of the cluster configuration it was made for, 0 or more
 * @param role what the node is to do
 * @param site the site it serves; null only for a spare
 * @param apps where a proxy sends requests, 1..256, names and addresses distinct; empty for the other roles
 */
public record RoleFile(long epoch, Role role, @Nullable String site, List<AppTarget> apps) {
    /** Most app nodes in one file: the size of a cell (design, section 10). */
    public static final int MAX_APPS = 256;
    /** Names of nodes and sites: they go into headers, labels and file names. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    static final String NAME_REMEDY = "use 1 to 63 letters, digits, dots, dashes or underscores";
    private static final int MAX_WEIGHT = 1_000;
    private static final int USUAL_WEIGHT = 100;

    /** Keeps its own copy of the list. */
    public RoleFile {
        apps = List.copyOf(apps);
    }

    /**
     * Reads a role file. Unknown keys, wrong types and values out of range are all reported together.
     *
     * @param bytes the content, UTF-8
     * @param file how problems name the file
     */
    public static Parsed<RoleFile> parse(byte[] bytes, String file) {
        Problems problems = new Problems(file);
        JsonFields fields = JsonFields.root(bytes, problems);
        long epoch = fields.requiredInteger("epoch", 0, Long.MAX_VALUE);
        Role role = fields.oneOf("role", Role.values(), Role::word, Role.SPARE);
        fields.optionalText("managed-by");
        String site = role == Role.SPARE && !fields.has("site") ? null : fields.text("site", NAME, NAME_REMEDY);
        List<AppTarget> apps = parseApps(fields, role, problems);
        fields.finish();
        return problems.isEmpty()
                ? new Parsed.Good<>(new RoleFile(epoch, role, site, apps))
                : new Parsed.Refused<>(problems.list());
    }

    private static List<AppTarget> parseApps(JsonFields fields, Role role, Problems problems) {
        List<JsonNode> items = fields.optionalList("apps", MAX_APPS);
        if (role == Role.PROXY && items.isEmpty() && problems.isEmpty()) {
            problems.add("apps", "a proxy without app nodes cannot serve; list at least one app node");
        }
        if (role != Role.PROXY && !items.isEmpty()) {
            problems.add("apps", "only a proxy has app nodes; remove the list or set role to \"proxy\"");
        }
        List<AppTarget> apps = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            apps.add(parseApp(JsonFields.of(items.get(i), "apps[" + i + "]", problems)));
        }
        refuseRepeats(apps, problems);
        return apps;
    }

    private static AppTarget parseApp(JsonFields fields) {
        String node = fields.text("node", NAME, NAME_REMEDY);
        HostPort address = fields.address("address", 1);
        int weight = (int) fields.integer("weight", 1, MAX_WEIGHT, USUAL_WEIGHT);
        fields.finish();
        return new AppTarget(node, address, weight);
    }

    private static void refuseRepeats(List<AppTarget> apps, Problems problems) {
        if (!problems.isEmpty()) {
            return;
        }
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < apps.size(); i++) {
            if (!seen.add(apps.get(i).node())) {
                problems.add("apps[" + i + "].node", "a second \"" + apps.get(i).node() + "\"; list each node once");
            }
            if (!seen.add(apps.get(i).address())) {
                problems.add("apps[" + i + "].address", apps.get(i).address() + " appears twice; list it once");
            }
        }
    }
}
