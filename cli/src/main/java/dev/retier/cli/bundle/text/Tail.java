package dev.retier.cli.bundle.text;

/** The end of a text. Stateless. */
public final class Tail {
    private Tail() {}

    /** The last so many lines. */
    public static String of(String text, int lines) {
        int at = text.endsWith("\n") ? text.length() - 1 : text.length();
        for (int i = 0; i < lines && at >= 0; i++) {
            at = text.lastIndexOf('\n', at - 1);
        }
        return text.substring(at + 1);
    }
}
