package dev.retier.agent.status;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What httpd says of its virtual hosts with {@code -t -D DUMP_VHOSTS}, and their text. Stateless. */
public final class HttpdVirtualHosts {
    /** {@code *:443  shop.example (/etc/apache2/sites-enabled/shop.conf:12)}, alone at its address or by name. */
    private static final Pattern HOST =
            Pattern.compile("^\\s*(?:port \\d+ namevhost|default server|\\S+:\\S+)\\s+(\\S+) \\((/.+):(\\d+)\\)$");

    private static final Pattern END = Pattern.compile("(?i)^\\s*</VirtualHost>.*$");
    private static final Pattern ALIAS = Pattern.compile("^\\s+(?:wild )?alias (\\S+)\\s*$");
    private static final Pattern NAMES = Pattern.compile("(?i)^\\s*Server(?:Name|Alias)\\s+(.*?)\\s*$");
    private static final Pattern INCLUDE = Pattern.compile("(?i)^\\s*Include(?:Optional)?\\s+\"?([^\"]+?)\"?\\s*$");
    private static final Pattern KEY = Pattern.compile("(?i)^\\s*SSLCertificateKeyFile\\s+\"?([^\"]+?)\"?\\s*$");
    /** With its substitution and its flags (mod_rewrite). */
    private static final Pattern RULE =
            Pattern.compile("(?i)^\\s*RewriteRule\\s+(?:\"[^\"]*\"|\\S+)\\s+(\"[^\"]*\"|\\S+)\\s+\\[([^\\]]*)\\]\\s*$");

    private static final Pattern OPENED = Pattern.compile("^\\s*<(/?)(\\w+).*$");
    private static final Set<String> ENDS = Set.of("l", "last", "end");
    /** What ends there is not answered with a file of this node. */
    private static final Set<String> LEAVES = Set.of("r", "redirect", "f", "forbidden", "g", "gone", "p", "proxy");

    private static final Pattern LEAVE = Pattern.compile("(?i)^\\s*#\\s*retier:\\s*leave\\b.*$");
    private static final Pattern SCHEME_AND_PORT = Pattern.compile("^(?:[a-z]+://)?(.*?)(?::\\d+)?$");

    private HttpdVirtualHosts() {}

    /**
     * One virtual host.
     *
     * @param name its first name
     * @param file where its section begins
     * @param line there, from 1
     */
    public record Section(String name, String file, int line) {
        /** Where it begins, as people write it. */
        public String place() {
            return file + ":" + line;
        }
    }

    /** A line of a file that names another. */
    public record Named(int line, String path) {}

    /** All virtual hosts, each once, in the order of the dump. */
    public static List<Section> sections(String dump) {
        Map<String, Section> found = new LinkedHashMap<>();
        dump.lines().map(HOST::matcher).filter(Matcher::matches).forEach(matcher -> {
            Section section = new Section(matcher.group(1), matcher.group(2), Integer.parseInt(matcher.group(3)));
            found.putIfAbsent(section.place(), section);
        });
        return List.copyOf(found.values());
    }

    /** The lines of a section, to its end. */
    public static List<String> text(String file, int line) {
        List<String> lines = file.lines().toList();
        List<String> text = new ArrayList<>();
        for (int at = line - 1; at >= 0 && at < lines.size(); at++) {
            text.add(lines.get(at));
            if (END.matcher(lines.get(at)).matches()) {
                return text;
            }
        }
        return text;
    }

    /** The line on which a section that begins at {@code line} ends, from 1; empty if it does not. */
    public static OptionalInt end(String file, int line) {
        List<String> lines = file.lines().toList();
        return IntStream.rangeClosed(line, lines.size())
                .filter(at -> END.matcher(lines.get(at - 1)).matches())
                .findFirst();
    }

    /** Whether requests for {@code host} may come to a section of that text, by one of its names. */
    public static boolean isNamed(List<String> text, String host) {
        String wanted = host.toLowerCase(Locale.ROOT);
        // A line may go on after a backslash, and a name be quoted.
        return String.join("\n", text)
                .replace("\\\n", " ")
                .lines()
                .map(NAMES::matcher)
                .filter(Matcher::matches)
                .flatMap(matcher -> Stream.of(matcher.group(1).split("\\s+")))
                .map(name -> name.replaceAll("^[\"']|[\"']$", ""))
                .map(name ->
                        SCHEME_AND_PORT.matcher(name.toLowerCase(Locale.ROOT)).replaceFirst("$1"))
                .anyMatch(name -> isLike(name, wanted));
    }

    /**
     * The same by what httpd itself tells of a section, wherever its names are written. It tells no aliases of one that
     * is alone at its address.
     */
    public static boolean isTold(String dump, Section section, String host) {
        String wanted = host.toLowerCase(Locale.ROOT);
        return names(dump, section).stream().anyMatch(name -> isLike(name.toLowerCase(Locale.ROOT), wanted));
    }

    /** Its names as httpd tells them, patterns among them. */
    public static List<String> names(String dump, Section section) {
        List<String> names = new ArrayList<>(List.of(section.name()));
        boolean isOfIt = false;
        for (String line : dump.lines().toList()) {
            Matcher head = HOST.matcher(line);
            Matcher alias = ALIAS.matcher(line);
            if (head.matches()) {
                isOfIt = section.place().equals(head.group(2) + ":" + head.group(3));
            } else if (isOfIt && alias.matches()) {
                names.add(alias.group(1));
            }
        }
        return names;
    }

    /** By {@code *} and {@code ?}, as ServerAlias has them; both in lower case. */
    private static boolean isLike(String pattern, String name) {
        String quoted = Pattern.quote(pattern).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
        return name.matches(quoted);
    }

    /** Whether its administrator says by a comment, {@code # retier: leave}, that it is none of the site's. */
    public static boolean isLeft(List<String> text) {
        return text.stream().anyMatch(line -> LEAVE.matcher(line).matches());
    }

    /** The files and patterns of files that a text includes. */
    public static List<String> includes(List<String> text) {
        return text.stream()
                .map(INCLUDE::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .toList();
    }

    /**
     * Whether a line is a rule of mod_rewrite after which no other is looked at, and by which the node answers with
     * something of its own. One that changes nothing ({@code -}) is there to do just that, as for
     * {@code /.well-known/acme-challenge/}.
     */
    public static boolean isLastRule(String line) {
        Matcher rule = RULE.matcher(line);
        if (!rule.matches() || rule.group(1).equals("-")) {
            return false;
        }
        List<String> flags = Stream.of(rule.group(2).split(","))
                .map(flag -> flag.strip().toLowerCase(Locale.ROOT).replaceFirst("=.*", ""))
                .toList();
        return flags.stream().anyMatch(ENDS::contains) && flags.stream().noneMatch(LEAVES::contains);
    }

    /** By how much a line changes how many sections are open: rules of a folder or a location come after all others. */
    public static int opens(String line) {
        Matcher section = OPENED.matcher(line);
        boolean isOther = !section.matches() || section.group(2).matches("(?i)VirtualHost|IfModule|IfDefine");
        return isOther ? 0 : section.group(1).isEmpty() ? 1 : -1;
    }

    /** The private keys that a file names. */
    public static List<Named> keys(String file) {
        List<Named> keys = new ArrayList<>();
        List<String> lines = file.lines().toList();
        for (int at = 0; at < lines.size(); at++) {
            Matcher matcher = KEY.matcher(lines.get(at));
            if (matcher.matches()) {
                keys.add(new Named(at + 1, matcher.group(1)));
            }
        }
        return keys;
    }
}
