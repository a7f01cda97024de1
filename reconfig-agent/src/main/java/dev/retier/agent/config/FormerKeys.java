package dev.retier.agent.config;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Keys of the version before that change nothing any more: they are taken for one version, with a warning. */
public final class FormerKeys {
    /** Those of {@code decision}. */
    static final List<String> OF_DECISIONS = List.of(
            "guarantee-history",
            "give-history",
            "give-back-history",
            "give-threshold",
            "settle",
            "payback",
            "cool-down-node",
            "cool-down-site");

    /** The whole line of a section that has no keys. */
    private static final Pattern SECTION = Pattern.compile("(?m)^decision:[ \\t]*(#[^\\r\\n]*)?(\\r?\\n|\\z)");

    private FormerKeys() {}

    /**
     * The text of a cluster file without them; all else is as it was, to the byte.
     *
     * @throws ConfigException when it cannot be read, or they cannot be taken out of it without a change of anything
     *     else: then by hand
     */
    public static String without(String text, String file) {
        ClusterConfig given = ClusterConfig.parse(text, file);
        List<String> former = given.decision().former();
        String left = text;
        for (String key : former) {
            left = leftOut(left, key, file)
                    .orElseThrow(() -> new ConfigException(List.of(new ConfigProblem(
                            file,
                            line(text, key),
                            "decision",
                            "cannot take out " + key + " here; nothing was changed: remove " + String.join(", ", former)
                                    + " by hand"))));
        }
        return left;
    }

    /** The line where {@code key} stands first, counting from 1. */
    private static int line(String text, String key) {
        String before = text.substring(0, Math.max(0, text.indexOf(key)));
        return 1 + (int) before.chars().filter(letter -> letter == '\n').count();
    }

    /** An entry between braces, or a line of its own; the first place where exactly that key goes. */
    private static Optional<String> leftOut(String text, String key, String file) {
        ClusterConfig given = ClusterConfig.parse(text, file);
        String name = "[\"']?" + key + "[\"']?[ \\t]*:";
        String value = "[^,}#\\r\\n]*";
        return Stream.of(
                        "(?m)^[ \\t]+" + name + "[^,{}\\r\\n#]*(#[^\\r\\n]*)?(\\r?\\n|\\z)",
                        "(?m)^[ \\t]+" + name + value + ",[ \\t]*(\\r?\\n|\\z)",
                        "(?<=[{,]|\\s)" + name + value + ",[ \\t]*",
                        ",\\s*" + name + value + "(?=})",
                        "(?<=[{\\s])" + name + value + "(?=})")
                .flatMap(pattern -> Pattern.compile(pattern).matcher(text).results())
                .map(found -> text.substring(0, found.start()) + text.substring(found.end()))
                .flatMap(left -> Stream.concat(Stream.of(left), withoutEmptySections(left)))
                .filter(left -> isAllBut(key, left, file, given))
                .findFirst();
    }

    /** A section whose last key is gone has no value; what was said beside it stays. */
    private static Stream<String> withoutEmptySections(String text) {
        return SECTION.matcher(text)
                .results()
                .map(found -> text.substring(0, found.start())
                        + (found.group(1) == null ? "" : found.group(1) + found.group(2))
                        + text.substring(found.end()));
    }

    private static boolean isAllBut(String key, String left, String file, ClusterConfig given) {
        try {
            ClusterConfig now = ClusterConfig.parse(left, file);
            List<String> others = given.decision().former().stream()
                    .filter(former -> !former.equals(key))
                    .toList();
            return now.decision().former().equals(others)
                    && now.withoutFormerKeys().equals(given.withoutFormerKeys());
        } catch (ConfigException e) {
            // Another place is tried, or somebody is asked to do it by hand.
            return false;
        }
    }

    static Stream<ConfigWarning> warnings(DecisionRules rules) {
        return rules.former().stream()
                .map(key -> "decision." + key)
                .map(key -> new ConfigWarning(
                        key, key + " changes nothing any more: remove it, or let `retier validate --fix` do so"));
    }
}
