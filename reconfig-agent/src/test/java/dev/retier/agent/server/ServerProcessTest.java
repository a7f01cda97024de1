package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerControl.Limits;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.server.ServerProcess.Nothing;
import dev.retier.agent.server.ServerProcess.Server;
import dev.retier.agent.server.ServerProcess.Stranger;
import dev.retier.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pid file outlives its server: what it names is believed only when it is proven to be the server. */
class ServerProcessTest {
    private static final int PORT = 8_080;
    /** Of /proc/net/tcp: a socket that listens at 8080, with the inode 77. */
    private static final String LISTENS_AT_PORT =
            "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 77 1 0 100\n";

    private static final long PID = 4_711;
    private static final long CHILD = 4_712;

    @TempDir
    @Nullable
    Path temporary;

    private Path folder() {
        return Objects.requireNonNull(temporary);
    }

    private ServerConfig server(int port, ServerControl.Commands commands) {
        HostPort address = new HostPort("127.0.0.1", port);
        ServerControl control = new ServerControl(
                folder().resolve("httpd.conf"),
                new MainProcess.InFile(folder().resolve("httpd.pid")),
                "/.retier/status",
                null,
                null,
                commands,
                new Limits(Duration.ZERO, Duration.ofSeconds(10), Duration.ofMillis(100)),
                List.of());
        return new ServerConfig(
                ServerKind.HTTPD,
                address,
                address,
                folder().resolve("retier.conf"),
                "/static/proof",
                control,
                ServerKind.HTTPD.tiers());
    }

    private ServerConfig server(int port) {
        return server(port, ServerControl.Commands.usual(ServerKind.HTTPD, "/opt/web/bin/my-httpd"));
    }

