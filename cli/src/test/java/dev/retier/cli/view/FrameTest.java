package dev.retier.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.view.Frame.NodeCell;
import dev.retier.cli.view.Frame.Place;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameTest {
    private static final Frame FRAME = new Frame(
            "reconfigured",
            12.34,
            0.5,
            "static",
            1732.4,
            0,
            0,
            List.of(
                    new NodeCell("node-1", Place.PROXY, 1),
                    new NodeCell("node-2", Place.APP, 0.2),
                    new NodeCell("node-3", Place.MOVING, 0)));

    @Test
    void shouldFitOnePlainLine() {
        assertThat(PlainLines.line(FRAME))
                .isEqualTo("reconfigured  12.3 s  50 %  static   static  1732/s  dynamic     0/s  failed 0"
                        + "  proxy 1  app 1  moving 1");
    }

    @Test
    void shouldHaveNoControlCharacters_whenPlain() {
        assertThat(PlainLines.line(FRAME)).matches("[ -~]+");
    }

    @Test
    void shouldDrawOverThePreviousBlock() {
        TerminalBlock screen = new TerminalBlock();

        String first = screen.draw(FrameBlock.lines(FRAME));
        String second = screen.draw(FrameBlock.lines(FRAME));

        assertThat(first).doesNotContain("\u001b[6A");
        assertThat(second).startsWith("\u001b[6A").endsWith(first);
        assertThat(first.lines()).hasSize(6);
    }

    @Test
    void shouldKeepMessagesAboveTheBlock() {
        TerminalBlock screen = new TerminalBlock();
        screen.draw(FrameBlock.lines(FRAME));

        assertThat(screen.above("node-3 moved")).isEqualTo("\u001b[6A\r\u001b[Jnode-3 moved\n");
        assertThat(screen.draw(FrameBlock.lines(FRAME))).doesNotContain("\u001b[6A");
    }

    @Test
    void shouldShowEachNodeInItsTier() {
        List<String> lines = FrameBlock.lines(FRAME);

        assertThat(lines.get(2)).contains("proxy", "node-1").doesNotContain("node-2");
        assertThat(lines.get(3)).contains("app", "node-2");
        assertThat(lines.get(4)).contains("moving", "node-3");
    }
}
