package dev.retier.agent.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a configuration of HAProxy says, but for its conditions and environment variables. Stateless. */
public final class HaproxyConfig {
    /** Words that begin a section (HAProxy's Configuration Manual 2.6, sections 3, 4 and 12). */
    private static final Set<String> SECTIONS = Set.of(
            "global",
            "defaults",
            "frontend",
            "backend",
            "listen",
            "peers",
            "mailers",
            "userlist",
            "resolvers",
            "cache",
            "program",
            "ring",
            "http-errors",
            "fcgi-app",
            "log-forward");

    private static final Pattern WORD = Pattern.compile("(?:\\\\.|\"[^\"]*\"|'[^']*'|[^\\s#])+");
    /** An address of a bind: a family, a host, and one port or a range. */
    private static final Pattern PORTS = Pattern.compile(":(\\d{1,5})(?:-(\\d{1,5}))?$");

    private HaproxyConfig() {}

    /**
     * A section with its lines; the first begins it.
     *
     * @param keyword what it is
     * @param start index of its first line in the file, from 0
     * @param lines each as its words, without what is quoted or escaped undone; empty for blank lines and comments
     */
    public record Section(String keyword, int start, List<List<String>> lines) {
        /** Index of the line after its last one that says something. */
        public int end() {
            int end = lines.size();
            while (lines.get(end - 1).isEmpty()) {
                end--;
            }
            return start + end;
        }

        /** Whether clients can come to it at that port. */
        public boolean isBoundTo(int port) {
            return lines.stream()
                    .filter(words -> words.size() > 1 && words.getFirst().equals("bind"))
                    .flatMap(words -> List.of(words.get(1).split(",", -1)).stream())
                    .anyMatch(address -> isAt(address, port));
        }

        private static boolean isAt(String address, int port) {
            Matcher ports = PORTS.matcher(address);
            if (!ports.find()) {
                return false;
            }
            int first = Integer.parseInt(ports.group(1));
            int last = ports.group(2) == null ? first : Integer.parseInt(ports.group(2));
            return first <= port && port <= last;
        }
    }

    /** All sections, in order; what stands before the first is none. */
    public static List<Section> sections(String text) {
        List<Section> sections = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int at = 0; at < lines.size(); at++) {
            List<String> words = words(lines.get(at));
            if (!words.isEmpty() && SECTIONS.contains(words.getFirst())) {
                sections.add(new Section(words.getFirst(), at, new ArrayList<>()));
            }
            if (!sections.isEmpty()) {
                sections.getLast().lines().add(words);
            }
        }
        return sections;
    }

    /** The level of the stats socket at that path, {@code operator} where none is given; empty if there is none. */
    public static Optional<String> level(List<Section> sections, String path) {
        return sections.stream()
                .filter(section -> section.keyword().equals("global"))
                .flatMap(section -> section.lines().stream())
                .filter(words -> words.size() > 2
                        && words.get(0).equals("stats")
                        && words.get(1).equals("socket")
                        && words.get(2).replaceFirst("^unix@", "").equals(path))
                .map(words -> {
                    int at = words.indexOf("level");
                    return at > 0 && at + 1 < words.size() ? words.get(at + 1) : "operator";
                })
                .findFirst();
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        int at = 0;
        while (matcher.find(at) && line.substring(at, matcher.start()).isBlank()) {
            words.add(matcher.group());
            at = matcher.end();
        }
        return words;
    }
}
