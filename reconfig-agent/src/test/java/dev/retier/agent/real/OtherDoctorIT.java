package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.real.RealNodes.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.apply.AtomicFile;
import dev.retier.agent.config.AgentConfig;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.install.Installation;
import dev.retier.agent.status.Finding;
import dev.retier.link.NodeId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor finds of a server of unknown kind, and what there is to install for it. */
class OtherDoctorIT {
    private static final Set<String> OF_SERVER =
            Set.of("role-file", "template", "check", "reload", "process", "commands", "status", "proof");

    @TempDir
    private Path folder = Path.of("");

    /** Node 2 is it. */
    private ClusterConfig cluster(ServerConfig server) {
        return RealNodes.cluster(
                ServerConfig.webNode(Ports.free(), Ports.free(), folder.resolve("node-1.json")), server);
    }

    private List<Finding> findings(ServerConfig server) throws Exception {
        ClusterConfig config = cluster(server);
        return new Doctor(config, config.node(new NodeId(2)), ClusterLines.none())
                .findings().stream()
                        .filter(finding -> OF_SERVER.contains(finding.check()))
                        .toList();
    }

    /** The remedies for what is bad, each with its check and its place. */
    private List<String> bad(ServerConfig server) throws Exception {
        return findings(server).stream()
                .filter(Finding::isBad)
                .map(finding ->
                        finding.check() + " at " + finding.place() + ": " + finding.detail() + "; " + finding.remedy())
                .toList();
    }

    private ServerConfig told(OtherStub stub, String template, String statusPath) throws Exception {
        ServerConfig server = stub.told(template, statusPath);
        AtomicFile.replace(
                server.roleFile(), file(cluster(server), 2, APP, 2, List.of()).content());
        return server;
    }

    @Test
    void shouldFindNothing_whenAllIsAsItMustBe() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = told(stub, "role\n", "/counts");
        try (RealInstance _ = stub.instance(server).start()) {
            assertThat(bad(server)).isEmpty();
            assertThat(findings(server))
                    .extracting(Finding::check)
                    .contains("role-file", "check", "process", "status", "proof");
        }
    }

    @Test
    void shouldFindThatItAnswersBadly() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = told(stub, "bad\n", "/proof");
        try (RealInstance _ = stub.instance(server).start()) {
            assertThat(bad(server))
                    .anyMatch(text -> text.startsWith("status at nodes.node-2.server.status-path")
                            && text.contains("{\"in_flight\": 3}"))
                    .anyMatch(text -> text.startsWith("proof at nodes.node-2.server.prove-path")
                            && text.contains("of host shop.example answers 500"));
        }
    }

    @Test
    void shouldFindCommandsThatNobodyCanRun_andAServerThatIsNotThere() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        ServerConfig server = stub.untold(List.of("/nonexistent/stop"), Duration.ofSeconds(1));
        assertThat(bad(server))
                .anyMatch(text -> text.startsWith("process at nodes.node-2.server.pid-file"))
                .anyMatch(text -> text.startsWith("commands at nodes.node-2.server.stop")
                        && text.contains("cannot run /nonexistent/stop"))
                .anyMatch(text -> text.startsWith("proof at nodes.node-2.server.address"));
    }

    @Test
    void shouldSayWhatIsToBeDoneByHand_andWriteNothing() throws Exception {
        OtherStub stub = OtherStub.of(folder, "usual");
        assertThat(install(stub.untold(List.of(), Duration.ofSeconds(1))))
                .contains("it is told nothing", stub.address() + " must be answered with a status below 400");
        assertThat(install(stub.told("role\n", "")))
                .contains(
                        "have it read " + folder.resolve("retier.conf"),
                        folder.resolve("template").toString());
    }

    private String install(ServerConfig server) throws Exception {
        Installation installation = new Installation(new AgentConfig(cluster(server), new NodeId(2)), server);
        assertThat(installation.plan()).isEmpty();
        return String.join("\n", installation.advice());
    }
}
