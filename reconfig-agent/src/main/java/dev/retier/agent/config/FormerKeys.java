package dev.retier.agent.config;

import dev.retier.config.ConfigException;
import dev.retier.config.ConfigProblem;
import java.util.ArrayList;
import java.util.List;
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
            "cool-down-node",
            "cool-down-site");

    private static final Pattern SECTION = Pattern.compile("decision:\\s*(#.*)?");

    private FormerKeys() {}

    /**
     * The text of a cluster file without them; all else is as it was.
     *
     * @throws ConfigException when it cannot be read, or they cannot be taken out of it by lines: then by hand
     */
    public static String without(String text, String file) {
        ClusterConfig given = ClusterConfig.parse(text, file);
        List<String> former = given.decision().former();
        String fixed = former.stream().reduce(text, FormerKeys::leftOut);
        try {
            String whole = withoutEmptySection(fixed);
            if (ClusterConfig.parse(whole, file).equals(given.withoutFormerKeys())) {
                return whole;
            }
        } catch (ConfigException e) {
            // Said below: what was to be mended is not broken, only written otherwise than is known here.
        }
        throw new ConfigException(List.of(new ConfigProblem(
                file, 1, "decision", "cannot take out " + String.join(", ", former) + " here; remove them by hand")));
    }

    /** A line of its own, or an entry between braces. */
    private static String leftOut(String text, String key) {
        String line = "(?m)^[ \\t]+" + key + ":[^\\n]*\\n?";
        String first = "(\\{\\s*)" + key + ":\\s*[^,}\\n]*,?\\s*";
        String later = ",\\s*" + key + ":\\s*[^,}\\n]*";
        return text.replaceFirst(line, "").replaceFirst(first, "$1").replaceFirst(later, "");
    }

    /** A section whose last key is gone has no value. */
    private static String withoutEmptySection(String text) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        for (int index = 0; index < lines.size(); index++) {
            boolean isLast = index + 1 == lines.size();
            boolean hasKeys = !isLast
                    && lines.subList(index + 1, lines.size()).stream()
                            .filter(line -> !line.isBlank() && !line.strip().startsWith("#"))
                            .findFirst()
                            .filter(line -> line.startsWith(" "))
                            .isPresent();
            if (SECTION.matcher(lines.get(index)).matches() && !hasKeys) {
                lines.remove(index);
                return String.join("\n", lines) + "\n";
            }
        }
        return text;
    }

    static Stream<String> warnings(DecisionRules rules) {
        return rules.former().stream()
                .map(key -> "decision." + key
                        + " changes nothing any more: remove it, or let `retier validate --fix` do so");
    }
}
