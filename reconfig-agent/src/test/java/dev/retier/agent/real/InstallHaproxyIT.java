package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.install.Edit;
import dev.retier.agent.install.Installation;
import dev.retier.agent.server.HttpFetch;
import dev.retier.agent.status.Finding;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.testsupport.Daemons;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Into Debian's HAProxy as it is packaged, with a front end that an administrator has added, and out of it again. */
class InstallHaproxyIT {
    private static final Path DEBIAN = Path.of("/etc");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @TempDir
    private Path folder = Path.of("");

    private final HostPort address = Ports.free();
    private final Path program = ExternalTool.find("haproxy");

    private Path config() {
        return folder.resolve("haproxy/haproxy.cfg");
    }

    private Path defaults() {
        return folder.resolve("default/haproxy");
    }

    private Path pidFile() {
        return folder.resolve("run/haproxy.pid");
    }

    @BeforeEach
    void copyDebian() throws IOException {
        for (String name : List.of("haproxy", "default", "run", "journal/web-1", "etc")) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(DEBIAN.resolve("default/haproxy"), defaults());
        Files.writeString(
                config(),
                Files.readString(DEBIAN.resolve("haproxy/haproxy.cfg"))
                                .replace("/run/haproxy/", folder + "/run/")
                                .replaceAll("(?m)^\\s*(chroot|user|group) .*\n", "")
                        + """

                        # Mine.
                        frontend web
                        \tbind %1$s
                        \toption forwardfor
                        \tacl is_old path_beg /old
                        \thttp-request redirect location /new code 302 if is_old
                        \tdefault_backend mine

                        backend mine
                        \thttp-request return status 200 content-type text/plain string "before"
                        """.formatted(address));
        Files.writeString(folder.resolve("secret"), "a secret of this test, which is long enough");
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
    }

    @AfterEach
    void end() {
        Daemons.kill(Daemons.of(pidFile()));
    }

    private ClusterConfig cluster(HostPort app) {
        return ClusterConfig.parse(
                """
                name: test
                secret-file: FOLDER/secret
                journal-directory: FOLDER/journal
                sites: [{id: 1, name: shop, hosts: [shop.example]}]
                nodes:
                  - id: 1
                    name: web-1
                    rdma: 127.0.0.1:9001
                    agent: 127.0.0.1:9002
                    role: shop/proxy
                    server:
                      kind: haproxy
                      address: @ADDRESS@
                      role-file: FOLDER/etc/retier.cfg
                      config: FOLDER/haproxy/haproxy.cfg
                      pid-file: FOLDER/run/haproxy.pid
                      socket: FOLDER/run/admin.sock
                      program: @PROGRAM@
                  - {id: 2, name: web-2, rdma: "127.0.0.1:9003", agent: "127.0.0.1:9004", role: shop/app,
                     server: {address: "@APP@", admin: "127.0.0.1:9006", role-file: /r2}}
                witnesses: [web-1]
                """.replace("FOLDER", folder.toString())
                        .replace("@ADDRESS@", address.toString())
                        .replace("@PROGRAM@", program.toString())
                        .replace("@APP@", app.toString()),
                "cluster.yaml");
    }

    private Installation installation(HostPort app) {
        ClusterConfig cluster = cluster(app);
        return new Installation(
                new AgentConfig(cluster, new NodeId(1), false),
                cluster.nodes().getFirst().server());
    }

    private Installation installation() {
        return installation(new HostPort("127.0.0.1", 9_005));
    }

    /** As Debian's unit does, with what its file of defaults says. */
    private void start() throws IOException, InterruptedException {
        Path log = folder.resolve("start.log");
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "EXTRAOPTS=\"-S $0/run/haproxy-master.sock\"; . \"$0/default/haproxy\";"
                                + " exec \"$1\" -W -D -f \"$0/haproxy/haproxy.cfg\""
                                + " -p \"$0/run/haproxy.pid\" $EXTRAOPTS",
                        folder.toString(),
                        program.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        assertThat(log).content().doesNotContain("[WARNING]", "[ALERT]");
        await().until(() -> Files.exists(pidFile()));
    }

    private HttpFetch.Answer asked(String path) throws IOException {
        try (HttpFetch fetch = new HttpFetch(address, "shop.example")) {
            return fetch.get(path, TIMEOUT);
        }
    }

