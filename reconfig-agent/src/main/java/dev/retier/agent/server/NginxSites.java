package dev.retier.agent.server;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.status.HttpdVirtualHosts;
import dev.retier.agent.status.NginxServers;
import dev.retier.agent.status.NginxServers.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** The server blocks of a cluster's sites in the configuration of an nginx, by what that says of it. Immutable. */
public final class NginxSites {
    /** True in what has to be sent on; see the generated file. */
    private static final String FORWARD = "$retier_forward";

    private final List<String> hosts;
    private final int port;
    private final Path config;
    private final Map<Path, String> files;
    private final List<Server> all;

    private NginxSites(List<String> hosts, ServerConfig server, Map<Path, String> files, Predicate<Path> isLeftOut) {
        this.hosts = hosts;
        this.port = server.address().port();
        this.config = server.controlled().config().toAbsolutePath();
        this.files = Map.copyOf(files);
        this.all = files.entrySet().stream()
                .filter(file -> !isLeftOut.test(file.getKey()))
                .flatMap(file -> NginxServers.in(file.getKey(), file.getValue()).stream())
                .toList();
    }

    /**
     * Those of the sites of {@code cluster}.
     *
     * @param dump what the server says of its configuration, see {@link ServerLook#dumpOfNginx}
     * @param isLeftOut files whose blocks do not count
     */
    public static NginxSites of(ClusterConfig cluster, ServerConfig server, String dump, Predicate<Path> isLeftOut) {
        List<String> hosts = cluster.sites().stream()
                .map(SiteConfig::hosts)
                .flatMap(List::stream)
                .map(host -> host.toLowerCase(Locale.ROOT))
                .distinct()
                .toList();
        return new NginxSites(hosts, server, NginxServers.files(dump), isLeftOut);
    }

    /** The names of all sites, in lower case. */
    public List<String> hosts() {
        return hosts;
    }

    /** All server blocks. */
    public List<Server> all() {
        return all;
    }

    /** All files, by their names, with what is in them. */
    public Map<Path, String> files() {
        return files;
    }

    /** The blocks of sites, but for those that the operator keeps to himself. */
    public List<Server> ours() {
        return all.stream().filter(this::isOurs).filter(one -> !isLeft(one)).toList();
    }

    private boolean isLeft(Server one) {
        String text = files.getOrDefault(one.file(), "");
        return HttpdVirtualHosts.isLeft(
                text.substring(one.begin(), one.end()).lines().toList());
    }

    /** By its names; where sites have none, it is the one that answers at the node's port whatever is asked for. */
    private boolean isOurs(Server one) {
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

    /** Whether it decides, by the generated file, which requests are sent on; it may say so in a file it includes. */
    public boolean forwards(Server one) {
        return one.has(words -> words.contains("(" + FORWARD + ")")
                || (words.size() == 2
                        && words.getFirst().equals("include")
                        && files.getOrDefault(file(words.getLast()), "").contains(FORWARD)));
    }

    /** As nginx resolves it. */
    public Path file(String included) {
        return config.resolveSibling(included).normalize();
    }
}
