package dev.retier.agent.loop;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static dev.retier.agent.fixture.Clusters.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.MainProcess;
import dev.retier.agent.config.NodeConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.config.ServerControl.Commands;
import dev.retier.agent.config.ServerControl.Limits;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.render.Shares;
import dev.retier.agent.render.Spread;
import dev.retier.agent.status.ServerStatus;
import dev.retier.agent.view.Probes;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SlotReading;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The own node is the first of two full proxies, and a third one joins that has nothing to do. */
class FileKeeperTest {
    private static final ClusterConfig WEB_NODES = Clusters.config(2, 2);
    private static final long ROUND_NANOS = Spread.round(WEB_NODES).toNanos();

    private final Map<NodeId, SlotReading> readings = new HashMap<>();
    private long nowNanos = 1_000_000_000L;

    private record TestFile(
            long stamp, String role, @Nullable String site, Shares shares) implements RoleFile {}

    @Test
    void shouldWriteAFileThatLetsGo_whenAProxyStaysHungry() {
        Agent agent = new Agent(WEB_NODES);
        assertThat(joined(agent)).as("it may fill by itself").isEqualTo(LetGo.NONE);

        assertThat(agent.after(ROUND_NANOS)).isEqualTo(new LetGo(1, 34));
        assertThat(agent.after(ROUND_NANOS / 2)).as("the round goes on").isEqualTo(new LetGo(1, 34));
        sees(3, PROXY, 0.6);
        assertThat(agent.after(ROUND_NANOS))
                .as("another round, with less too much")
                .isEqualTo(new LetGo(2, 14));
        sees(3, PROXY, 0.95);
        assertThat(agent.after(ROUND_NANOS)).as("it is fed").isEqualTo(new LetGo(2, 0));
    }

    @Test
    void shouldWriteNothing_whenNothingHasChanged() {
        Agent agent = new Agent(WEB_NODES);
        joined(agent);
        agent.after(ROUND_NANOS);
        assertThat(agent.installs(ROUND_NANOS / 4)).isEmpty();
    }

    /** nginx has no way to let connections go, so no file of it depends on who is hungry. */
    @Test
    void shouldLetNothingGo_whenTheServerCannot() {
        Agent agent = new Agent(withNginx());
        joined(agent);
        assertThat(agent.after(ROUND_NANOS)).isEqualTo(LetGo.NONE);
        assertThat(agent.after(ROUND_NANOS)).isEqualTo(LetGo.NONE);
    }

    @Test
    void shouldWriteANewerFile_whenSomebodyElseHasWrittenAnotherRoleUnderItsStamp() {
        sees(1, PROXY, 1);
        Agent agent = new Agent(WEB_NODES);
        long stamp = agent.installs(0).getFirst().stamp();
        assertThat(agent.told("proxy", stamp)).containsExactly(new Notice.FileApplied());
        assertThat(agent.told("app", stamp)).containsExactly(new Notice.ServerAstray("app"));
        assertThat(agent.told("app", stamp)).as("once").isEmpty();

        List<TestFile> files = agent.installs(1);
        assertThat(files).hasSize(1);
        assertThat(files.getFirst().stamp()).isEqualTo(stamp + 1);
        assertThat(agent.told("proxy", stamp + 1)).containsExactly(new Notice.FileApplied());
        assertThat(agent.installs(1)).isEmpty();
    }

    /** They wait until no proxy sends to them, and would look at all again and again to see it. */
    @Test
    void shouldWakeThoseWhoAreToLeaveTheApps_whenTheFileIsTaken() {
        sees(1, PROXY, 1);
        sees(2, RoleWord.active(0, 0, PROXY).ordered(1, 0, APP));
        sees(3, RoleWord.active(0, 0, APP).ordered(2, 0, PROXY));
        sees(4, APP, 0);
        Agent agent = new Agent(WEB_NODES);
        long stamp = agent.installs(0).getFirst().stamp();

        assertThat(agent.effects("app", stamp).filter(LoopEffect.Wake.class::isInstance))
                .as("another file")
                .isEmpty();
        assertThat(agent.effects("proxy", stamp).filter(LoopEffect.Wake.class::isInstance))
                .containsExactly(new LoopEffect.Wake<>(Set.of(node(3))));
    }

