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
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.server.InstallerEvents.Result;
import dev.retier.agent.server.ManagedServer;
import dev.retier.state.Role;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(strings = {"", "/counts"})
    void shouldReloadByHup_whenNothingIsInFlightAndElseByUsr1(String statusPath) throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = stub.told(TEMPLATE, statusPath, List.of());
        ClusterConfig config = cluster(server);
        try (RealInstance running = stub.instance(server).start();
                ManagedServer managed = installed.open(server)) {
            install(managed, file(config, 2, APP, 4, List.of()));
            assertThat(server.roleFile()).content().contains("serves shop");
            assertThat(stub.noted("signals")).containsExactly("HUP");

            try (Socket held = stub.hold()) {
                await().atMost(PATIENCE)
                        .until(() -> statusPath.isEmpty()
                                || RealNodes.get(stub.address(), "/counts")
                                        .body()
                                        .contains("1"));
                install(managed, file(config, 2, Role.SPARE, 6, List.of()));
                assertThat(held.isConnected()).isTrue();
            }
            assertThat(stub.noted("signals")).as("no interval is waited out").containsExactly("HUP", "USR1");
            assertThat(running.isAlive()).isTrue();
            assertThat(installed.results()).containsExactly(Result.RELOADED, Result.RELOADED);
        }
    }

    @Test
    void shouldNotReload_whenOnlyTheStampIsAnother() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = stub.told(TEMPLATE, "", List.of());
        ClusterConfig config = cluster(server);
        try (RealInstance _ = stub.instance(server).start();
                ManagedServer managed = installed.open(server)) {
            install(managed, file(config, 2, Role.SPARE, 4, List.of()));
            assertThat(stub.noted("signals")).isEmpty();
            assertThat(installed.results()).containsExactly(Result.CHANGED);
        }
    }

    @Test
    void shouldSendNoSignal_whenItWouldEndTheServer() throws Exception {
        OtherStub stub = OtherStub.of(folder, "plain");
        ServerConfig server = stub.told(TEMPLATE, "", List.of());
        ClusterConfig config = cluster(server);
        try (RealInstance running = stub.instance(server).start();
                ManagedServer managed = installed.open(server)) {
            assertThat(refused(managed, file(config, 2, APP, 4, List.of())))
                    .contains("does not catch HUP and USR1, which would end it; write reload");
            assertThat(running.isAlive()).isTrue();
            assertThat(server.roleFile()).content().contains("rests");
        }
    }

    @Test
    void shouldReloadByItsOwnCommand_whenTheAdministratorHasGivenOne() throws Exception {
        OtherStub stub = OtherStub.of(folder, "plain");
        Path told = folder.resolve("told");
        ServerConfig server = stub.told(TEMPLATE, "", List.of("/bin/sh", "-c", "echo $0 >>" + told, ServerControl.PID));
        ClusterConfig config = cluster(server);
        try (RealInstance running = stub.instance(server).start();
                ManagedServer managed = installed.open(server)) {
            install(managed, file(config, 2, APP, 4, List.of()));
            assertThat(told).hasContent(String.valueOf(running.pid()));
        }
    }

    /** The file that made it ill is gone, and it has read the one before again. */
    @Test
    void shouldPutTheLastGoodFileBack_whenItAnswersNoMore() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = stub.told("{{#app}}bad\n{{/app}}{{#spare}}rests\n{{/spare}}", "", List.of());
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

    /** It has caught the signals and reads nothing: that is seen where its answers show what they are made by. */
    @Test
    void shouldGoByWhatItShows_whenItsAnswersSayByWhichFile() throws Exception {
        OtherStub stub = OtherStub.of(folder, "shows");
        ServerConfig deaf = stub.told("epoch {{epoch}}\n{{#app}}serves\n{{/app}}", "", List.of("/bin/true"));
        ClusterConfig config = cluster(deaf);
        try (RealInstance _ = stub.instance(deaf).start();
                ManagedServer managed = installed.open(deaf)) {
            assertThat(refused(managed, file(config, 2, APP, 4, List.of()))).contains("was not answered by this file");
        }
        ServerConfig hearing = stub.told("epoch {{epoch}}\n{{#app}}serves\n{{/app}}", "", List.of());
        try (RealInstance _ = stub.instance(hearing).start();
                ManagedServer managed = installed.open(hearing)) {
            install(managed, file(config, 2, APP, 8, List.of()));
        }
    }
}
