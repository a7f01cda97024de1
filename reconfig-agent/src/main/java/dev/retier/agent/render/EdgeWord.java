package dev.retier.agent.render;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an edge tells the agent of a node about what it truly runs: not what it was given, and not what it has written.
 *
 * <p>In a request it is {@code Retier-Edge: NAME; stamp=S; sends=yes} or {@code no}. The stamp alone would not do: two
 * agents that do not see each other may give lists of one stamp, one with the node and one without.
 *
 * @param edge its name in the cluster file
 * @param stamp of the target list, see {@link TargetList}; 0 when it does not know what it runs
 * @param isSending whether the node is among the targets, or may be
 */
public record EdgeWord(String edge, long stamp, boolean isSending) {
    /** The header of a request for targets that carries a word. */
    public static final String HEADER = "Retier-Edge";

    private static final Pattern FORM =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]{0,62}) ?; ?stamp=(\\d{1,18}) ?; ?sends=(yes|no)");

    /** The word of an edge that has just begun. */
    public static EdgeWord unknown(String edge) {
        return new EdgeWord(edge, 0, true);
    }

    /** The value of the header. */
    public String header() {
        return edge + "; stamp=" + stamp + "; sends=" + (isSending ? "yes" : "no");
    }

    /** The word that is the value of a header, or empty if it is none. */
    public static Optional<EdgeWord> parse(String header) {
        Matcher matcher = FORM.matcher(header);
        return matcher.matches()
                ? Optional.of(new EdgeWord(
                        matcher.group(1),
                        Long.parseLong(matcher.group(2)),
                        matcher.group(3).equals("yes")))
                : Optional.empty();
    }

    /** Whether who says this sends nothing to the node, by a list that is no older than {@code least}. */
    public boolean hasLetGo(long least) {
        return !isSending && stamp >= least;
    }
}
