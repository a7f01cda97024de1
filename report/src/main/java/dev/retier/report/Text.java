package dev.retier.report;

/** Makes text from outside harmless where it is shown. Stateless. */
public final class Text {
    private Text() {}

    /**
     * {@code text} for HTML and XML, between tags or in a quoted attribute: the five characters with a meaning are
     * replaced, control characters become spaces.
     */
    public static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.append(isPlain(c) ? c : ' ');
            }
        }
        return safe.toString();
    }

    /**
     * {@code text} for a terminal or a log line: what could move the cursor, break the line or turn the direction of
     * writing becomes a question mark.
     */
    public static String printable(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            safe.append(isPlain(c) ? c : '?');
        }
        return safe.toString();
    }

    /** Whether a terminal shows {@code c}, and does nothing else with it. */
    public static boolean isPlain(char c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR
                && c != '\uFFFE'
                && c != '\uFFFF';
    }
}
