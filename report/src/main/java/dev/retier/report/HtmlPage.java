package dev.retier.report;

import java.util.List;

/** One self-contained page: no script, no network, readable on a phone, light and dark. Not thread-safe. */
public final class HtmlPage {
    private static final String STYLE = """
            :root { color-scheme: light dark; --ink: #1c2330; --dim: #68707d; --paper: #fff; --line: #d9dde3;
              --a: #1769aa; --b: #c2410c; --c: #15803d; --d: #b91c1c; --e: #6d28d9; --f: #57606a;
              --g: #0e7490; --h: #a16207; --i: #78350f;
              --soft-a: #1769aa1f; --soft-b: #c2410c1a; --mark: #7c3aed; --heat: #0f6fb8; }
            @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --dim: #9aa3b0; --paper: #14181f;
              --line: #313844; --a: #6cb6ff; --b: #ff9e64; --c: #7ee2a0; --d: #ff8b84; --e: #bda4ff; --f: #a3adb8;
              --g: #67d3e8; --h: #e3c169; --i: #d6a77a;
              --soft-a: #6cb6ff22; --soft-b: #ff9e641c; --mark: #c4a7ff; --heat: #58b0ff; } }
            body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
              max-width: 62rem; margin: 0 auto; padding: 1rem; }
            h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.1rem; margin-top: 2rem; }
            .lead { font-size: 1.1rem; } .dim { color: var(--dim); font-size: .9rem; }
            .warning { border-left: .3rem solid var(--d); padding-left: .75rem; }
            .cards { display: flex; flex-wrap: wrap; gap: .75rem; }
            .card { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem 1rem; min-width: 8rem; }
            .card b { display: block; font-size: 1.5rem; }
            .wide { overflow-x: auto; max-height: 70rem; } table { border-collapse: collapse;
              font-variant-numeric: tabular-nums; }
            th, td { padding: .3rem .75rem; border-bottom: 1px solid var(--line); text-align: right; white-space:
              nowrap; }
            th { white-space: normal; vertical-align: bottom; } th:first-child, td:first-child { text-align: left; }
            .narrow { display: none; }
            @media (max-width: 40rem) { .broad { display: none; } .narrow { display: block; }
              .card { min-width: 6rem; padding: .4rem .75rem; } .card b { font-size: 1.2rem; }
              th, td { padding: .3rem .5rem; font-size: .85rem; }
              .stack, .stack tbody, .stack tr, .stack td { display: block; } .stack tr:first-child { display: none; }
              .stack td { text-align: right; white-space: normal; overflow-wrap: anywhere; border: 0; }
              .stack td::before { content: attr(data-head); float: left; padding-right: 1rem; color: var(--dim); }
              .stack td:first-child { font-weight: 600; border-top: 1px solid var(--line); } }
            svg.chart { width: 100%; height: auto; font-family: system-ui, sans-serif; margin-top: .75rem; }
            svg .title { font-weight: 600; fill: var(--ink); } svg text { fill: var(--ink); }
            svg .tick { fill: var(--dim); } svg .grid { stroke: var(--line); } svg .line { fill: none; stroke-width:
              2; stroke-linejoin: round; }
            svg .a { stroke: var(--a); } svg .b { stroke: var(--b); } svg .c { stroke: var(--c); }
            svg .d { stroke: var(--d); } svg .e { stroke: var(--e); } svg .f { stroke: var(--f); }
            svg .g { stroke: var(--g); } svg .h { stroke: var(--h); } svg .i { stroke: var(--i); }
            svg .all { stroke: var(--ink); }
            svg .dashed { stroke-dasharray: 5 4; stroke-width: 1.5; }
            svg .key.a { fill: var(--a); } svg .key.b { fill: var(--b); } svg .key.c { fill: var(--c); }
            svg .key.d { fill: var(--d); } svg .key.e { fill: var(--e); } svg .key.f { fill: var(--f); }
            svg .key.g { fill: var(--g); } svg .key.h { fill: var(--h); } svg .key.i { fill: var(--i); }
            svg .key.all { fill: var(--ink); }
            svg .key { stroke: none; } svg .band.static { fill: var(--soft-a); } svg .band.dynamic { fill:
              var(--soft-b); }
            svg .mark { fill: var(--mark); }
            svg .heat { fill: var(--heat); } .h1 { fill-opacity: .1; } .h2 { fill-opacity: .2; }
            .h3 { fill-opacity: .32; } .h4 { fill-opacity: .45; } .h5 { fill-opacity: .58; } .h6 { fill-opacity: .72; }
            .h7 { fill-opacity: .86; }
            @media print { body { max-width: none; } .wide { max-height: none; } }
            """;

