package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.cli.CommandRun;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Main;
import dev.retier.cli.grid.DrawnTerminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own under a terminal, beside agents in this process. */
class TopIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private OperatedCell cell;

    @BeforeEach
    void startCell() throws IOException {
        cell = OperatedCell.serve(folder, "mode: recommend\n");
        cell.startAgents(List.of("node-1", "node-2", "node-3", "node-4"));
        await().atMost(PATIENCE).until(cell::isReady);
    }

    @AfterEach
    void endCell() {
        cell.close();
    }

    /** In a terminal of that size: what it was like before, the command, what it is like after it. */
    private Process start() throws IOException {
        String java = String.join(
                " ",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dstdout.encoding=UTF-8 -cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "top --config",
                cell.file().toString());
        Path script = Files.writeString(folder.resolve("in-terminal"), """
                stty rows 30 cols 100
                tty >%1$s/tty
                stty -g >%1$s/before
                TERM=xterm %2$s
                echo $? >%1$s/code
                stty -g >%1$s/after
                """.formatted(folder, java));
        return new ProcessBuilder(
                        "script",
                        "-q",
                        "-f",
                        "-c",
                        "sh " + script,
                        folder.resolve("seen").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
    }

    private DrawnTerminal seen(int rows, int columns) throws IOException {
        DrawnTerminal terminal = new DrawnTerminal(rows, columns);
        terminal.send(Files.readString(folder.resolve("seen"), StandardCharsets.UTF_8));
        return terminal;
    }

    private int timesDrawnAnew() throws IOException {
        return Files.readString(folder.resolve("seen")).split("\u001b\\[2J", -1).length;
    }

    private String file(String name) throws IOException {
        return Files.readString(folder.resolve(name)).strip();
    }

    @Test
    void shouldShowTheClusterAndLeaveTheTerminalAsItWas() throws Exception {
        Process top = start();
        try {
            await().atMost(PATIENCE)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> seen(30, 100).text().contains("shop/app 2"));
            assertThat(seen(30, 100).isWhole()).isTrue();
            assertThat(seen(30, 100).text()).contains("retier  operated  recommend", "seen by node-1", "node-4");

            cell.closeAgent("node-1");
            await().atMost(PATIENCE).until(() -> seen(30, 100).text().contains("seen by node-2"));

            cell.closeAgent("node-2");
            cell.closeAgent("node-3");
            cell.closeAgent("node-4");
            await().atMost(PATIENCE).until(() -> seen(30, 100).text().contains("no agent answers at any of"));
            cell.startAgents(List.of("node-3", "node-4"));
            await().atMost(PATIENCE).until(() -> !seen(30, 100).text().contains("no agent answers"));

            int drawnAnew = timesDrawnAnew();
            assertThat(new ProcessBuilder("stty", "-F", file("tty"), "rows", "40", "cols", "60")
                            .start()
                            .waitFor())
                    .isZero();
            await().atMost(PATIENCE).until(() -> timesDrawnAnew() > drawnAnew);

            top.getOutputStream().write('q');
            top.getOutputStream().flush();
            await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve("after")));
            await().atMost(PATIENCE).until(() -> !file("after").isEmpty());
            assertThat(file("code")).isEqualTo("0");
            assertThat(file("after")).isEqualTo(file("before"));
            assertThat(seen(40, 60).isWhole()).isFalse();
        } finally {
            top.destroy();
            assertThat(top.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldPrintOnePage_withoutATerminal() {
        CommandRun run = CommandRun.of("top", "--config", cell.file().toString());
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.out())
                .startsWith("retier  operated  recommend")
                .contains("seen by node-1", "shop/proxy 2", "node-4")
                .doesNotContain("\u001b");
        CommandRun dead = CommandRun.of("top", "--once", "--agent", "127.0.0.1:1");
        assertThat(dead.code()).isEqualTo(ExitCode.FAILED.code());
        assertThat(dead.err()).contains("no agent answers at 127.0.0.1:1");
    }
}
