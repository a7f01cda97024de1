package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ServerControl;
import dev.retier.agent.real.RealInstance;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.BuiltInTemplates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the agent starts, and whom it does not. */
class ServerPowerIT {
    private static final List<String> STOP = List.of("/bin/sh", "-c", "kill -TERM \"$0\"", ServerControl.PID);

    @TempDir
    private Path folder = Path.of("");

    private Path started = Path.of("");
    private Path journal = Path.of("");

    @BeforeEach
    void makeFolders() throws IOException {
        started = folder.resolve("started");
        journal = Files.createDirectories(folder.resolve("journal"));
    }

    /** Its restart notes that it was asked to. */
    private RealInstance nginx(boolean canStart) throws IOException {
        return nginx(canStart, STOP);
    }

    private RealInstance nginx(boolean canStart, List<String> stop) throws IOException {
        RealInstance plain = RealInstance.nginx(folder.resolve("node"), "proxy.conf", Options.USUAL);
        ServerControl.Commands usual = plain.server().controlled().commands();
        String script = "echo x >>\"$0\"; " + (canStart ? "exec \"$@\"" : "exit 1");
        List<String> restart = new ArrayList<>(List.of("/bin/sh", "-c", script, started.toString()));
        restart.addAll(List.of(usual.program(), "-c", plain.config().toString()));
        RealInstance server = RealInstance.nginx(
                folder.resolve("node"),
                "proxy.conf",
                Options.USUAL.withCommands(
                        new ServerControl.Commands(usual.program(), usual.check(), usual.reload(), restart, stop)));
        Files.writeString(
                server.server().roleFile(),
                BuiltInTemplates.NGINX_UPGRADE
                        + "upstream retier-apps { server 127.0.0.1:9; } map \"\" $retier_epoch { default 1; }");
        return server;
    }

    @Test
    void shouldStartWhatItHasStopped_andNothingElse() throws Exception {
        try (RealInstance server = nginx(true);
                ServerPower power = new ServerPower("node-1", server.server(), journal)) {
            power.stop();
            assertThat(power.isStopped())
                    .as("there is none yet: not by the agent")
                    .isFalse();
            power.start();
            assertThat(started).doesNotExist();

            server.start();
            power.stop();
            await().until(() -> !server.isAlive());
            assertThat(power.isStopped()).isTrue();
            try (ServerPower next = new ServerPower("node-1", server.server(), journal)) {
                next.start();
                await().until(server::isAlive);
                assertThat(next.isStopped()).as("until it answers").isTrue();
                next.answers();
                assertThat(next.isStopped()).isFalse();
            }
            RealInstance.killForRestart(List.of(server));
            power.start();
            assertThat(started).as("somebody else has ended it").content().isEqualTo("x\n");
        }
    }

    /** Then nobody is to take it for one that the agent has stopped. */
    @Test
    void shouldForgetThatItStoppedIt_whenItCannotBeStopped() throws Exception {
        List<String> stop = List.of("/bin/sh", "-c", "echo x >>\"$0\"; exit 1", started.toString());
        try (RealInstance server = nginx(true, stop);
                ServerPower power = new ServerPower("node-1", server.server(), journal)) {
            server.start();
            for (int i = 0; i < 100; i++) {
                power.stop();
            }
            assertThat(started).content().as("again a second later").isEqualTo("x\n");
            assertThat(power.isStopped()).isFalse();
            assertThat(power.isRunning()).isTrue();
        }
    }

    @Test
    void shouldWaitForTheEnd_whenTheServerHasMuchToFinish() throws Exception {
        try (RealInstance server = nginx(true, List.of("/bin/true"));
                ServerPower power = new ServerPower("node-1", server.server(), journal)) {
            server.start();
            power.stop();
            power.stop();
            assertThat(power.isStopped()).isTrue();
            assertThat(power.isRunning()).as("it still ends").isFalse();
            power.start();
            assertThat(started).as("before it has ended").doesNotExist();
            RealInstance.killForRestart(List.of(server));
            power.start();
            await().until(power::isRunning);
        }
    }

    /** Starts that have succeeded leave no pause behind. */
    @Test
    void shouldStartAtOnce_whenItHasStoppedItOftenAndItAnswered() throws Exception {
        try (RealInstance server = nginx(true);
                ServerPower power = new ServerPower("node-1", server.server(), journal)) {
            server.start();
            for (int round = 0; round < 3; round++) {
                await().until(power::isRunning);
                power.stop();
                await().until(() -> !server.isAlive());
                power.start();
                assertThat(started).content().as("round %d", round).hasLineCount(round + 1);
                await().until(power::isRunning);
                power.answers();
            }
        }
    }

    @Test
    void shouldPauseBeforeItTriesAgain_whenItCannotBeStarted() throws Exception {
        try (RealInstance server = nginx(false);
                ServerPower power = new ServerPower("node-1", server.server(), journal)) {
            server.start();
            power.stop();
            await().until(() -> !server.isAlive());
            for (int i = 0; i < 100; i++) {
                power.start();
            }
            assertThat(started).content().as("a second later").isEqualTo("x\n");
            await().until(() -> {
                power.start();
                return Files.readString(started).equals("x\nx\n");
            });
        }
    }
}