    /** A peer may be silent when the file is drawn, and a quota may change. */
    @Test
    void shouldWriteANewFile_whenWhatAMachineCanDoIsToldAnew() {
        Agent agent = new Agent(WEB_NODES);
        joined(agent);
        LoadRecord load = new LoadRecord(0, Health.UP, 0.5, 0, 0, 0, 0, 4_000, 0);
        readings.put(node(3), new SlotReading.Known(RoleWord.active(0, 0, APP), load, 1, 1, 0));

        assertThat(agent.installs(1))
                .anySatisfy(
                        file -> assertThat(file.shares().capacities().units()).containsEntry(node(3), 4_000.0));
        readings.remove(node(3));
        agent.installs(1)
                .forEach(file -> assertThat(file.shares().capacities().units())
                        .as("silent")
                        .containsEntry(node(3), 4_000.0));
        assertThat(agent.installs(1)).as("nothing new").isEmpty();
    }

    /** What the file says once node 3 has become the third proxy. */
    private LetGo joined(Agent agent) {
        sees(1, PROXY, 1);
        sees(2, PROXY, 1);
        sees(3, APP, 0);
        sees(4, APP, 0);
        assertThat(agent.after(0)).isEqualTo(LetGo.NONE);
        sees(3, PROXY, 0);
        return agent.after(ROUND_NANOS);
    }

    private void sees(int id, Role role, double utilisation) {
        sees(id, RoleWord.active(0, 0, role), utilisation);
    }

    private void sees(int id, RoleWord word) {
        sees(id, word, 0);
    }

    private void sees(int id, RoleWord word, double utilisation) {
        LoadRecord load = new LoadRecord(0, Health.UP, utilisation, 0, 0, 0, 0, 1_000, 0);
        readings.put(node(id), new SlotReading.Known(word, load, 1, 1, 0));
    }

    private static ClusterConfig withNginx() {
        HostPort address = new HostPort("10.0.0.1", 8080);
        ServerControl control = new ServerControl(
                Path.of("/nonexistent/nginx.conf"),
                new MainProcess.InFile(Path.of("/nonexistent/nginx.pid")),
                "/.retier/status",
                null,
                null,
                Commands.usual(ServerKind.NGINX, "nginx"),
                new Limits(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                List.of());
        ServerConfig nginx = new ServerConfig(
                ServerKind.NGINX,
                address,
                address,
                Path.of("/nonexistent/retier.conf"),
                "/proof",
                control,
                ServerKind.NGINX.tiers());
        List<NodeConfig> nodes = WEB_NODES.nodes();
        NodeConfig own = nodes.getFirst();
        return Clusters.config(List.of(
                new NodeConfig(own.id(), own.name(), own.rdma(), nginx, null, own.agentAdmin(), own.initialRole()),
                nodes.get(1),
                nodes.get(2),
                nodes.get(3)));
    }

    private final class Agent {
        private final Scene<TestFile> scene;
        private final FileKeeper<TestFile> keeper;
        private LetGo written = LetGo.NONE;

        Agent(ClusterConfig config) {
            scene = new Scene<>(node(1), config, false);
            keeper = new FileKeeper<>(
                    scene, (_, shares, _, stamp) -> Optional.of(new TestFile(stamp, "proxy", "shop", shares)));
        }

        /** The files that a look after so long has written. */
        List<TestFile> installs(long laterNanos) {
            nowNanos += laterNanos;
            scene.at(nowNanos);
            RoleWord own = RoleWord.active(0, 0, PROXY);
            Surroundings here = new Surroundings(new RoleWord.Valid(own), 0, 0);
            scene.looked(new LoopEvent.Looked(here, readings, Probes.NONE, Set.of(), Set.of(), true));
            keeper.follow(own);
            List<TestFile> files = scene.take().stream()
                    .filter(LoopEffect.Install.class::isInstance)
                    .map(effect -> ((LoopEffect.Install<TestFile>) effect).file())
                    .toList();
            files.forEach(_ -> keeper.installed(null));
            return files;
        }

        /** What is told of a status that the server tells now. */
        List<Notice> told(String role, long stamp) {
            return effects(role, stamp)
                    .filter(LoopEffect.Tell.class::isInstance)
                    .map(effect -> ((LoopEffect.Tell<TestFile>) effect).notice())
                    .toList();
        }

        /** What comes of it. */
        Stream<LoopEffect<TestFile>> effects(String role, long stamp) {
            nowNanos++;
            scene.at(nowNanos);
            ServerStatus status = new ServerStatus(role, "shop", stamp, null, 1_000, 0, 0, 0, null, 0, 0, 0, null);
            keeper.check(new LoopEvent.Sampled(status, nowNanos, true));
            return scene.take().stream();
        }

        /** What the newest file lets go after that. */
        LetGo after(long laterNanos) {
            installs(laterNanos).forEach(file -> written = file.shares().letGo());
            return written;
        }
    }
}
