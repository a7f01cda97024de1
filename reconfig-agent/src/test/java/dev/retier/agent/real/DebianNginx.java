package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.install.Installation;
import dev.retier.agent.server.HttpFetch;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.testsupport.Daemons;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/** Debian's nginx as it is packaged, in a folder, beside node 1 of two. Ended by its own pid. */
final class DebianNginx implements AutoCloseable {
    private static final Path DEBIAN = Path.of("/etc/nginx");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    final HostPort address = Ports.free();
    final HostPort admin = Ports.free();
    final HostPort other = Ports.free();
    private final Path program = ExternalTool.find("nginx");
    private final Path folder;
    private String tiers;

    private DebianNginx(Path folder, String tiers) {
        this.folder = folder;
        this.tiers = tiers;
    }

    /** With no site but the packaged one; the node may serve in these tiers. */
    static DebianNginx in(Path folder, String tiers) throws IOException {
        for (String name : List.of(
                "nginx/conf.d",
                "nginx/sites-available",
                "nginx/sites-enabled",
                "nginx/snippets",
                "run",
                "log",
                "journal/web-1",
                "etc")) {
            Files.createDirectories(folder.resolve(name));
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String name : List.of("mime.types", "fastcgi.conf")) {
            Files.copy(DEBIAN.resolve(name), folder.resolve("nginx").resolve(name));
        }
        DebianNginx made = new DebianNginx(folder, tiers);
        Files.writeString(
                made.config(),
                Files.readString(DEBIAN.resolve("nginx.conf"))
                        .replace("/etc/nginx", folder + "/nginx")
                        .replace("/run/nginx.pid", made.pidFile().toString())
                        .replace("/var/log/nginx", folder + "/log")
                        .replaceAll("(?m)^include .*modules-enabled.*\n", ""));
        Files.writeString(
                folder.resolve("nginx/sites-enabled/default"),
                Files.readString(DEBIAN.resolve("sites-available/default"))
                        .replace("listen 80 ", "listen " + made.address + " ")
                        .replaceAll("listen \\[::]:80 .*\n", "\n"));
        Files.writeString(folder.resolve("secret"), "a secret of this test, which is long enough");
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
        return made;
    }

    /** From now on, in its cluster file. */
    void checkBy(String command) {
        tiers += "\n      check: " + command;
    }

    Path config() {
        return folder.resolve("nginx/nginx.conf");
    }

    /** Where its administrator has the site. */
    Path site() {
        return folder.resolve("nginx/sites-enabled/shop");
    }

    private Path pidFile() {
        return folder.resolve("run/nginx.pid");
    }

    /** Of it and an app that is there. */
    ClusterConfig cluster(HostPort app, String hosts) {
        return ClusterConfig.parse(
                """
                name: test
                secret-file: FOLDER/secret
                journal-directory: FOLDER/journal
                sites: [{id: 1, name: shop@HOSTS@}]
                nodes:
                  - id: 1
                    name: web-1
                    rdma: 127.0.0.1:9001
                    agent: 127.0.0.1:9002
                    role: shop/proxy
                    server:
                      kind: nginx
                      address: @ADDRESS@
                      admin: @ADMIN@
                      role-file: FOLDER/etc/retier.conf
                      config: FOLDER/nginx/nginx.conf
                      pid-file: FOLDER/run/nginx.pid
                      program: @PROGRAM@
                      tiers: @TIERS@
                  - {id: 2, name: web-2, rdma: "127.0.0.1:9003", agent: "127.0.0.1:9004", role: shop/app,
                     server: {address: "@APP@", admin: "127.0.0.1:9006", role-file: /r2}}
                witnesses: [web-1]
                """.replace("FOLDER", folder.toString())
                        .replace("@HOSTS@", hosts.isEmpty() ? "" : ", hosts: [" + hosts + "]")
                        .replace("@ADDRESS@", address.toString())
                        .replace("@ADMIN@", admin.toString())
                        .replace("@PROGRAM@", program.toString())
                        .replace("@TIERS@", tiers)
                        .replace("@APP@", app.toString()),
                "cluster.yaml");
    }

    Installation installation(HostPort app, String hosts) {
        ClusterConfig cluster = cluster(app, hosts);
        return new Installation(
                new AgentConfig(cluster, new NodeId(1), false),
                cluster.nodes().getFirst().server());
    }

    Installation installation(String hosts) {
        return installation(new HostPort("127.0.0.1", 9_005), hosts);
    }

    void start() throws IOException, InterruptedException {
        Path log = folder.resolve("start.log");
        Process process = new ProcessBuilder(program.toString(), "-c", config().toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(log)).isZero();
        assertThat(log).content().doesNotContain("conflicting", "[emerg]");
        await().until(() -> Files.exists(pidFile()));
    }

    static HttpFetch.Answer asked(HostPort where, String host, String path) throws IOException {
        try (HttpFetch fetch = new HttpFetch(where, host)) {
            return fetch.get(path, TIMEOUT);
        }
    }

    @Override
    public void close() {
        Daemons.kill(Daemons.of(pidFile()));
    }
}
