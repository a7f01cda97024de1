package dev.retier.sim.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.EdgeConfig;
import dev.retier.agent.config.EdgeKind;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.Delays;
import dev.retier.sim.run.Shops;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.RoleWord.Phase;
import dev.retier.state.Tier;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each check is shown what it must not let pass, in a cluster that moves a node, with a journal that stands still. */
class LoopSafetyTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ClusterConfig SEVEN = Shops.cluster(2, 5);
    /** Longer than an agent may take for an answer. */
    private static final long LONG = 3 * SEVEN.move().total().toNanos();

    private static final Answer DONE = Answer.of(Answer.Outcome.DONE);

    private final VirtualTime time = new VirtualTime();
    private final Timeline timeline = new Timeline(time, false);
    private final Verdict verdict = new Verdict(timeline);
    private final Service service = new Service(
            time,
            new Service.Parts(
                    Shops.HTTPD,
                    Collections.nCopies(7, Shops.HTTPD.capacityPerSecond()),
                    1,
                    List.of(Shops.mix(100_000, 0, 48)),
                    100_000));
    private final Cluster cluster = new Cluster(time, SEVEN, service, new Cluster.Settings(Delays.MEASURED, 0, 1));
    private final LoopSafety safety = new LoopSafety(SEVEN, cluster, service, verdict);
    private long endNanos;
    private final Commands commands = new Commands(SEVEN, time, verdict, timeline);

    /** From the end of the last run, as time stands still while nothing is due. */
    private void run(long nanos) {
        endNanos += nanos;
        while (time.step(endNanos, service::on)) {}
    }

    private int untilOrdered() {
        while (endNanos < 30 * SECOND) {
            run(SECOND / 1000);
            OptionalInt ordered = IntStream.range(0, 7)
                    .filter(node -> cluster.word(node).phase() == Phase.ORDERED)
                    .findFirst();
            if (ordered.isPresent()) {
                return ordered.getAsInt();
            }
        }
        throw new AssertionError("nothing is ordered; why: " + cluster.reasons());
    }

    private String broken() {
        return verdict.violation().orElse("nothing");
    }

    private static ClusterConfig behindAnEdge() {
        EdgeConfig edge = new EdgeConfig("front", Shops.SHOP, EdgeKind.TARGET_LIST, Path.of("/nonexistent"), null);
        return new ClusterConfig(
                SEVEN.name(),
                SEVEN.mode(),
                SEVEN.transport(),
                SEVEN.secret(),
                SEVEN.journalDirectory(),
                SEVEN.timing(),
                SEVEN.decision(),
                SEVEN.move(),
                SEVEN.sites(),
                SEVEN.nodes(),
                SEVEN.witnesses(),
                List.of(edge),
                SEVEN.formerHandshake(),
                SEVEN.volumes(),
                SEVEN.admin(),
                SEVEN.rdmaTls());
    }

    @Test
    void shouldFindAProxyThatSwitchesWhileItsEdgeSendsToIt() {
        ClusterConfig config = behindAnEdge();
        Cluster behind = new Cluster(time, config, service, new Cluster.Settings(Delays.MEASURED, 0, 1));
        LoopSafety watching = new LoopSafety(config, behind, service, verdict);
        run(SECOND / 100);
        Plan app = new Plan(4, Role.serving(Shops.SHOP, Tier.APP), List.of());

        assertThat(behind.edge(Shops.SHOP).running()).containsExactly(0, 1);
        safety.installed(1, app);
        watching.installed(2, app);
        watching.installed(1, service.station(1).plan());
        assertThat(broken())
                .as("no edge that says what it runs, no proxy, no other role")
                .isEqualTo("nothing");

        watching.installed(1, app);

        assertThat(broken()).contains("hands over the file of site-1/app while the edge of site-1 still sends to it");
    }

    @Test
    void shouldFindASwitchThatIsNotInTheJournal() {
        cluster.startAgents();
        service.beginAt(SECOND);
        for (int node = 0; node < 7; node++) {
            cluster.disk(node).standStill(true);
        }
        int victim = untilOrdered();
        RoleWord order = cluster.word(victim);

        safety.installed(victim, new Plan(9, order.from(), List.of()));
        assertThat(broken()).as("the file of the old role").isEqualTo("nothing");
        safety.installed(victim, new Plan(9, order.to(), List.of(5)));

        assertThat(broken()).contains("before its journal has that it switches");
    }

    @Test
    void shouldUndoTheMove_whenTheJournalStandsStill() {
        cluster.listen(List.of(safety));
        cluster.startAgents();
        service.beginAt(SECOND);
        for (int node = 0; node < 7; node++) {
            cluster.disk(node).standStill(true);
        }

        run(15 * SECOND);

        assertThat(broken()).isEqualTo("nothing");
        assertThat(cluster.chronicle().moves()).isNotEmpty().noneMatch(move -> move.isComplete());
        assertThat(IntStream.range(0, 7).mapToObj(cluster::word).filter(word -> word.serves(proxy())))
                .hasSize(2);
    }

    private static Role proxy() {
        return Role.serving(Shops.SHOP, Tier.PROXY);
    }

    @Test
    void shouldFindACommandThatIsNotAnsweredInTime_unlessItsAgentIsGone() {
        cluster.startAgents();
        commands.sent(1, 1, new Command.Plan());
        commands.sent(2, 2, new Command.Plan());
        commands.answered(2, 2, DONE);
        run(LONG);

        cluster.crash(1, false);
        commands.tick(cluster);
        assertThat(broken()).isEqualTo("nothing");
        commands.sent(3, 3, new Command.Plan());
        run(LONG);
        commands.tick(cluster);

        assertThat(broken()).contains("has not answered Plan");
        assertThat(commands.answers()).isEqualTo(1);
    }

    @Test
    void shouldFindASecondAnswer() {
        commands.sent(2, 2, new Command.Plan());
        commands.answered(2, 2, DONE);
        assertThat(broken()).isEqualTo("nothing");

        commands.answered(2, 2, DONE);

        assertThat(broken()).contains("answers command 2, which nobody waits for");
    }

    @Test
    void shouldAnswerEveryCommand_whateverIsCommanded() {
        cluster.listen(List.of(safety, commands));
        cluster.startAgents();
        Command.Manner forced = new Command.Manner(false, true);
        List<Command> all = List.of(
                new Command.Pause(false),
                new Command.Move("node-7", "spare", forced),
                new Command.Drain("node-6", forced),
                new Command.Plan(),
                new Command.Diff(null),
                new Command.Undrain("node-6", null, forced),
                new Command.Undo(forced),
                new Command.Resume(false));
        for (int command = 0; command < all.size(); command++) {
            commands.sent(0, command, all.get(command));
            cluster.command(0, command, all.get(command));
            run(3 * SECOND);
            commands.tick(cluster);
        }

        assertThat(broken()).isEqualTo("nothing");
        assertThat(commands.answers()).isEqualTo(all.size());
        assertThat(cluster.isClusterPaused(3)).isFalse();
    }
}
