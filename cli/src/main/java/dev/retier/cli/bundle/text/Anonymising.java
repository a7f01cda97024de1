package dev.retier.cli.bundle.text;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.config.HostPort;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gives names others, the same one to a name wherever it stands: nodes and sites by their ids, all else by numbers, IP
 * addresses as they come. Loopback addresses and ports stay. Not thread-safe.
 */
public final class Anonymising {
    private static final Pattern IPV4 = Pattern.compile("(?<![\\d.])\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\d.]*\\d)");
    private static final Pattern IPV6 = Pattern.compile(
            "(?<![\\w:.])(?:[0-9a-fA-F]{1,4}:){1,7}:?(?:[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){0,6})?(?![\\w:])");

    private static final int IPV6_COLONS = 7;

    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, String> addresses = new LinkedHashMap<>();

    /** All names that the cluster file has. */
    public static Anonymising of(ClusterConfig cluster) {
        Anonymising made = new Anonymising();
        cluster.nodes()
                .forEach(node -> made.name(node.name(), "node-" + node.id().value()));
        cluster.sites()
                .forEach(site -> made.name(site.name(), "site-" + site.id().value()));
        made.name(cluster.name(), "cluster");
        made.number("edge", cluster.edges().stream().map(EdgeConfig::name));
        made.number(
                "volume",
                cluster.volumes().volumes().stream().map(volume -> volume.name().toString()));
        made.number("host", cluster.sites().stream().map(SiteConfig::hosts).flatMap(List::stream));
        made.number("host", servers(cluster).map(HostPort::host));
        made.number(
                "host",
                cluster.volumes().servers().stream()
                        .map(server -> server.address().host()));
        return made;
    }

    private static Stream<HostPort> servers(ClusterConfig cluster) {
        Stream<ServerConfig> all = Stream.concat(
                cluster.nodes().stream().flatMap(node -> node.servers().stream()),
                cluster.edges().stream().map(EdgeConfig::server).filter(Objects::nonNull));
        return Stream.concat(
                cluster.nodes().stream().flatMap(node -> Stream.of(node.rdma(), node.agentAdmin())),
                all.flatMap(server -> Stream.of(server.address(), server.admin())));
    }

    /** Names of that kind besides, as of a machine or its users; those that have one keep it. */
    public void add(String kind, Collection<String> more) {
        number(kind, more.stream());
    }

    private void number(String kind, Stream<String> all) {
        all.forEach(name -> {
            long known = names.values().stream()
                    .filter(other -> other.startsWith(kind + "-"))
                    .count();
            if (!isAddress(name) && !name.equals("localhost")) {
                name(name, kind + "-" + (known + 1));
            }
        });
    }

    private void name(String name, String other) {
        if (!name.isBlank()) {
            names.putIfAbsent(name.toLowerCase(Locale.ROOT), other);
        }
    }

    private static boolean isAddress(String host) {
        return IPV4.matcher(host).matches() || host.contains(":");
    }

    /** The text with all names changed; upper and lower case are one. */
    public String change(String text) {
        String changed = text;
        if (!names.isEmpty()) {
            Matcher found = pattern(names.keySet()).matcher(text);
            changed = found.replaceAll(
                    match -> Matcher.quoteReplacement(names.get(match.group().toLowerCase(Locale.ROOT))));
        }
        changed = IPV4.matcher(changed).replaceAll(match -> address(match.group()));
        return IPV6.matcher(changed)
                .replaceAll(match -> isIpv6(match.group()) ? address(match.group()) : match.group());
    }

    /** And no time of the day. */
    private static boolean isIpv6(String text) {
        return text.contains("::") || text.chars().filter(c -> c == ':').count() == IPV6_COLONS;
    }

    private String address(String address) {
        boolean isNobodys = address.startsWith("127.") || address.equals("0.0.0.0");
        return isNobodys ? address : addresses.computeIfAbsent(address, _ -> "address-" + (addresses.size() + 1));
    }

    /** A name that is still there; none if all goes as it is meant to. */
    public Optional<String> left(String text) {
        Set<String> originals = names.keySet().stream()
                .filter(name -> !names.containsValue(name))
                .collect(Collectors.toSet());
        if (originals.isEmpty()) {
            return Optional.empty();
        }
        return pattern(originals).matcher(text).results().findFirst().map(MatchResult::group);
    }

    /** The longest first; a name ends where letters and digits do. */
    private static Pattern pattern(Set<String> some) {
        return Pattern.compile(some.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|", "(?i)(?<![A-Za-z0-9])(?:", ")(?![A-Za-z0-9])")));
    }
}
