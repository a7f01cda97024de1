package dev.retier.agent.access;

/** What callers choose, as logs show it: it makes no line of its own, and no long one. Stateless. */
public final class Printable {
    private static final int MAX_LENGTH = 300;

    private Printable() {}

    /** The same, with {@code ?} for what is not printable ASCII, cut where it is long. */
    public static String of(String text) {
        String part = text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
        return part.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
