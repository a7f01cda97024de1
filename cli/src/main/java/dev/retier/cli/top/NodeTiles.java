package dev.retier.cli.top;

import dev.retier.cli.grid.Grid;
import dev.retier.cli.grid.Style;
import dev.retier.cli.top.TopView.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A tile per node, by role, as large as there is room for: with name and figures, with its share, or one character. */
final class NodeTiles {
    private static final int LABEL = 16;
    private static final int BAR_CELLS = 5;
    private static final String MOVING = ">";
    private static final String LEFT_OUT = "x";

    /** How much a tile tells. */
    private enum Kind {
        FIGURES,
        SHARE,
        CHARACTER
    }

    private final Map<String, List<Node>> groups;
    private final Kind kind;
    private final int columns;
    private final int width;

    private NodeTiles(Map<String, List<Node>> groups, Kind kind, int columns) {
        this.groups = groups;
        this.kind = kind;
        this.columns = columns;
        int name = groups.values().stream()
                .flatMap(List::stream)
                .mapToInt(node -> node.name().length())
                .max()
                .orElse(1);
        this.width = switch (kind) {
            case FIGURES -> name + BAR_CELLS + 16;
            case SHARE -> name + 7;
            case CHARACTER -> 1;
        };
    }

    /** With all figures, however many rows that takes. */
    static NodeTiles largest(TopView view, int columns) {
        return new NodeTiles(groups(view), Kind.FIGURES, columns);
    }

    /** The largest that need no more than so many rows, else the smallest. */
    static NodeTiles fitting(TopView view, int columns, int rows) {
        Map<String, List<Node>> groups = groups(view);
        for (Kind kind : Kind.values()) {
            NodeTiles tiles = new NodeTiles(groups, kind, columns);
            if (tiles.rows() <= rows && tiles.width <= columns - LABEL) {
                return tiles;
            }
        }
        return new NodeTiles(groups, Kind.CHARACTER, columns);
    }

    /** Those that serve by site and tier, then those that do not, then those of which nothing is known. */
    private static Map<String, List<Node>> groups(TopView view) {
        Map<String, List<Node>> byRole = new TreeMap<>();
        view.nodes()
                .forEach(node -> byRole.computeIfAbsent(node.role(), _ -> new ArrayList<>())
                        .add(node));
        Map<String, List<Node>> groups = new LinkedHashMap<>();
        view.sites()
                .forEach(site -> site.tiers().forEach(tier -> {
                    String role = site.name() + "/" + tier.name();
                    List<Node> nodes = byRole.remove(role);
                    if (nodes != null) {
                        groups.put(role, nodes);
                    }
                }));
        List<Node> unknown = byRole.remove("");
        groups.putAll(byRole);
        if (unknown != null) {
            groups.put("not known", unknown);
        }
        return groups;
    }

    int rows() {
        return groups.values().stream()
                .mapToInt(nodes -> Math.ceilDiv(nodes.size(), perRow()))
                .sum();
    }

    private int perRow() {
        return Math.max(1, (columns - LABEL) / width);
    }

    /** Draws them from {@code row} on, on so many rows at most; the row behind them. */
    int draw(Grid grid, int row, int rows, Glyphs glyphs) {
        int at = row;
        int end = row + Math.max(0, rows);
        int left = groups.values().stream().mapToInt(List::size).sum();
        for (Map.Entry<String, List<Node>> group : groups.entrySet()) {
            List<Node> nodes = group.getValue();
            for (int i = 0; i < nodes.size(); i += perRow()) {
                List<Node> some = nodes.subList(i, Math.min(nodes.size(), i + perRow()));
                if (at >= end || (at == end - 1 && left > some.size())) {
                    if (at < end) {
                        grid.put(at++, 0, Style.DIM, "and " + left + " more nodes");
                    }
                    return at;
                }
                label(grid, at, group.getKey(), i == 0 ? " " + nodes.size() : "");
                for (int j = 0; j < some.size(); j++) {
                    tile(grid, at, LABEL + j * width, some.get(j), glyphs);
                }
                left -= some.size();
                at++;
            }
        }
        return at;
    }

    private static void label(Grid grid, int row, String role, String count) {
        if (count.isEmpty()) {
            return;
        }
        int room = LABEL - 1 - count.length();
        String shown = role.length() <= room ? role : "~" + role.substring(role.length() - room + 1);
        grid.put(row, 0, colour(role.substring(role.indexOf('/') + 1)), shown + count);
    }

    private void tile(Grid grid, int row, int column, Node node, Glyphs glyphs) {
        Style style = !node.isServing() ? Style.RED : node.isMoving() ? Style.MAGENTA : Style.PLAIN;
        Double share = node.utilisation();
        String mark = style == Style.RED ? LEFT_OUT : node.isMoving() ? MOVING : "";
        switch (kind) {
            case CHARACTER ->
                grid.put(row, column, style, !mark.isEmpty() ? mark : share == null ? "?" : glyphs.level(share));
            case SHARE -> {
                int at = grid.put(row, column, style, node.name() + " ");
                grid.put(row, at, style, share == null ? "?" : TopPage.percent(share));
                grid.put(row, column + width - 2, style, mark);
            }
            case FIGURES -> {
                int at = grid.put(row, column, style, node.name() + " ");
                grid.put(
                        row,
                        at,
                        style,
                        share == null ? "not known" : glyphs.bar(share, BAR_CELLS) + " " + TopPage.percent(share));
                Double rate = node.requestsPerSecond();
                String last = style == Style.RED
                        ? "left out"
                        : node.isMoving() ? "moving" : rate == null ? "" : String.format(Locale.ROOT, "%.0f/s", rate);
                grid.put(row, column + width - 9, style, last);
            }
        }
    }

    static Style colour(String tier) {
        return switch (tier) {
            case "proxy" -> Style.BLUE;
            case "app" -> Style.YELLOW;
            case "not known" -> Style.RED;
            default -> Style.DIM;
        };
    }
}
