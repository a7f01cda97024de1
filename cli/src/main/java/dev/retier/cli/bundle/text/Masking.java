package dev.retier.cli.bundle.text;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Takes secrets out of texts: those that are known, wherever they stand, and what stands where secrets do. Paths of
 * files and names of variables that hold secrets stay. Stateless but for what it knows.
 */
public final class Masking {
    /** In the place of a secret. */
    public static final String MASK = "***";

    /** Shorter ones would be found in words that are none. */
    private static final int LEAST_LENGTH = 4;

    private static final String SECRET_WORD =
            "(?:secret|token|passw(?:or)?d|passphrase|pass(?!\\w)|credentials?|api[-_]?key|private[-_]?key)";

    private static final List<Pattern> PLACES = List.of(
            // password: x, "token": "x", SECRET=x, keystorePass="x", env[PASSWORD] = x, --password x, [--password, x];
            // not secret-file: x, TOKENS_FILE=x
            Pattern.compile("(?i)(?<before>\\b[\\w.-]{0,64}" + SECRET_WORD
                    + "(?![\\w.-]*(?:file|env|path|dir|directory|name)\\b)[\\w.-]*[\"'\\]]?\\s*[:=]\\s*)"
                    + "(?<value>\"[^\"\\n]*\"|'[^'\\n]*'|[^\\s,\\]}#\"']+)"),
            // AuthLDAPBindPassword x; user admin password x; stats auth admin:x
            Pattern.compile("(?im)(?<before>^[ \\t]*[\\w-]{0,64}(?:secret|passw(?:or)?d|passphrase)"
                    + "(?![\\w-]*(?:file|env|path|dir|directory|name)\\b)\\w*[ \\t]+)(?<value>\"[^\"\\n]*\"|\\S+)"),
            Pattern.compile("(?i)(?<before>\\buser[ \\t]+\\S+[ \\t]+(?:insecure-)?password[ \\t]+)(?<value>\\S+)"),
            Pattern.compile("(?i)(?<before>\\bauth[ \\t]+[^\\s:]+:)(?<value>\\S+)"),
            Pattern.compile("(?i)(?<before>--?[\\w-]{0,64}" + SECRET_WORD
                    + "(?![\\w-]*(?:file|env|path|dir|directory|name)\\b)[\\w-]*[\"']?,?[ \\t]+)"
                    + "(?<value>\"[^\"\\n]*\"|'[^'\\n]*'|[^\\s,\\]}\"'-][^\\s,\\]}\"']*)"),
            Pattern.compile("(?i)(?<before>\\b(?:bearer|basic)\\s+)(?<value>[\\w.~+/=-]{4,})"),
            Pattern.compile("(?<before>://)(?<value>[^/\\s@\"']+)(?=@)"),
            Pattern.compile("(?s)(?<before>-----BEGIN [A-Z ]*PRIVATE KEY-----)(?<value>.*?)(?=-----END|\\z)"));

    private static final String VALUE = "(?:\"(?<double>[^\"\\n]+)\"|'(?<single>[^'\\n]+)'|\\[(?<list>[^\\]]*)\\]"
            + "|(?<plain>(?:\\{node\\}|[^\\s,}#])+))";

    private final List<String> known;

    /** Of secrets that are known; very short ones count as none. */
    public Masking(Set<String> known) {
        this.known = known.stream()
                .map(String::strip)
                .filter(secret -> secret.length() >= LEAST_LENGTH)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** The text without them. */
    public String mask(String text) {
        String masked = text;
        for (String secret : known) {
            masked = masked.replace(secret, MASK);
        }
        for (Pattern place : PLACES) {
            Matcher found = place.matcher(masked);
            masked = found.replaceAll(
                    match -> Matcher.quoteReplacement(match.group("before") + inItsQuotes(match.group("value"))));
        }
        return masked;
    }

    /** So that JSON stays JSON. */
    private static String inItsQuotes(String value) {
        boolean isQuoted = value.length() > 1 && (value.charAt(0) == '"' || value.charAt(0) == '\'');
        return isQuoted ? value.charAt(0) + MASK + value.charAt(0) : MASK;
    }

    /**
     * What stands behind that key of a cluster file, of a list each; in any place and form of the file, as it may be
     * one that agents refuse.
     */
    public static Set<String> named(String clusterFile, String key) {
        return Pattern.compile("(?<![\\w-])" + key + "[\"']?\\s*:\\s*" + VALUE)
                .matcher(clusterFile)
                .results()
                .flatMap(Masking::values)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    private static Stream<String> values(MatchResult found) {
        String list = found.group("list");
        return list != null
                ? Pattern.compile("[\\s,\"']+").splitAsStream(list)
                : Stream.of("double", "single", "plain").map(found::group).filter(Objects::nonNull);
    }
}
