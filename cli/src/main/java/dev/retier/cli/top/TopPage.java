package dev.retier.cli.top;

import dev.retier.cli.grid.Grid;
import dev.retier.cli.grid.Style;
import dev.retier.cli.top.TopView.Decision;
import dev.retier.cli.top.TopView.Move;
import dev.retier.cli.top.TopView.Site;
import dev.retier.cli.top.TopView.Tier;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The page of a whole terminal: head, sites with their tiers, a tile per node, what is decided, the last moves. What
 * has no room is said to be left out; nodes come first, by smaller tiles. Stateless.
 */
public final class TopPage {
    /** As many of the last moves as a page in full has. */
    private static final int MOST_MOVES = 10;

    private static final int HEAD_ROWS = 2;
    private static final int TIER_COLUMN = 13;
    private static final int NODES_COLUMN = 20;
    private static final int BAR_COLUMN = 29;
    private static final int BAR_CELLS = 12;
    private static final int SHARE_COLUMN = BAR_COLUMN + BAR_CELLS + 1;
    private static final int PRESSED_COLUMN = SHARE_COLUMN + 6;
    private static final int DELIVERED_COLUMN = PRESSED_COLUMN + 9;
    private static final int GUARANTEE_COLUMN = DELIVERED_COLUMN + 9;
    private static final int LEAST_MOVES = 2;

    private final Grid grid;
    private final Glyphs glyphs;
    private int row;

    private TopPage(Grid grid, Glyphs glyphs) {
        this.grid = grid;
        this.glyphs = glyphs;
    }

    /**
     * All of it on a grid of that size.
     *
     * @param view the newest answer; null before there is one
     */
    public static Grid of(@Nullable TopView view, Asked asked, Glyphs glyphs, Grid blank) {
        TopPage page = new TopPage(blank, glyphs);
        page.head(view, asked);
        if (view != null) {
            page.body(view);
        }
        return blank;
    }

    /** How many rows show everything in large tiles. */
    public static int rowsOfAll(TopView view, int columns) {
        return HEAD_ROWS
                + siteRows(view)
                + 1
                + NodeTiles.largest(view, columns).rows()
                + 1
                + view.decisions().size()
                + 1
                + Math.min(view.moves().size(), MOST_MOVES);
    }

    private void head(@Nullable TopView view, Asked asked) {
        String name = view == null ? "" : view.cluster() + "  " + view.mode();
        int at = grid.put(row, 0, Style.BOLD, "retier  " + name);
        if (view != null) {
            String paused = switch (view.pause()) {
                case NONE -> "";
                case HERE -> "  decisions of " + view.by() + " are paused";
                case CLUSTER -> "  decisions are paused";
            };
            at = grid.put(row, at, Style.YELLOW, paused);
            Style unknown = view.unknownShare() > 0 ? Style.RED : Style.PLAIN;
            grid.put(row, at, unknown, "  " + percent(view.unknownShare()) + " of the nodes unknown");
        }
        row++;
        String ago = String.format(Locale.ROOT, "%.1f s ago", asked.secondsAgo());
        if (asked.failure().isEmpty()) {
            grid.put(row++, 0, Style.DIM, view == null ? "asked " + ago : "seen by " + view.by() + " " + ago);
        } else {
            String shown = view == null ? "" : "as " + view.by() + " saw it " + ago + ": ";
            grid.put(row++, 0, Style.RED, shown + asked.failure());
        }
    }

    private void body(TopView view) {
        List<Move> moves = view.moves();
        int free = grid.rows() - HEAD_ROWS;
        int sites = Math.min(siteRows(view), Math.max(3, free / 3));
        int decisions = Math.min(1 + view.decisions().size(), Math.max(2, free / 4));
        sites(view, sites);
        int nodes = grid.rows() - row - decisions - Math.min(moves.size(), LEAST_MOVES) - 1;
        grid.put(row++, 0, Style.DIM, "nodes");
        row = NodeTiles.fitting(view, grid.columns(), nodes - 1).draw(grid, row, nodes - 1, glyphs);
        decisions(view.decisions(), decisions);
        grid.put(row++, 0, Style.DIM, "last moves");
        for (Move move : moves) {
            grid.put(
                    row++,
                    0,
                    Style.PLAIN,
                    time(move.at()) + "  " + move.node() + "  " + move.from() + " " + glyphs.arrow() + " " + move.to()
                            + "  " + move.became());
        }
    }