    private void writePid(long pid) throws IOException {
        Files.writeString(folder().resolve("httpd.pid"), pid + "\n");
    }

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @Test
    void shouldNotSignal_whenThePidFileNamesAnInnocentProcess() throws Exception {
        Process innocent = new ProcessBuilder("sleep", "600").start();
        try {
            writePid(innocent.pid());
            Path file = folder().resolve("retier.conf");
            Files.writeString(file, "the file in force");
            ServerControl.Commands usual = ServerControl.Commands.usual(ServerKind.HTTPD, "httpd");
            ServerConfig server =
                    server(1, new ServerControl.Commands("httpd", List.of("true"), usual.reload(), List.of()));

            ReloadSequence.Outcome outcome = new ReloadSequence(server, new HttpdDialect(server), InstallerEvents.NONE)
                    .install(new Rendering(4, "app", "shop", "a new file", "00000000", "pool", List.of(), LetGo.NONE));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            ReloadSequence.Outcome.Refused.class,
                            refused -> assertThat(refused.why())
                                    .contains("names process " + innocent.pid() + " (sleep)", "not the server"));
            assertThat(file).hasContent("the file in force");
            assertThat(innocent.waitFor(100, TimeUnit.MILLISECONDS)).isFalse();
        } finally {
            innocent.destroyForcibly();
        }
    }

    @Test
    void shouldNotFillInThePid_whenItIsAnotherProcess() throws Exception {
        Process innocent = new ProcessBuilder("sleep", "600").start();
        try (ServerSocket ofAnother = listener()) {
            writePid(innocent.pid());
            Path told = folder().resolve("told");
            List<String> reload = List.of("/bin/sh", "-c", "echo \"$0\" > " + told, ServerControl.PID);
            ServerConfig server = server(
                    ofAnother.getLocalPort(), new ServerControl.Commands("httpd", List.of("true"), reload, List.of()));

            CommandRunner.Outcome asked =
                    Commands.reload(server.controlled(), reload, new ServerProcess(server).find());

            assertThat(asked.isGood()).isFalse();
            assertThat(asked.summary()).contains("it listens at none of the ports [" + ofAnother.getLocalPort() + "]");
            assertThat(told).doesNotExist();
        } finally {
            innocent.destroyForcibly();
        }
    }

    @Test
    void shouldFindTheServer_whenItHoldsTheSocket() throws IOException {
        try (ServerSocket own = listener()) {
            long self = ProcessHandle.current().pid();
            writePid(self);
            assertThat(new ServerProcess(server(own.getLocalPort())).find()).isEqualTo(new Server(self));
        }
    }

    /** The first process of a machine, or what supervises the server, must not be taken for it. */
    @Test
    void shouldFindAStranger_whenOnlyAChildOfAnotherProgramListens() throws IOException {
        assertThat(find(proc("systemd", "httpd", true))).isInstanceOf(Stranger.class);
    }

    @Test
    void shouldFindTheServer_whenAChildOfTheSameProgramListens() throws IOException {
        assertThat(find(proc("haproxy", "haproxy", true))).isEqualTo(new Server(PID));
    }

    @Test
    void shouldGoByTheName_whenTheSocketsMayNotBeSeen() throws IOException {
        assertThat(find(proc("apache2", "apache2", false))).isEqualTo(new Server(PID));
        assertThat(find(proc("my-httpd", "my-httpd", false))).isEqualTo(new Server(PID));
        assertThat(find(proc("cron", "cron", false)))
                .isInstanceOfSatisfying(
                        Stranger.class,
                        stranger -> assertThat(stranger.why())
                                .contains(
                                        "process " + PID + " (cron)",
                                        "none of apache2, httpd, my-httpd",
                                        "set pid-file"));
    }

    @Test
    void shouldFindNothing_whenNoProcessHasTheNumber() throws IOException {
        Path proc = proc("apache2", "apache2", true);
        assertThat(new ServerProcess(server(PORT), new Processes(proc)).find()).isInstanceOf(Nothing.class);
        writePid(999);
        assertThat(new ServerProcess(server(PORT), new Processes(proc)).find()).isInstanceOf(Nothing.class);
    }

    /** The number of a server that has ended goes to somebody else while the agent watches. */
    @Test
    void shouldLookAgain_whenTheNumberHasGoneToAnotherProcess() throws IOException {
        Path proc = proc("apache2", "apache2", false);
        writePid(PID);
        ServerProcess process = new ServerProcess(server(PORT), new Processes(proc));
        assertThat(process.watch()).isEqualTo(new Server(PID));
        write(proc, PID, "cron", 1, 900);
        assertThat(process.watch()).isInstanceOf(Stranger.class);
    }

    /** Else the load of a server within a tenth of a processor would be taken for a tenth of what it is. */
    @Test
    void shouldTellNoUsage_whenItsControlGroupIsOutsideTheAgentsNamespace() throws IOException {
        Path proc = proc("apache2", "apache2", false);
        writePid(PID);
        ServerProcess process = new ServerProcess(server(PORT), new Processes(proc));
        assertThat(process.usage()).isPresent();

        Files.writeString(proc.resolve(PID + "/cgroup"), "1:cpu,cpuacct:/../server\n0::/\n");
        ServerProcess hidden = new ServerProcess(server(PORT), new Processes(proc));
        assertThat(hidden.usage()).isEmpty();
        assertThat(hidden.noUsage()).contains("process " + PID, "outside the agent's namespace", "--cgroupns=host");
    }

    /** As Debian's tomcat10, which a script starts. */
    @Test
    void shouldCountWhateverAUnitHasStarted_asThatUnits() throws IOException {
        Processes started = new Processes(proc("sh", "java", true));
        ServerConfig byFile = server(PORT);
        ServerControl control = byFile.controlled();
        ServerConfig ofUnit = new ServerConfig(
                ServerKind.OTHER,
                byFile.address(),
                byFile.admin(),
                byFile.roleFile(),
                byFile.provePath(),
                new ServerControl(
                        control.config(),
                        new MainProcess.OfUnit("tomcat10"),
                        "",
                        null,
                        null,
                        ServerControl.Commands.usual(ServerKind.OTHER, ""),
                        control.limits(),
                        List.of()),
                ServerKind.OTHER.tiers());
        assertThat(new ServerProof(started, ofUnit).objection(PID)).isEmpty();
        assertThat(new ServerProof(started, server(PORT)).objection(PID)).isPresent();
        assertThat(new ServerProof(new Processes(proc("sh", "java", false)), ofUnit).objection(PID))
                .as("what systemd says is believed where nobody may look")
                .isEmpty();
    }

    private ServerProcess.Found find(Path proc) throws IOException {
        writePid(PID);
        return new ServerProcess(server(PORT), new Processes(proc)).find();
    }

    /** A /proc with a parent that listens nowhere, and a child of it that listens at the port. */
    private Path proc(String parentName, String childName, boolean areSocketsSeen) throws IOException {
        Path proc = Files.createTempDirectory(folder(), "proc");
        write(proc, PID, parentName, 1, 100);
        write(proc, CHILD, childName, PID, 101);
        if (areSocketsSeen) {
            Files.createDirectories(proc.resolve(PID + "/fd"));
            Files.createDirectories(proc.resolve(CHILD + "/fd"));
            Files.createSymbolicLink(proc.resolve(CHILD + "/fd/5"), Path.of("socket:[77]"));
        }
        return proc;
    }

    private static void write(Path proc, long pid, String name, long parent, long start) throws IOException {
        Path process = proc.resolve(String.valueOf(pid));
        Files.createDirectories(process.resolve("net"));
        Files.writeString(
                process.resolve("stat"),
                pid + " (" + name + ") S " + parent + " 1 1 0 -1 0 0 0 0 0 7 8 0 0 20 0 1 0 " + start + " 0\n");
        Files.writeString(process.resolve("comm"), name + "\n");
        Files.writeString(process.resolve("net/tcp"), "  sl  local_address ...\n" + LISTENS_AT_PORT);
    }
}
