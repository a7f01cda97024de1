package dev.retier.load.report.page;

import java.util.List;

/** Small pieces of HTML. Stateless. */
final class Html {
    private Html() {}

    /** {@code text} as it may stand between tags and in quoted attributes; control characters become spaces. */
    static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.append(Character.isISOControl(c) ? ' ' : c);
            }
        }
        return safe.toString();
    }

    /** A table; the first cell of each row is its heading. */
    static String table(List<String> heading, List<List<String>> rows) {
        StringBuilder table = new StringBuilder("<div class=\"scroll\"><table>\n<tr>");
        heading.forEach(cell -> table.append("<th>").append(escape(cell)).append("</th>"));
        table.append("</tr>\n");
        for (List<String> row : rows) {
            table.append("<tr><th>").append(escape(row.getFirst())).append("</th>");
            row.stream()
                    .skip(1)
                    .forEach(cell -> table.append("<td>").append(escape(cell)).append("</td>"));
            table.append("</tr>\n");
        }
        return table.append("</table></div>\n").toString();
    }

    /** JSON that a script element can hold: nothing in it can end the element. */
    static String inScript(String json) {
        return json.replace("<", "\\u003c");
    }
}