    private static int siteRows(TopView view) {
        return 1
                + view.sites().stream()
                        .mapToInt(site -> Math.max(1, site.tiers().size()))
                        .sum();
    }

    private void sites(TopView view, int rows) {
        int end = row + rows;
        grid.put(row, 0, Style.DIM, "site");
        grid.put(row, TIER_COLUMN, Style.DIM, "tier");
        grid.put(row, NODES_COLUMN, Style.DIM, "nodes");
        grid.put(row, BAR_COLUMN, Style.DIM, "utilisation");
        grid.put(row, PRESSED_COLUMN, Style.DIM, "pressed");
        grid.put(row, DELIVERED_COLUMN, Style.DIM, "answers");
        grid.put(row++, GUARANTEE_COLUMN, Style.DIM, "promised");
        int left = view.sites().size();
        for (Site site : view.sites()) {
            int needed = Math.max(1, site.tiers().size());
            if (row + needed > end - (left > 1 ? 1 : 0)) {
                grid.put(row++, 0, Style.DIM, "and " + left + " more sites");
                break;
            }
            site(site);
            left--;
        }
    }

    private void site(Site site) {
        grid.put(row, 0, site.isKept() ? Style.BOLD : Style.RED, cut(site.name(), TIER_COLUMN - 1));
        grid.put(row, DELIVERED_COLUMN, Style.PLAIN, perSecond(site.deliveredPerSecond()));
        if (site.guaranteePerSecond() != null) {
            grid.put(
                    row,
                    GUARANTEE_COLUMN,
                    site.isKept() ? Style.PLAIN : Style.RED,
                    perSecond(site.guaranteePerSecond()) + (site.isKept() ? " kept" : " BROKEN"));
        }
        site.tiers().forEach(this::tier);
        row += site.tiers().isEmpty() ? 1 : 0;
    }

    private void tier(Tier tier) {
        grid.put(row, TIER_COLUMN, NodeTiles.colour(tier.name()), tier.name());
        grid.put(
                row,
                NODES_COLUMN,
                Style.PLAIN,
                (tier.nodes() == null ? "?" : tier.nodes()) + " " + tier.min() + ".." + tier.max());
        Double utilisation = tier.utilisation();
        Style pressed = tier.pressedSeconds() > 0 ? Style.YELLOW : Style.PLAIN;
        if (utilisation != null) {
            grid.put(row, BAR_COLUMN, pressed, glyphs.bar(utilisation, BAR_CELLS));
            grid.put(row, SHARE_COLUMN, pressed, percent(utilisation));
        } else {
            grid.put(row, BAR_COLUMN, Style.DIM, "not known");
        }
        if (tier.pressedSeconds() > 0) {
            grid.put(row, PRESSED_COLUMN, pressed, String.format(Locale.ROOT, "%.1f s", tier.pressedSeconds()));
        }
        row++;
    }

    private void decisions(List<Decision> decisions, int rows) {
        int end = row + rows;
        grid.put(row++, 0, Style.DIM, "now");
        for (int i = 0; i < decisions.size(); i++) {
            Decision decision = decisions.get(i);
            if (row == end - 1 && i < decisions.size() - 1) {
                grid.put(row++, 0, Style.DIM, "and " + (decisions.size() - i) + " more sites");
                break;
            }
            int at = grid.put(row, 0, Style.BOLD, decision.site() + " ");
            grid.put(row++, at, decision.isMove() ? Style.MAGENTA : Style.PLAIN, decision.sentence());
        }
        row = end;
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "~";
    }

    private static String perSecond(@Nullable Double figure) {
        return figure == null ? "" : String.format(Locale.ROOT, "%.0f/s", figure);
    }

    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    /** Of {@code 2026-01-31T12:34:56.789Z} the time of the day, in UTC. */
    private static String time(String at) {
        int begin = at.indexOf('T') + 1;
        return at.length() >= begin + 8 ? at.substring(begin, begin + 8) : at;
    }
}
