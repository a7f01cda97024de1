package dev.retier.agent.install;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.render.TemplateFiles;
import dev.retier.agent.server.NginxSites;
import dev.retier.agent.server.ServerLook;
import dev.retier.agent.status.NginxServers;
import dev.retier.agent.status.NginxServers.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What nginx's configuration lacks for its node, as Debian would have it written: the generated file in the block
 * {@code http}, a status page for the agent, and an include in each server block of a site. Of a node that may be an
 * app that stands first, so that what is to be sent on is, before anything in the block has a say; hosts that have no
 * block are refused, as nothing would answer them there. Of one that only forwards it is a location, and hosts that
 * have no block get one.
 */
final class NginxPlan implements ServerPlan {
    private final ClusterConfig cluster;
    private final ServerConfig server;
    private final NginxTexts texts;
    private final Path config;
    private final Path snippet;

    NginxPlan(ClusterConfig cluster, ServerConfig server) {
        this.cluster = cluster;
        this.server = server;
        this.texts = new NginxTexts(server);
        this.config = server.controlled().config().toAbsolutePath();
        this.snippet = config.resolveSibling("snippets").resolve("retier.conf");
    }

    @Override
    public List<Edit> edits() throws InterruptedException {
        for (String folder : List.of("conf.d", "sites-available", "sites-enabled", "snippets")) {
            if (!Files.isDirectory(config.resolveSibling(folder))) {
                throw refusal(config + " is not laid out as Debian's: write \"include " + server.roleFile()
                        + ";\" in its block http, \"" + flat(texts.status()) + "\" there, and \""
                        + flat(texts.snippet())
                        + "\" in the server blocks of the sites");
            }
        }
        requireFileOfApps();
        try {
            NginxSites sites = NginxSites.of(
                    cluster,
                    server,
                    ServerLook.dumpOfNginx(server),
                    file -> file.equals(available()) || file.equals(enabled()));
            List<Edit> edits = new ArrayList<>();
            own(edits, snippet, texts.snippet());
            own(edits, config.resolveSibling("conf.d/retier.conf"), texts.status());
            Map<Path, String> changed = new TreeMap<>();
            servers(changed, sites); // by offsets in what is there
            main(changed);
            if (server.canBeApp()) {
                parameters(changed, sites);
            }
            changed.forEach((file, text) -> edits.add(new Edit.Text(file, ServerPlan.text(file), text)));
            if (!server.canBeApp()) {
                ownServer(edits, sites);
            }
            return edits;
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "nginx's configuration cannot be looked at (" + e.getMessage() + "); mend that first, or the key"
                            + " check",
                    e);
        }
    }

    /** A generated file that is there stays: one of a node that was always a proxy says too little for the blocks. */
    private void requireFileOfApps() {
        Path generated = server.roleFile();
        if (server.canBeApp()
                && server.controlled().template() == null
                && Files.exists(generated)
                && !ServerPlan.text(generated).contains("$retier_forward")) {
            throw refusal(
                    generated + " is of a node with tiers: [proxy]: let the agent write it anew first (the cluster"
                            + " file everywhere, then restart the agent of this node), and run this again");
        }
    }

    @Override
    public void verify() throws IOException, InterruptedException {
        String said = ServerLook.dumpOfNginx(server);
        for (String host : NginxSites.of(cluster, server, said, _ -> false).hosts()) {
            if (said.contains("conflicting server name \"" + host + "\"")) {
                throw new IOException("two server blocks have the name " + host + ": take it out of one of them");
            }
        }
    }

    private static void own(List<Edit> edits, Path file, String lines) {
        String before = Files.exists(file) ? ServerPlan.text(file) : null;
        String wanted = ServerPlan.head(ServerKind.NGINX) + lines;
        if (!wanted.equals(before)) {
            edits.add(new Edit.Text(file, before, wanted));
        }
    }

    private static String flat(String lines) {
        return lines.replaceAll("\\s+", " ").strip();
    }

    /** As it will be, after what has been changed already. */
    private static String text(Map<Path, String> changed, Path file) {
        String known = changed.get(file);
        return known == null ? ServerPlan.text(file) : known;
    }

    private void main(Map<Path, String> changed) {
        String text = text(changed, config);
        if (NginxServers.includes(text).contains(server.roleFile().toString())) {
            return;
        }
        int http = NginxServers.http(text).orElseThrow(() -> refusal(config + " has no block http"));
        changed.put(config, afterBrace(text, http, "include " + server.roleFile() + ";"));
    }

    private static String afterBrace(String text, int offset, String line) {
        boolean isAtEnd = text.startsWith("\n", offset);
        return put(text, isAtEnd ? offset + 1 : offset, isAtEnd ? marked(line) : "\n" + marked(line));
    }

    private void servers(Map<Path, String> changed, NginxSites sites) {
        List<Server> ours = sites.ours();
        if (server.canBeApp()) {
            List<String> left = left(sites);
            if (!left.isEmpty() || ours.isEmpty()) {
                throw refusal("no server block of nginx has the name "
                        + (left.isEmpty() ? "of a site" : String.join(" or ", left)) + " at port "
                        + server.address().port() + ", so that nothing would answer there as an app: write one with the"
                        + " site's content, or, if this node is to forward alone, tiers: [proxy] into its server");
            }
        }
        Map<Path, List<Server>> lacking = new TreeMap<>();
        for (Server one : ours) {
            if (!isPrepared(one, sites) && !isLeftAlone(one)) {
                lacking.computeIfAbsent(one.file(), _ -> new ArrayList<>()).add(one);
            }
        }
        lacking.forEach((file, blocks) -> included(changed, file, blocks));
    }

    private boolean isPrepared(Server one, NginxSites sites) {
        boolean isIncluding = one.has(words -> words.size() == 2
                && words.getFirst().equals("include")
                && sites.file(words.getLast()).equals(snippet));
        return isIncluding || (server.canBeApp() ? sites.forwards(one) : one.has(NginxPlan::isToApps));
    }

    private static boolean isToApps(List<String> words) {
        return words.size() == 2
                && words.getFirst().equals("proxy_pass")
                && words.getLast().startsWith("http://" + TemplateFiles.APPS);
    }

    /** One that redirects all, elsewhere than where the node is asked, says the same in every role. */
    private boolean isLeftAlone(Server one) {
        return server.canBeApp()
                && one.redirects()
                && !one.isAt(server.address().port());
    }

    private void included(Map<Path, String> changed, Path file, List<Server> blocks) {
        String text = text(changed, file);
        for (Server one : blocks.stream()
                .sorted(Comparator.comparingInt(Server::end).reversed())
                .toList()) {
            text = server.canBeApp() ? withForwarding(file, text, one) : withLocation(file, text, one);
        }
        changed.put(file, text);
    }

    private String withForwarding(Path file, String text, Server one) {
        String name = file + ": the server block " + String.join(" ", one.names());
        if (one.redirects()) {
            throw refusal(name + " has a \"return\" for all that comes to port "
                    + server.address().port()
                    + ", where proxies ask the node as an app: have that block answer with the"
                    + " site's content, and write in place of its return, if it is to send others to https: if"
                    + " ($retier_https = \"\") { return 301 https://$host$request_uri; }");
        }
        if (one.has(NginxPlan::isToApps)) {
            throw refusal(
                    name + " sends to http://" + TemplateFiles.APPS + " by a line of its own, and would do so as an"
                            + " app: take that out and write the site's content, or, if this node is to forward alone,"
                            + " tiers: [proxy] into its server");
        }
        return afterBrace(text, one.begin(), "include " + snippet + ";");
    }

    /** At the end; what the site's own locations would need, where these come before; a redirect does, too. */
    private String withLocation(Path file, String text, Server one) {
        if (one.redirects() || one.has(words -> words.equals(List.of("location", "/")))) {
            throw refusal(file + ": the server block " + String.join(" ", one.names()) + " has a \""
                    + (one.redirects() ? "return" : "location /")
                    + "\" of its own, which comes before what is needed there: \"" + flat(texts.snippet())
                    + "\". Write that in place of it, or give that block other names (Debian's default site: rm "
                    + config.resolveSibling("sites-enabled/default") + ")");
        }
        int line = text.lastIndexOf('\n', one.end()) + 1;
        boolean isAlone = text.substring(line, one.end()).isBlank();
        return put(text, isAlone ? line : one.end(), (isAlone ? "" : "\n") + marked("include " + snippet + ";"));
    }

    /** What applications are told of TLS also says so of who has come to the proxy by it. */
    private static void parameters(Map<Path, String> changed, NginxSites sites) {
        for (Path file : sites.files().keySet()) {
            String text = text(changed, file);
            String with = NginxTexts.withParameters(text, MARK);
            if (!with.equals(text)) {
                changed.put(file, with);
            }
        }
    }

    /** Names that no block has at the node's port. */
    private List<String> left(NginxSites sites) {
        int port = server.address().port();
        return sites.hosts().stream()
                .filter(host -> sites.ours().stream().noneMatch(one -> one.isAt(port) && one.isNamed(host)))
                .toList();
    }

    /**
     * For names that have none. At each address where others listen, as nginx looks among those of the address that was
     * asked and no others; and at all.
     */
    private void ownServer(List<Edit> edits, NginxSites sites) {
        List<String> names = left(sites);
        if (names.isEmpty() && !sites.ours().isEmpty()) {
            return;
        }
        int port = server.address().port();
        List<Server> all = sites.all();
        List<String> addresses = new ArrayList<>();
        if (all.stream().noneMatch(other -> other.addresses(port).stream().anyMatch(NginxServers::isWhole))) {
            addresses.add(port + (names.isEmpty() ? " default_server" : ""));
        }
        if (!names.isEmpty()) {
            all.stream()
                    .flatMap(other -> other.addresses(port).stream())
                    .distinct()
                    .forEach(addresses::add);
        }
        own(edits, available(), NginxTexts.server(addresses, names, snippet));
        if (!Files.exists(enabled())) {
            edits.add(new Edit.Link(enabled(), "../sites-available/retier"));
        }
    }

    private Path available() {
        return config.resolveSibling("sites-available").resolve("retier");
    }

    private Path enabled() {
        return config.resolveSibling("sites-enabled").resolve("retier");
    }

    private static String put(String text, int offset, String what) {
        return text.substring(0, offset) + what + text.substring(offset);
    }

    private static String marked(String line) {
        return "\t" + MARK + "\n\t" + line + "\n";
    }

    private static ReconfigException refusal(String message) {
        return new ReconfigException(ReconfigException.Category.FATAL, message);
    }
}
