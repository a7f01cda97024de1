package dev.retier.agent.render;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Hazard;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.render.Rendering.Mark;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Files of servers that are rendered from a template. Immutable. */
public final class TemplateFiles {
    /** Collisions would only cost a reload that was needed; four bytes are short enough for a header. */
    private static final int STRUCTURE_BYTES = 4;

    /** The role of what stands before the proxies. */
    static final String EDGE = "edge";
    /** What a proxy's generated file calls its apps. */
    public static final String APPS = "retier-apps";

    private final String cluster;
    private final Map<String, List<String>> hosts;
    /** Of all sites; empty where one has none. */
    private final List<Template.Filling> names;

    private final String node;
    private final ServerConfig server;
    private final Template template;
    private final Duration slowStart;

    /**
     * What one file says.
     *
     * @param stamp its number
     * @param role {@code proxy}, {@code app}, {@code spare} or {@code edge}
     * @param site name of the site, null for a spare
     * @param members to whom it sends
     */
    public record Model(long stamp, String role, @Nullable String site, List<Member> members) {
        /** Keeps its own copy of the list. */
        public Model {
            members = List.copyOf(members);
        }

        private Model allIn() {
            return new Model(
                    stamp,
                    role,
                    site,
                    members.stream()
                            .map(member -> new Member(member.name(), member.address(), true, Member.UNKNOWN))
                            .toList());
        }

        /** The same in every role, as the operator's part names it. */
        private String pool() {
            return role.equals(EDGE) ? "retier-" + site : APPS;
        }
    }

    /** Files of {@code server}, which is the one of {@code node}. */
    public TemplateFiles(ClusterConfig config, String node, ServerConfig server, Template template) {
        this.cluster = config.name();
        this.hosts = config.sites().stream().collect(Collectors.toMap(SiteConfig::name, SiteConfig::hosts));
        this.names = hosts.containsValue(List.of()) ? List.of() : names(config);
        this.slowStart = config.move().slowStart();
        this.node = node;
        this.server = server;
        this.template = template;
    }

    private static List<Template.Filling> names(ClusterConfig config) {
        List<String> all =
                config.sites().stream().flatMap(site -> site.hosts().stream()).toList();
        return inOrder(all, (host, isLast) -> {
            List<String> labels = List.of(host.split("\\.", -1));
            return new Template.Filling(
                    Map.of(), Map.of("more", !isLast), Map.of("labels", inOrder(labels, TemplateFiles::label)));
        });
    }

    private static Template.Filling label(String label, boolean isLast) {
        return new Template.Filling(Map.of("label", label), Map.of("more", !isLast), Map.of());
    }

    private static List<Template.Filling> inOrder(
            List<String> all, BiFunction<String, Boolean, Template.Filling> filling) {
        return IntStream.range(0, all.size())
                .mapToObj(i -> filling.apply(all.get(i), i == all.size() - 1))
                .toList();
    }

    /** The path at which the next file is staged: in the same directory, and no name that a wildcard includes. */
    public static Path staged(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".staged");
    }

    /**
     * The file.
     *
     * @throws IllegalArgumentException when the template is wrong; the message says how
     */
    public Rendering render(Model model) {
        ServerKind kind = server.kind();
        String norm = template.fill(filling(kind.changesMembersAtRunTime() ? model.allIn() : model, Mark.NONE));
        String structure = structure(norm);
        Mark mark = new Mark(model.stamp, structure);
        String body = template.fill(filling(model, mark));
        String content = "# managed by retier, cluster " + cluster + ", " + node
                + "; do not edit, the next change writes it anew\n" + mark.line(model.role) + "\n" + body;
        return new Rendering(
                model.stamp, model.role, model.site, content, structure, model.pool(), model.members, LetGo.NONE);
    }

    /** The first line of a file that may never change by a reload of this kind of server, with the reason. */
    public static Optional<String> hazardIn(ServerKind kind, String content) {
        return content.lines()
                .flatMap(line -> kind.hazards().stream()
                        .filter(hazard -> hazard.directive().matcher(line).matches())
                        .map(hazard -> text(line, hazard)))
                .findFirst();
    }

    private static String text(String line, Hazard hazard) {
        return "\"" + line.strip() + "\" may not be in a generated file: " + hazard.why();
    }

    private Template.Filling filling(Model model, Mark mark) {
        Map<String, String> values = Map.ofEntries(
                Map.entry("cluster", cluster),
                Map.entry("node", node),
                Map.entry("site", model.site == null ? "" : model.site),
                Map.entry("pool", model.pool()),
                Map.entry("epoch", mark.equals(Mark.NONE) ? "" : mark.toString()),
                Map.entry("variable", Rendering.epochVariable(model.role, model.site)),
                Map.entry("structure", mark.structure()),
                Map.entry("flag", server.roleFile().toString()),
                Map.entry("admin", server.admin().toString()),
                Map.entry("status", server.controlled().statusPath()),
                Map.entry("staged", staged(server.roleFile()).toString()),
                Map.entry("slowstart", String.valueOf(slowStart.toMillis())));
        Map<String, Boolean> flags = Map.of(
                "proxy",
                model.role.equals("proxy"),
                "app",
                model.role.equals("app"),
                "spare",
                model.role.equals("spare"),
                EDGE,
                model.role.equals(EDGE),
                "content",
                !model.role.equals(EDGE) && server.canBeApp(),
                "named",
                !names.isEmpty(),
                "slow",
                slowStart.isPositive());
        List<Template.Filling> items = model.members.stream()
                .map(member -> item(member, model.members))
                .toList();
        return new Template.Filling(
                values, flags, Map.of("members", items, "hosts", hosts(model.site), "names", names));
    }

    /** Of an edge: other hosts take a reload, as a server reads their file then. */
    private List<Template.Filling> hosts(@Nullable String site) {
        return hosts.getOrDefault(site == null ? "" : site, List.of()).stream()
                .map(host -> new Template.Filling(Map.of("name", host), Map.of(), Map.of()))
                .toList();
    }

    private static Template.Filling item(Member member, List<Member> all) {
        return new Template.Filling(
                Map.of(
                        "name",
                        member.name(),
                        "address",
                        member.address().toString(),
                        "weight",
                        hundredths(member.weight()),
                        "proportion",
                        String.valueOf(member.of256(all))),
                Map.of("in", member.isIn(), "out", !member.isIn(), "larger", member.weight() > Member.LEAST),
                Map.of());
    }

    private static String hundredths(int weight) {
        int rest = weight % Member.LEAST;
        return weight / Member.LEAST + (rest < 10 ? ".0" : ".") + rest;
    }

    private static String structure(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, STRUCTURE_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
