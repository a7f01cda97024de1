package dev.retier.cli.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RedrawTest {
    private static final long SEED = Long.getLong("seed", 20_261_129);

    private static final List<Style> STYLES = List.of(Style.values());

    private static Grid grid(String... lines) {
        Grid grid = new Grid(3, 40);
        for (int row = 0; row < lines.length; row++) {
            grid.put(row, 0, Style.PLAIN, lines[row]);
        }
        return grid;
    }

    @Test
    void shouldShowTheNextGrid_whateverWasShown() {
        Random random = new Random(SEED);
        DrawnTerminal terminal = new DrawnTerminal(6, 30);
        terminal.send(Redraw.BEGIN);
        Grid shown = null;
        for (int i = 0; i < 500; i++) {
            Grid next = new Grid(6, 30);
            for (int text = 0; text < 12; text++) {
                Style style = STYLES.get(random.nextInt(STYLES.size()));
                next.put(random.nextInt(6), random.nextInt(30), style, "abc".substring(random.nextInt(3)));
            }
            terminal.send(Redraw.of(shown, next, true));
            assertThat(terminal.styled()).as("seed %d, grid %d", SEED, i).isEqualTo(DrawnTerminal.styled(next));
            shown = next;
        }
    }

    @Test
    void shouldSendWhatChangedAlone() {
        Grid first = grid("load 50 %", "nodes 7", "0123456789");
        assertThat(Redraw.of(first, grid("load 51 %", "nodes 7", "0123456789"), true))
                .isEqualTo("\u001b[1;7H1");
        assertThat(Redraw.of(first, grid("load 50 %", "nodes 7", "0123456789"), true))
                .isEmpty();
    }

    @Test
    void shouldBeginAnew_whenTheSizeIsAnother() {
        Grid other = new Grid(4, 40);
        other.put(3, 0, Style.PLAIN, "x");
        assertThat(Redraw.of(grid("y"), other, true)).isEqualTo("\u001b[2J\u001b[4;1Hx");
    }

    @Test
    void shouldSendNoStyle_withoutColours() {
        Grid red = new Grid(3, 40);
        red.put(0, 0, Style.RED, "down");
        assertThat(Redraw.of(grid(), red, false)).isEqualTo("\u001b[1;1Hdown");
        assertThat(Redraw.of(grid("down"), red, false)).isEmpty();
    }

    @Test
    void shouldLetNoTextMoveTheCursor() {
        Grid grid = grid("a\u001b[2Jb\nc\u4e2d");
        assertThat(grid.lines()).containsExactly("a?[2Jb?c?");
    }

    @Test
    void shouldCutWhatDoesNotFit() {
        Grid grid = new Grid(2, 3);
        assertThat(grid.put(1, 1, Style.PLAIN, "abcd")).isEqualTo(5);
        grid.put(2, 0, Style.PLAIN, "below");
        grid.put(0, -1, Style.PLAIN, "left");
        assertThat(grid.lines()).containsExactly("eft", " ab");
    }
}
