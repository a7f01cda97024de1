package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.real.OtherStub;
import dev.retier.agent.real.RealInstance;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of unknown kind that come up slowly, crash, or have somebody connected. */
class OtherPowerIT {
    private static final List<String> STOP = List.of("/bin/sh", "-c", "kill -TERM \"$0\"", ServerControl.PID);
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path folder = Path.of("");

    private Path journal = Path.of("");

    @BeforeEach
    void makeFolder() throws IOException {
        journal = Files.createDirectories(folder.resolve("journal"));
    }

    /** Runs, is stopped by the agent, and gone; it comes again in that mode. */
    private static void stopped(OtherStub stub, RealInstance server, ServerPower power) throws Exception {
        new OtherStub(stub.folder(), "usual", stub.address())
                .instance(server.server())
                .start();
        power.stop();
        await().until(() -> !server.isAlive());
        Files.delete(stub.folder().resolve("started"));
    }

    @Test
    void shouldBeStartedOnce_whenItComesUpSlowly() throws Exception {
        OtherStub stub = OtherStub.of(folder, "slow");
        ServerConfig config = stub.untold(STOP, LONG);
        try (RealInstance server = stub.instance(config);
                ServerPower power = new ServerPower("node-1", config, journal)) {
            stopped(stub, server, power);
            await().during(Duration.ofSeconds(4)).atMost(Duration.ofSeconds(10)).until(() -> {
                power.start();
                return stub.noted("started").size() <= 1 && !power.isRunning();
            });
            assertThat(server.isAlive()).as("it is coming up").isTrue();
            Files.createFile(folder.resolve("go"));
            await().until(power::isRunning);
            assertThat(stub.noted("started")).hasSize(1);
        }
    }

    /** After 1, 2 and 4 seconds, so not before the seventh. */
    @Test
    void shouldPauseTwiceAsLongEachTime_whenItCrashesBeforeItAnswers() throws Exception {
        OtherStub stub = OtherStub.of(folder, "crash");
        ServerConfig config = stub.untold(STOP, LONG);
        try (RealInstance server = stub.instance(config);
                ServerPower power = new ServerPower("node-1", config, journal)) {
            stopped(stub, server, power);
            long begunNanos = System.nanoTime();
            for (int starts = 1; starts <= 4; starts++) {
                int wanted = starts;
                await().atMost(LONG).pollInterval(Duration.ofMillis(20)).until(() -> {
                    power.start();
                    return stub.noted("started").size() >= wanted;
                });
            }
            assertThat(System.nanoTime() - begunNanos)
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(7).toNanos());
        }
    }

    @Test
    void shouldNotStart_whenAnAdministratorHasStoppedIt() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig config = stub.untold(STOP, LONG);
        try (RealInstance server = stub.instance(config).start();
                ServerPower power = new ServerPower("node-1", config, journal)) {
            RealInstance.killForRestart(List.of(server));
            power.start();
            assertThat(power.isStopped()).isFalse();
            assertThat(stub.noted("started")).as("by the test alone").hasSize(1);
        }
    }

    /** Nobody knows whether it would answer them. */
    @Test
    void shouldNotStop_whileSomebodyIsConnected() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig config = stub.untold(STOP, LONG);
        try (RealInstance server = stub.instance(config).start();
                ServerPower power = new ServerPower("node-1", config, journal)) {
            try (Socket held = stub.hold()) {
                power.stop();
                assertThat(power.isStopped()).isFalse();
                assertThat(server.isAlive() && held.isConnected()).isTrue();
            }
            await().until(() -> {
                power.stop();
                return !server.isAlive();
            });
        }
    }
}
