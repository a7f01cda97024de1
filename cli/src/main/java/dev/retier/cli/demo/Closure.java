package dev.retier.cli.demo;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server or an agent to close while the demo runs, to see the rest go on.
 *
 * @param part what to close
 * @param node number of the node, from 1
 * @param seconds after the start of the reconfigured pass, from 0
 */
public record Closure(Part part, int node, int seconds) {
    private static final Pattern FORM = Pattern.compile("(web-node|agent):(\\d{1,3})@(\\d{1,4})s?");

    /** What can be closed. */
    public enum Part {
        /** The web server. */
        WEB_NODE,
        /** The agent beside it. */
        AGENT
    }

    /**
     * Reads the form {@code web-node:3@20s} or {@code agent:3@20s}.
     *
     * @throws IllegalArgumentException when {@code text} has another form
     */
    public static Closure parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) < 1) {
            throw new IllegalArgumentException(
                    "'" + text + "': write what, which node and when, as in web-node:3@20s or agent:3@20s");
        }
        Part part = matcher.group(1).equals("agent") ? Part.AGENT : Part.WEB_NODE;
        return new Closure(part, Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
    }

    @Override
    public String toString() {
        return part.name().toLowerCase(Locale.ROOT).replace('_', '-') + ":" + node + "@" + seconds + "s";
    }
}
