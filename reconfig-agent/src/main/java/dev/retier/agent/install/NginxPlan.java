package dev.retier.agent.install;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.render.BuiltInTemplates;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.render.TemplateFiles;
import dev.retier.agent.server.ServerLook;
import dev.retier.agent.status.NginxServers;
import dev.retier.agent.status.NginxServers.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What nginx's configuration lacks for its node, as Debian would have it written: the generated file in the block
 * {@code http}, a status page for the agent, and two locations in each server block of a site; hosts that have no such
 * block get one.
 */
final class NginxPlan implements ServerPlan {
    private final List<String> hosts;
    private final ServerConfig server;
    private final Path config;
    private final Path snippet;

    NginxPlan(ClusterConfig cluster, ServerConfig server) {
        this.hosts = cluster.sites().stream()
                .map(SiteConfig::hosts)
                .flatMap(List::stream)
                .map(host -> host.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        this.server = server;
        this.config = server.controlled().config().toAbsolutePath();
        this.snippet = config.resolveSibling("snippets").resolve("retier.conf");
    }

    @Override
    public List<Edit> edits() throws InterruptedException {
        for (String folder : List.of("conf.d", "sites-available", "sites-enabled", "snippets")) {
            if (!Files.isDirectory(config.resolveSibling(folder))) {
                throw refusal(config + " is not laid out as Debian's: write \"include " + server.roleFile()
                        + ";\" in its block http, \"" + flat(status()) + "\" there, and \"" + flat(locations())
                        + "\" in the server blocks of the sites");
            }
        }
        try {
            Map<Path, String> files = NginxServers.files(ServerLook.dumpOfNginx(server));
            List<Edit> edits = new ArrayList<>();
            own(edits, snippet, locations());
            own(edits, config.resolveSibling("conf.d/retier.conf"), status());
            main(edits);
            servers(edits, files);
            return edits;
        } catch (IOException e) {
            throw new ReconfigException(
                    ReconfigException.Category.FATAL,
                    "nginx's configuration cannot be looked at (" + e.getMessage() + "); mend that first, or the key"
                            + " check",
                    e);
        }
    }

    @Override
    public void verify() throws IOException, InterruptedException {
        String said = ServerLook.dumpOfNginx(server);
        for (String host : hosts) {
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

    private static String locations() {
        return """
                location / {
                \tproxy_pass http://%s;
                \tproxy_http_version 1.1;
                \tproxy_set_header Upgrade $retier_upgrade;
                \tproxy_set_header Connection $retier_connection;
                \tproxy_set_header Host $host;
                \tproxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                \tproxy_set_header X-Forwarded-Proto $scheme;
                \tproxy_set_header X-Retier-Hop "";
                \tproxy_set_header X-Retier-Tls "";
                \tproxy_connect_timeout 2s;
                \tproxy_hide_header X-Retier-Epoch;
                }
                location /.retier/ {
                \treturn 403;
                }
                add_header X-Retier-Epoch $%s always;
                """.formatted(TemplateFiles.APPS, Rendering.EPOCH_VARIABLE);
    }

    private String status() {
        return """
                server {
                \tlisten %s;
                \taccess_log off;
                \tlocation = %s {
                \t\tstub_status;
                \t\tadd_header X-Retier-Epoch $%s always;
                \t}
                }
                """.concat(BuiltInTemplates.NGINX_UPGRADE)
                .formatted(server.admin(), server.controlled().statusPath(), Rendering.EPOCH_VARIABLE);
    }

    private void main(List<Edit> edits) {
        String text = ServerPlan.text(config);
        if (NginxServers.includes(text).contains(server.roleFile().toString())) {
            return;
        }
        int http = NginxServers.http(text).orElseThrow(() -> refusal(config + " has no block http"));
        String line = marked("include " + server.roleFile() + ";");
        boolean isAtEnd = text.startsWith("\n", http);
        edits.add(new Edit.Text(config, text, put(text, isAtEnd ? http + 1 : http, isAtEnd ? line : "\n" + line)));
    }

    /** At the end of each block of a site, unless it sends to apps already. */
    private void servers(List<Edit> edits, Map<Path, String> files) {
        List<Server> all = files.entrySet().stream()
                .filter(file ->
                        !file.getKey().equals(available()) && !file.getKey().equals(enabled()))
                .flatMap(file -> NginxServers.in(file.getKey(), file.getValue()).stream())
                .toList();
        List<Server> ours = all.stream().filter(one -> isOurs(one, all)).toList();
        Map<Path, List<Server>> lacking = new TreeMap<>();
        for (Server one : ours) {
            if (!isPrepared(one)) {
                lacking.computeIfAbsent(one.file(), _ -> new ArrayList<>()).add(one);
            }
        }
        lacking.forEach((file, blocks) -> edits.add(included(file, blocks)));
        int port = server.address().port();
        List<String> left = hosts.stream()
                .filter(host -> ours.stream().noneMatch(one -> one.isAt(port) && one.isNamed(host)))
                .toList();
        if (!left.isEmpty() || ours.isEmpty()) {
            ownServer(edits, left, all);
        }
    }

    /** By its names; where sites have none, it is the one that answers at the node's port whatever is asked for. */
    private boolean isOurs(Server one, List<Server> all) {
        int port = server.address().port();
        if (!hosts.isEmpty()) {
            return hosts.stream().anyMatch(one::isNamed);
        }
        List<Server> there = all.stream().filter(other -> other.isAt(port)).toList();
        return there.stream()
                .filter(other -> other.isDefaultAt(port))
                .findFirst()
                .or(() -> there.stream().findFirst())
                .filter(one::equals)
                .isPresent();
    }

    private boolean isPrepared(Server one) {
        return one.has(
                words -> isSnippet(words) || words.equals(List.of("proxy_pass", "http://" + TemplateFiles.APPS)));
    }

    /** As nginx resolves it. */
    private boolean isSnippet(List<String> words) {
        return words.size() == 2
                && words.getFirst().equals("include")
                && config.resolveSibling(words.getLast()).normalize().equals(snippet);
    }

    /** What the site's own locations would need; a redirect comes before them. */
    private String instead(Server one) {
        return "the server block " + String.join(" ", one.names()) + " has a \""
                + (one.redirects() ? "return" : "location /")
                + "\" of its own, which comes before what is needed there: \"" + flat(locations())
                + "\". Write that in place of it, or give that block other names (Debian's default site: rm "
                + config.resolveSibling("sites-enabled/default") + ")";
    }

    private Edit included(Path file, List<Server> blocks) {
        String text = ServerPlan.text(file);
        String changed = text;
        for (Server one : blocks.stream()
                .sorted(Comparator.comparingInt(Server::end).reversed())
                .toList()) {
            if (one.redirects() || one.has(words -> words.equals(List.of("location", "/")))) {
                throw refusal(file + ": " + instead(one));
            }
            int line = changed.lastIndexOf('\n', one.end()) + 1;
            boolean isAlone = changed.substring(line, one.end()).isBlank();
            changed = put(
                    changed, isAlone ? line : one.end(), (isAlone ? "" : "\n") + marked("include " + snippet + ";"));
        }
        return new Edit.Text(file, text, changed);
    }

    /**
     * At each address where others listen, as nginx looks among those of the address that was asked and no others; and
     * at all.
     */
    private void ownServer(List<Edit> edits, List<String> names, List<Server> all) {
        int port = server.address().port();
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
        own(
                edits,
                available(),
                "server {\n"
                        + addresses.stream()
                                .map(address -> "\tlisten " + address + ";\n")
                                .collect(Collectors.joining())
                        + "\tserver_name " + (names.isEmpty() ? "_" : String.join(" ", names)) + ";\n\tinclude "
                        + snippet + ";\n}\n");
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
