package dev.retier.agent.install;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.SiteConfig;
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
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What nginx's configuration lacks for its node, as Debian would have it written: the generated file in the block
 * {@code http}, a status page for the agent, and two locations in each server block of a site; hosts that have no such
 * block get one.
 */
final class NginxPlan implements ServerPlan {
    private static final String OF_RETIER = "# By retier install; retier install nginx --remove takes it away.\n";

    private final List<String> hosts;
    private final ServerConfig server;
    private final Path config;
    private final Path snippet;

    NginxPlan(ClusterConfig cluster, ServerConfig server) {
        this.hosts = cluster.sites().stream()
                .map(SiteConfig::hosts)
                .flatMap(List::stream)
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
        String _ = ServerLook.dumpOfNginx(server);
    }

    private static void own(List<Edit> edits, Path file, String lines) {
        String before = Files.exists(file) ? ServerPlan.text(file) : null;
        String wanted = OF_RETIER + lines;
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
                \tproxy_set_header Connection "";
                \tproxy_set_header Host $host;
                \tproxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                \tproxy_set_header X-Forwarded-Proto $scheme;
                \tproxy_connect_timeout 2s;
                \tproxy_hide_header X-Retier-Epoch;
                \tadd_header X-Retier-Epoch $%s always;
                }
                location /.retier/ {
                \treturn 403;
                }
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
                """.formatted(server.admin(), server.controlled().statusPath(), Rendering.EPOCH_VARIABLE);
    }

    private void main(List<Edit> edits) {
        String text = ServerPlan.text(config);
        if (text.lines().anyMatch(line -> line.strip().equals("include " + server.roleFile() + ";"))) {
            return;
        }
        int http = NginxServers.http(text).orElseThrow(() -> refusal(config + " has no block http"));
        edits.add(
                new Edit.Text(config, text, put(text, http, "\n\t" + MARK + "\n\tinclude " + server.roleFile() + ";")));
    }

    /** At the end of each block of a site, unless it sends to apps already. */
    private void servers(List<Edit> edits, Map<Path, String> files) {
        List<Server> all = files.entrySet().stream()
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
        List<String> left = hosts.stream()
                .filter(host -> ours.stream().noneMatch(one -> one.names().contains(host)))
                .toList();
        if (!left.isEmpty() || ours.isEmpty()) {
            ownServer(edits, left, all);
        }
    }

    /** By its names; where sites have none, it is the one that answers at the node's port whatever is asked for. */
    private boolean isOurs(Server one, List<Server> all) {
        int port = server.address().port();
        if (!hosts.isEmpty()) {
            return one.names().stream().anyMatch(hosts::contains);
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
        return one.has(words -> words.equals(List.of("include", snippet.toString()))
                || words.equals(List.of("proxy_pass", "http://" + TemplateFiles.APPS)));
    }

    private Edit included(Path file, List<Server> blocks) {
        String text = ServerPlan.text(file);
        String changed = text;
        for (Server one : blocks.stream()
                .sorted(Comparator.comparingInt(Server::end).reversed())
                .toList()) {
            if (one.has(words -> words.equals(List.of("location", "/")))) {
                throw refusal(file + ": the server block " + String.join(" ", one.names())
                        + " has a \"location /\" of its own, and nginx takes no second one: write \"include " + snippet
                        + ";\" in place of it, or give that block other names (and leave out the default site: rm "
                        + config.resolveSibling("sites-enabled/default") + ")");
            }
            int line = changed.lastIndexOf('\n', one.end()) + 1;
            boolean isAlone = changed.substring(line, one.end()).isBlank();
            changed = put(
                    changed, isAlone ? line : one.end(), (isAlone ? "" : "\n") + marked("include " + snippet + ";"));
        }
        return new Edit.Text(file, text, changed);
    }

    /** At each address where others listen: nginx looks among those of the address that was asked, and no others. */
    private void ownServer(List<Edit> edits, List<String> names, List<Server> all) {
        Path file = config.resolveSibling("sites-available").resolve("retier");
        List<String> addresses = all.stream()
                .filter(other -> !other.file().equals(file) && !other.file().equals(enabled()))
                .flatMap(other -> other.addresses(server.address().port()).stream())
                .distinct()
                .toList();
        String listens = names.isEmpty() || addresses.isEmpty()
                ? "\tlisten " + server.address().port() + (names.isEmpty() ? " default_server" : "") + ";\n"
                : addresses.stream()
                        .map(address -> "\tlisten " + address + ";\n")
                        .collect(Collectors.joining());
        own(
                edits,
                file,
                "server {\n" + listens + "\tserver_name " + (names.isEmpty() ? "_" : String.join(" ", names))
                        + ";\n\tinclude " + snippet + ";\n}\n");
        if (!Files.exists(enabled())) {
            edits.add(new Edit.Link(enabled(), "../sites-available/retier"));
        }
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
