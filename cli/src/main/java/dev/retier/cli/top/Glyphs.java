package dev.retier.cli.top;

import java.nio.charset.Charset;

/**
 * What bars and small tiles are drawn with.
 *
 * @param full a part of a bar
 * @param empty the rest of it
 * @param levels a share in one character, the lowest first
 * @param arrow between where a node comes from and where it goes
 */
public record Glyphs(String full, String empty, String levels, String arrow) {
    private static final Glyphs BLOCKS = new Glyphs("█", "░", "▁▂▃▄▅▆▇█", "→");
    private static final Glyphs ASCII = new Glyphs("#", "-", "01234567", "->");

    /** Those that a terminal of this character set can show. */
    public static Glyphs of(Charset charset) {
        return charset.canEncode() && charset.newEncoder().canEncode(BLOCKS.full + BLOCKS.levels + BLOCKS.arrow)
                ? BLOCKS
                : ASCII;
    }

    String bar(double share, int cells) {
        int filled = (int) Math.round(Math.clamp(share, 0, 1) * cells);
        return full.repeat(filled) + empty.repeat(cells - filled);
    }

    String level(double share) {
        int last = levels.length() - 1;
        return String.valueOf(levels.charAt((int) Math.round(Math.clamp(share, 0, 1) * last)));
    }
}