    @Test
    void shouldMakeItAProxy_andRestoreEachByte() throws Exception {
        Files.writeString(defaults(), "EXTRAOPTS='-S " + folder + "/run/master.sock'\n");
        Files.write(config(), new byte[] {'#', ' ', 'c', 'a', 'f', (byte) 0xE9, '\n'}, StandardOpenOption.APPEND);
        String before = Files.readString(config(), StandardCharsets.ISO_8859_1);
        String defaultsBefore = Files.readString(defaults());
        try (StubApp app = new StubApp("this is web-2")) {
            Installation installation = installation(app.address());
            List<Edit> edits = installation.plan();
            assertThat(Files.readString(config(), StandardCharsets.ISO_8859_1))
                    .as("a plan changes nothing")
                    .isEqualTo(before);

            installation.install(edits, null);
            start();

            assertThat(asked("/x").body()).isEqualTo("this is web-2");
            assertThat(asked("/x").headers()).containsKey("x-retier-epoch");
            assertThat(asked("/old").status()).isEqualTo(302);
            assertThat(asked("/.retier/status").status()).isEqualTo(200);
            HttpURLConnection other = (HttpURLConnection)
                    URI.create("http://" + address + "/.retier/other").toURL().openConnection();
            assertThat(other.getResponseCode()).isEqualTo(403);
            ClusterConfig cluster = cluster(app.address());
            assertThat(new Doctor(cluster, cluster.node(new NodeId(1)), ClusterLines.none())
                            .findings().stream().filter(Finding::isBad))
                    .isEmpty();
            assertThat(installation(app.address()).plan()).as("a second time").isEmpty();
        }
        List<String> told = new ArrayList<>();

        installation().remove(told::add);

        assertThat(Files.readString(config(), StandardCharsets.ISO_8859_1)).isEqualTo(before);
        assertThat(Files.readString(defaults())).isEqualTo(defaultsBefore);
        assertThat(told).isEmpty();
        assertThat(folder.resolve("etc")).isEmptyDirectory();
    }

    @Test
    void shouldKeepTheUnitsOwnOption_whenTheDefaultsSetNone() throws InterruptedException {
        assertThat(installation().plan().stream().flatMap(edit -> Installation.shown(edit).stream()))
                .contains("    +EXTRAOPTS=\"-S /run/haproxy-master.sock -f " + folder + "/etc/retier.cfg\"");
    }

    @Test
    void shouldAddASocket_whenThereIsNone() throws Exception {
        Files.writeString(config(), Files.readString(config()).replaceAll("(?m)^\\s*stats socket .*\n", ""));

        Installation installation = installation();
        installation.install(installation.plan(), null);

        assertThat(config())
                .content()
                .contains(
                        "\t# By retier install:\n\tstats socket " + folder + "/run/admin.sock mode 660 level admin\n");
    }

    @Test
    void shouldTakeOutItsLinesAlone_whenSomebodyHasChangedAFile() throws Exception {
        InstallChecks.onlyItsLinesGo(installation(), config(), config());
    }

    @Test
    void shouldLeaveAllAsItWas_whenTheCheckerRefusesTheWhole() throws Exception {
        Files.writeString(config(), Files.readString(config()) + "\tno-such-keyword\n");
        String before = Files.readString(config());

        InstallChecks.isRefused(installation(), "no-such-keyword");

        assertThat(Files.readString(config())).isEqualTo(before);
        assertThat(folder.resolve("etc")).isEmptyDirectory();
    }

    @Test
    void shouldSayWhatToDo_whenItCannotGoByTheFiles() throws IOException {
        String text = Files.readString(config());
        Files.writeString(config(), text.replace("level admin", "level operator"));
        assertThatThrownBy(() -> installation().plan()).hasMessageContaining("is at level operator");
        Files.writeString(config(), text.replace("bind " + address, "bind :1"));
        assertThatThrownBy(() -> installation().plan()).hasMessageContaining("write one: bind :" + address.port());
        Files.delete(defaults());
        assertThatThrownBy(() -> installation().plan())
                .hasMessageContaining("-f " + folder + "/etc/retier.cfg")
                .hasMessageContaining("default_backend retier-apps");
    }
}
