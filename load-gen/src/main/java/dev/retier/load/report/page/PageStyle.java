package dev.retier.load.report.page;

/** The top of the page: its style, for light and dark, wide and narrow. Stateless. */
final class PageStyle {
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>@TITLE@</title>
            <style>
            :root { color-scheme: light dark; --back: #fff; --ink: #1b1f24; --soft: #d5dae0; --mark: #8a8f98;
              --s1: #0969da; --s2: #bc4c00; --s3: #cf222e; --s4: #1a7f37; --s5: #8250df; --s6: #6e7781; }
            @media (prefers-color-scheme: dark) { :root { --back: #0d1117; --ink: #e6edf3; --soft: #30363d;
              --mark: #7d8590; --s1: #58a6ff; --s2: #f0883e; --s3: #ff7b72; --s4: #56d364; --s5: #bc8cff;
              --s6: #8b949e; } }
            body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
            main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
            h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
            svg { width: 100%; height: auto; display: block; }
            .scroll { overflow-x: auto; max-height: 30rem; }
            table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
            th, td { padding: .2rem .8rem .2rem 0; text-align: right; border-bottom: 1px solid var(--soft); }
            tr > :first-child { text-align: left; font-weight: 600; }
            .grid { stroke: var(--soft); fill: none; } .mark { stroke: var(--mark); stroke-dasharray: 3 3; fill: none; }
            .label { fill: var(--ink); font-size: 12px; opacity: .8; }
            .line { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
            .s1 { stroke: var(--s1); } .s2 { stroke: var(--s2); } .s3 { stroke: var(--s3); }
            .s4 { stroke: var(--s4); } .s5 { stroke: var(--s5); } .s6 { stroke: var(--s6); }
            .legend span { margin-right: 1rem; } .legend span::before { content: "\\25A0 "; }
            .k1::before { color: var(--s1); } .k2::before { color: var(--s2); } .k3::before { color: var(--s3); }
            .k4::before { color: var(--s4); } .k5::before { color: var(--s5); } .k6::before { color: var(--s6); }
            .km::before { color: var(--mark); } .note { font-size: .85rem; opacity: .8; }
            </style></head><body><main>
            """;

    private PageStyle() {}

    static String head(String title) {
        return HEAD.replace("@TITLE@", Html.escape(title));
    }
}
