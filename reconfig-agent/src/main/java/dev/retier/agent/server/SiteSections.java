package dev.retier.agent.server;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.SiteConfig;
import dev.retier.agent.status.HttpdConfig;
import dev.retier.agent.status.HttpdVirtualHosts;
import dev.retier.agent.status.HttpdVirtualHosts.Section;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The virtual hosts of httpd that have a name of one of the cluster's sites, as the files on disk have them. */
public final class SiteSections {
    private static final int DEEPEST = 4;

    private final Path root;
    private final List<Section> all;
    private final List<String> nameless;

    private SiteSections(Path root, List<Section> all, List<String> nameless) {
        this.root = root;
        this.all = all;
        this.nameless = nameless;
    }

    /** Of a configuration of which httpd says that. */
    public static SiteSections of(ClusterConfig cluster, String dump) {
        List<String> hosts = cluster.sites().stream()
                .map(SiteConfig::hosts)
                .flatMap(List::stream)
                .toList();
        List<Section> all = HttpdVirtualHosts.sections(dump).stream()
                .filter(section -> hosts.stream().anyMatch(host -> isOf(dump, section, host)))
                .filter(section -> !HttpdVirtualHosts.isLeft(text(section)))
                .toList();
        List<String> nameless = hosts.stream()
                .filter(host -> all.stream().noneMatch(section -> isOf(dump, section, host)))
                .toList();
        return new SiteSections(Path.of(HttpdConfig.root(dump)), all, nameless);
    }

    private static boolean isOf(String dump, Section section, String host) {
        return HttpdVirtualHosts.isTold(dump, section, host) || HttpdVirtualHosts.isNamed(text(section), host);
    }

    /** The names of sites that none of them has: httpd's default virtual host answers for them. */
    public List<String> nameless() {
        return nameless;
    }

    /** In the order in which httpd tells of them. */
    public List<Section> all() {
        return all;
    }

    /** Whether it includes {@code file}, by itself or by what it includes. */
    public boolean includes(Section section, Path file) {
        return includes(text(section), file, 0);
    }

    /**
     * The line of the first rule of mod_rewrite in a section that keeps requests from what {@code file} says; empty
     * when none stands before the line that includes it.
     */
    OptionalInt ruleBefore(Section section, Path file) {
        int open = 0;
        int line = section.line();
        for (String text : text(section)) {
            open += HttpdVirtualHosts.opens(text);
            if (includes(List.of(text), file, 0)) {
                return OptionalInt.empty();
            }
            if (open == 0 && HttpdVirtualHosts.isLastRule(text)) {
                return OptionalInt.of(line);
            }
            line++;
        }
        return OptionalInt.empty();
    }

    private static List<String> text(Section section) {
        return HttpdVirtualHosts.text(read(Path.of(section.file())), section.line());
    }

    private static String read(Path file) {
        return Processes.read(file).orElse("");
    }

    private boolean includes(List<String> text, Path included, int depth) {
        for (String pattern : HttpdVirtualHosts.includes(text)) {
            Path wanted = root.resolve(pattern.replaceAll("/+$", "/*"));
            if (matches(wanted, included)) {
                return true;
            }
            if (depth < DEEPEST
                    && files(wanted)
                            .anyMatch(file -> includes(read(file).lines().toList(), included, depth + 1))) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(Path pattern, Path file) {
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern.normalize());
        return matcher.matches(file.normalize());
    }

    private static Stream<Path> files(Path pattern) {
        Path folder = pattern.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return Stream.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> matches(pattern, file)).sorted().toList().stream();
        } catch (IOException e) {
            // What may not be listed by the agent is not known to include anything.
            return Stream.of();
        }
    }
}