    private static final int MOST_COLUMNS_SIDE_BY_SIDE = 3;

    private final String title;
    private final StringBuilder body = new StringBuilder();

    /** A page with this title as its heading. */
    public HtmlPage(String title) {
        this.title = title;
    }

    /** Adds a paragraph; {@code style} is {@code lead}, {@code dim} or {@code warning}. */
    public HtmlPage paragraph(String style, String text) {
        body.append("<p class=\"")
                .append(style)
                .append("\">")
                .append(Text.escape(text))
                .append("</p>\n");
        return this;
    }

    /** Adds a heading between parts. */
    public HtmlPage heading(String text) {
        body.append("<h2>").append(Text.escape(text)).append("</h2>\n");
        return this;
    }

    /** A figure that matters, and what it is. */
    public record Card(String figure, String meaning) {}

    /** Adds figures side by side. */
    public HtmlPage cards(List<Card> cards) {
        body.append("<div class=\"cards\">\n");
        cards.forEach(card -> body.append("<div class=\"card\"><b>")
                .append(Text.escape(card.figure()))
                .append("</b>")
                .append(Text.escape(card.meaning()))
                .append("</div>\n"));
        body.append("</div>\n");
        return this;
    }

    /** Adds a chart, drawn for wide and for narrow windows; the style sheet shows the one that fits. */
    public HtmlPage plot(Plot plot) {
        for (SvgChart.Size size : SvgChart.Size.values()) {
            body.append("<div class=\"")
                    .append(size == SvgChart.Size.WIDE ? "broad" : "narrow")
                    .append("\">")
                    .append(SvgChart.draw(plot, size))
                    .append("</div>\n");
        }
        return this;
    }

    /** Adds JSON that programs can read out of the page; it is data, not a script, and nothing in it can end it. */
    public HtmlPage data(String id, String json) {
        body.append("<script type=\"application/json\" id=\"")
                .append(Text.escape(id))
                .append("\">\n")
                .append(json.replace("<", "\\u003c"))
                .append("\n</script>\n");
        return this;
    }

    /**
     * Adds a table; the first row is its head, the first column names the rows. In a narrow window one with many
     * columns becomes a list, so that none of them is out of sight.
     */
    public HtmlPage table(List<List<String>> rows) {
        List<String> head = rows.isEmpty() ? List.of() : rows.getFirst();
        boolean isStacked = head.size() > MOST_COLUMNS_SIDE_BY_SIDE;
        body.append("<div class=\"wide\"><table")
                .append(isStacked ? " class=\"stack\"" : "")
                .append(">\n");
        for (int index = 0; index < rows.size(); index++) {
            String cell = index == 0 ? "th" : "td";
            body.append("<tr>");
            for (int column = 0; column < rows.get(index).size(); column++) {
                body.append('<').append(cell);
                if (isStacked && index > 0 && column < head.size()) {
                    body.append(" data-head=\"")
                            .append(Text.escape(head.get(column)))
                            .append('"');
                }
                body.append('>').append(Text.escape(rows.get(index).get(column)));
                body.append("</").append(cell).append('>');
            }
            body.append("</tr>\n");
        }
        body.append("</table></div>\n");
        return this;
    }

    /** The page's bytes as text; write them as UTF-8. */
    public String html() {
        String heading = Text.escape(title);
        return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                + "<meta http-equiv=\"Content-Security-Policy\""
                + " content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + "<title>" + heading + "</title>\n<style>\n" + STYLE + "</style></head>\n<body>\n<h1>" + heading
                + "</h1>\n" + body + "</body></html>\n";
    }
}
