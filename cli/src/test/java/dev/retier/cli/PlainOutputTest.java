package dev.retier.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.terminal.Screen;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainOutputTest {
    @TempDir
    private Path folder;

    private final StringWriter written = new StringWriter();

    @Test
    void shouldWriteQuestionMarks_whenATextWouldControlTheTerminal() {
        PrintWriter out = PlainOutput.of(new PrintWriter(written));
        out.print("a\u001b[2Jb\u009b1mc\rd\u0007\u007f\u202ee\u0000");
        out.println("\tgr\u00fc\u00dfe");
        out.flush();

        assertThat(written).hasToString("a?[2Jb?1mc?d???e?\tgr\u00fc\u00dfe\n");
        assertThat(PlainOutput.of(out)).isSameAs(out);
    }

    @Test
    void shouldTell_whenTheWriterBehindItFails() {
        PrintWriter full = new PrintWriter(new Writer() {
            @Override
            public void write(char[] text, int offset, int length) throws IOException {
                throw new IOException("full");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        PrintWriter out = PlainOutput.of(full);
        out.println("lost");

        assertThat(out.checkError()).isTrue();
    }

    @Test
    void shouldDrawAndNothingElse_whenAScreenIsATerminal() {
        Screen screen = new Screen(PlainOutput.of(new PrintWriter(written)), true, 1);
        screen.show(List.of("drawn"), List.of());
        assertThat(written.toString()).contains("\u001b[");
    }

    @Test
    void shouldShowNoEscapes_whenAFileHasThem() throws IOException {
        Path file = Files.writeString(
                folder.resolve("cluster.yaml"), "name: shop\n\"evil\\e[2J\": 1\nsecret-file: \"/\\e]0;owned\\a\"\n");

        CommandRun run = CommandRun.of("validate", file.toString());

        assertThat(run.code()).isEqualTo(78);
        assertThat(run.err()).contains("evil?[2J").doesNotContain("\u001b", "\u0007");
    }
}
