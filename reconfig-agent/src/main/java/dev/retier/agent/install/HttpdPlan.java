package dev.retier.agent.install;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.server.HttpdModules;
import dev.retier.agent.server.ServerLook;
import dev.retier.agent.server.SiteSections;
import dev.retier.agent.status.HttpdConfig;
import dev.retier.agent.status.HttpdVirtualHosts;
import dev.retier.agent.status.HttpdVirtualHosts.Section;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What httpd's configuration lacks for its node, as its distribution would have it written: modules, a file of its own
 * that is read before the virtual hosts, and a line at the end of each virtual host of a site. Changes nothing.
 */
final class HttpdPlan implements ServerPlan {
    private final ClusterConfig cluster;
    private final ServerConfig server;
    private final Path config;

    HttpdPlan(ClusterConfig cluster, ServerConfig server) {
        this.cluster = cluster;
        this.server = server;
        this.config = server.controlled().config().toAbsolutePath();
    }

    /**
     * Where a distribution has what httpd reads before its virtual hosts.
     *
     * @param own the file to write
     * @param link by which it is read; empty where the folder is read as a whole
     * @param modules the folder of links to modules; empty where all are loaded that are installed
     */
    private record Layout(Path own, List<Path> link, List<Path> modules) {}

    /** By what is beside the main file. Debian's is tried; that of RHEL, by its documentation, with Debian's httpd. */
    private Layout layout() {
        Path debian = sibling(config, "conf-available");
        if (Files.isDirectory(debian) && Files.isDirectory(sibling(config, "mods-available"))) {
            return new Layout(
                    debian.resolve("retier.conf"),
                    List.of(sibling(config, "conf-enabled").resolve("retier.conf")),
                    List.of(sibling(config, "mods-enabled")));
        }
        Path rhel = config.resolveSibling("../conf.d").normalize();
        if (Files.isDirectory(rhel)
                && Files.isDirectory(config.resolveSibling("../conf.modules.d").normalize())) {
            return new Layout(rhel.resolve("00-retier.conf"), List.of(), List.of());
        }
        throw new ReconfigException(
                ReconfigException.Category.FATAL,
                config + " is of no known distribution: write \"Listen " + server.admin() + "\" and \"" + include()
                        + "\" before its virtual hosts, the latter also at the end of each of the sites', and load "
                        + String.join(", ", HttpdModules.NEEDED));
    }

    private static Path sibling(Path file, String name) {
        return file.resolveSibling(name);
    }

    private String include() {
        return "IncludeOptional \"" + server.roleFile() + "\"";
    }

    @Override
    public List<Edit> edits() throws InterruptedException {
        Layout layout = layout();
        try {
            String dump = ServerLook.dumpOfHttpd(server);
            List<Edit> edits = new ArrayList<>();
            for (String module : HttpdModules.missing(dump)) {
                for (Path enabled : layout.modules()) {
                    edits.addAll(module(enabled, module));
                }
            }
            edits.addAll(own(layout, dump));
            edits.addAll(virtualHosts(dump));
            return edits;
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "httpd's configuration cannot be looked at (" + e.getMessage() + "); mend that first, or the key"
                            + " check (on Debian: [/usr/sbin/apache2ctl, -t, -D, RETIER_STAGED])",
                    e);
        }
    }

    @Override
    public void verify() throws IOException, InterruptedException {
        String _ = ServerLook.dumpOfHttpd(server);
    }

    /** As a2enmod does. */
    private static List<Edit> module(Path enabled, String module) {
        List<Edit> links = new ArrayList<>();
        Path available = enabled.resolveSibling("mods-available");
        for (String ending : List.of(".load", ".conf")) {
            Path link = enabled.resolve(module + ending);
            if (Files.exists(available.resolve(module + ending)) && !Files.exists(link)) {
                links.add(new Edit.Link(link, "../mods-available/" + module + ending));
            }
        }
        if (links.isEmpty()) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "mod_" + module + " is not installed: " + available.resolve(module + ".load") + " is missing");
        }
        return links;
    }

    private List<Edit> own(Layout layout, String dump) throws IOException {
        List<Edit> edits = new ArrayList<>();
        boolean isListening = HttpdConfig.files(dump).stream()
                .filter(file -> !isSame(Path.of(file), layout.own()))
                .anyMatch(file -> HttpdConfig.ports(ServerPlan.text(Path.of(file)), dump)
                        .contains(server.admin().port()));
        String wanted = ServerPlan.head(ServerKind.HTTPD)
                + (isListening ? "" : "# For the agent alone.\nListen " + server.admin() + "\n") + include() + "\n";
        String before = Files.exists(layout.own()) ? ServerPlan.text(layout.own()) : null;
        if (!wanted.equals(before)) {
            edits.add(new Edit.Text(layout.own(), before, wanted));
        }
        for (Path link : layout.link()) {
            if (!Files.exists(link)) {
                edits.add(new Edit.Link(link, "../conf-available/" + link.getFileName()));
            }
        }
        return edits;
    }

    private static boolean isSame(Path file, Path other) {
        try {
            return Files.exists(other) && Files.isSameFile(file, other);
        } catch (IOException e) {
            return false;
        }
    }

    /** From the last section of a file to its first, so that lines keep their numbers. */
    private List<Edit> virtualHosts(String dump) throws IOException {
        SiteSections sections = SiteSections.of(cluster, dump);
        if (sections.all().isEmpty()) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "no virtual host of httpd has a name of a site: give each site its hosts in the cluster file,"
                            + " and the site's virtual host one of them as ServerName");
        }
        List<String> nameless = sections.nameless();
        if (!nameless.isEmpty()) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "no virtual host of httpd (besides those with # retier: leave) has the name "
                            + String.join(" or ", nameless)
                            + ", so that its default one would answer for it: write it as ServerAlias into the virtual"
                            + " host of its site, or take it from the hosts of the cluster file");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        List<Section> lacking = sections.all().stream()
                .filter(section -> !sections.includes(section, server.roleFile()))
                .sorted(Comparator.comparing(Section::file).thenComparing(Section::line, Comparator.reverseOrder()))
                .toList();
        for (Section section : lacking) {
            String text = texts.containsKey(section.file())
                    ? texts.get(section.file())
                    : ServerPlan.text(Path.of(section.file()));
            texts.put(section.file(), withInclude(text, section));
        }
        List<Edit> edits = new ArrayList<>();
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            Path file = Path.of(entry.getKey());
            edits.add(new Edit.Text(file, ServerPlan.text(file), entry.getValue()));
        }
        return edits;
    }

    private String withInclude(String text, Section section) {
        int end = HttpdVirtualHosts.end(text, section.line())
                .orElseThrow(() -> new ReconfigException(
                        ReconfigException.Category.FATAL, section.place() + ": no </VirtualHost> follows"));
        List<String> lines = new ArrayList<>(List.of(text.split("(?<=\n)", -1)));
        lines.add(end - 1, "\t" + MARK + "\n\t" + include() + "\n");
        return String.join("", lines);
    }
}
