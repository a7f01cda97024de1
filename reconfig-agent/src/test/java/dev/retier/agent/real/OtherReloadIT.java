package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.real.RealNodes.PATIENCE;
import static dev.retier.agent.real.RealNodes.file;
import static dev.retier.agent.real.RealNodes.install;
import static dev.retier.agent.real.RealNodes.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.server.InstallerEvents.Result;
import dev.retier.agent.server.ManagedServer;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a server of unknown kind is made to read the file that its administrator's template makes. */
class OtherReloadIT {
    private static final String TEMPLATE = "{{#app}}serves {{site}}\n{{/app}}{{#spare}}rests\n{{/spare}}";

    @TempDir
    private Path folder = Path.of("");

    private final Installations installed = new Installations();

    /** Node 2 is it, and a spare at first. */
    private ClusterConfig cluster(ServerConfig server) throws IOException {
        ClusterConfig config = RealNodes.cluster(
                ServerConfig.webNode(Ports.free(), Ports.free(), folder.resolve("node-1.json")), server);
        AtomicFile.replace(
                server.roleFile(), file(config, 2, Role.SPARE, 2, List.of()).content());
        return config;
    }

    /** One of which retier knows nothing, for once: its answers say by which file they are made. */
    private RealInstance nginx(List<String> reload) throws IOException {
        HostPort address = Ports.free();
        Path role = folder.resolve("role.conf");
        Path template = Files.writeString(folder.resolve("template"), """
                add_header X-Retier-Epoch {{epoch}};
                {{#app}}return 200 serves;
                {{/app}}{{#spare}}return 200 rests;
                {{/spare}}""");
        Path main = Files.writeString(folder.resolve("nginx.conf"), """
                pid %1$s/pid;
                error_log %1$s/error.log;
                events {}
                http {
                    access_log off;
                    client_body_temp_path %1$s/body;
                    proxy_temp_path %1$s/proxy;
                    fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi;
                    scgi_temp_path %1$s/scgi;
                    server {
                        listen %2$s;
                        location / {
                            include %3$s;
                        }
                    }
                }
                """.formatted(folder, address, role));
        String program = ExternalTool.find("nginx").toString();
        ServerControl control = new ServerControl(
                role,
                new MainProcess.InFile(folder.resolve("pid")),
                "",
                null,
                template,
                new ServerControl.Commands(
                        "nginx", List.of(program, "-t", "-q", "-c", main.toString()), reload, List.of()),
                new ServerControl.Limits(Duration.ZERO, Duration.ofSeconds(10), Duration.ofSeconds(3)),
                List.of());
        ServerConfig server =
                new ServerConfig(ServerKind.OTHER, address, address, role, "/proof", control, ServerKind.OTHER.tiers());
        return RealInstance.of(folder, server, List.of(program, "-c", main.toString()));
    }

    @Test
    void shouldServeByTheFile_whenARealServerHasReadIt() throws Exception {
        RealInstance nginx = nginx(List.of("/bin/sh", "-c", "kill -HUP \"$0\"", ServerControl.PID));
        ServerConfig server = nginx.server();
        ClusterConfig config = cluster(server);
        try (RealInstance _ = nginx.start();
                ManagedServer managed = installed.open(server)) {
            assertThat(RealNodes.get(server.address(), "/").body()).isEqualTo("rests");
            install(managed, file(config, 2, APP, 4, List.of()));
            assertThat(RealNodes.get(server.address(), "/").body()).isEqualTo("serves");
            install(managed, file(config, 2, Role.SPARE, 6, List.of()));
            assertThat(RealNodes.get(server.address(), "/").body()).isEqualTo("rests");
            assertThat(installed.results()).containsExactly(Result.RELOADED, Result.RELOADED);
        }
    }

    /** Its command does nothing: that is seen where answers show what they are made by. */
    @Test
    void shouldPutTheLastGoodFileBack_whenARealServerGoesOnAnsweringByIt() throws Exception {
        RealInstance nginx = nginx(List.of("/bin/true"));
        ServerConfig server = nginx.server();
        ClusterConfig config = cluster(server);
        try (RealInstance _ = nginx.start();
                ManagedServer managed = installed.open(server)) {
            assertThat(refused(managed, file(config, 2, APP, 4, List.of()))).contains("was not answered by this file");
            assertThat(server.roleFile()).content().contains("rests").doesNotContain("serves");
        }
    }

    @Test
    void shouldReloadByTheFasterCommand_onceNothingIsInFlight() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = stub.told(TEMPLATE, "/counts");
        ClusterConfig config = cluster(server);
        try (RealInstance running = stub.instance(server).start();
                ManagedServer managed = installed.open(server)) {
            install(managed, file(config, 2, APP, 4, List.of()));
            assertThat(server.roleFile()).content().contains("serves shop");
            assertThat(stub.noted("signals")).containsExactly("HUP");

            try (Socket held = stub.hold()) {
                await().atMost(PATIENCE)
                        .until(() ->
                                RealNodes.get(stub.address(), "/counts").body().contains("1"));
                install(managed, file(config, 2, Role.SPARE, 6, List.of()));
                assertThat(held.isConnected()).isTrue();
            }
            assertThat(stub.noted("signals")).as("no interval is waited out").containsExactly("HUP", "USR1");
            assertThat(running.isAlive()).isTrue();
            assertThat(installed.results()).containsExactly(Result.RELOADED, Result.RELOADED);
        }
    }

    @Test
    void shouldReloadByTheSafeCommand_whenNoPageCounts() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = stub.told(TEMPLATE, "");
        ClusterConfig config = cluster(server);
        try (RealInstance _ = stub.instance(server).start();
                ManagedServer managed = installed.open(server)) {
            install(managed, file(config, 2, Role.SPARE, 4, List.of()));
            assertThat(stub.noted("signals")).as("only the stamp is another").isEmpty();
            install(managed, file(config, 2, APP, 6, List.of()));
            assertThat(stub.noted("signals")).containsExactly("USR1");
            assertThat(installed.results()).containsExactly(Result.CHANGED, Result.RELOADED);
        }
    }

    /** It answers well and badly in turn: no reason to signal a server that reads nothing. */
    @Test
    void shouldNeverReload_whenItIsToldNothing() throws Exception {
        OtherStub stub = OtherStub.of(folder, "ill");
        ServerConfig server = stub.untold(List.of(), Duration.ofSeconds(1));
        ClusterConfig config = cluster(server);
        try (RealInstance running = stub.instance(server).start();
                ManagedServer managed = installed.open(server)) {
            install(managed, file(config, 2, APP, 4, List.of()));
            assertThat(installed.results()).containsExactly(Result.CHANGED);
            assertThat(stub.noted("signals")).isEmpty();
            assertThat(running.isAlive()).isTrue();
        }
    }

    /** The file that made it ill is gone, and it has read the one before again. */
    @Test
    void shouldPutTheLastGoodFileBack_whenItAnswersNoMore() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = stub.told("{{#app}}bad\n{{/app}}{{#spare}}rests\n{{/spare}}", "");
        ClusterConfig config = cluster(server);
        try (RealInstance _ = stub.instance(server).start();
                ManagedServer managed = installed.open(server)) {
            assertThat(refused(managed, file(config, 2, APP, 4, List.of()))).contains("last good file");
            assertThat(installed.results()).containsExactly(Result.RESTORED);
            assertThat(stub.noted("signals")).as("there and back").hasSize(2);
            assertThat(RealNodes.get(stub.address(), "/proof").status()).isEqualTo(200);
            assertThat(Files.readString(server.roleFile())).contains("rests");
        }
    }
}
