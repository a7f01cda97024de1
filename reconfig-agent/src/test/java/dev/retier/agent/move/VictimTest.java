package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ServerKind;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.status.ServerStatus;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.util.List;
import org.junit.jupiter.api.Test;

class VictimTest extends VictimRig {
    @Test
    void shouldJournalFirst_whenOrdered() {
        assertThat(after(0, new VictimEvent.Ordered(ORDER)))
                .containsExactly(new VictimEffect.Journal(new MoveRecord(ORDER, MovePhase.ORDERED, null)));
    }

    @Test
    void shouldRollBack_whenTheOrderCannotBeJournalled() {
        after(0, new VictimEvent.Ordered(ORDER));
        assertThat(after(0, new VictimEvent.Journalled(false))).containsExactly(rollBackWord());
        assertRolledBackBy(RollbackReason.JOURNAL_FAILED);
    }

    @Test
    void shouldWait_whenUpstreamStillSends() {
        untilUpstream();
        assertThat(after(1, new VictimEvent.UpstreamSeen(false))).isEmpty();
        assertThat(victim.isWaitingForUpstream()).isTrue();
    }

    @Test
    void shouldRollBack_whenUpstreamIsNotProvenInTime() {
        untilUpstream();
        assertThat(after(99, new VictimEvent.Tick())).isEmpty();
        assertThat(after(1, new VictimEvent.Tick())).containsExactly(rollBackWord());
        assertRolledBackBy(RollbackReason.UPSTREAM_NOT_PROVEN);
    }

    @Test
    void shouldDrain_whenUpstreamIsProven() {
        untilUpstream();
        assertThat(after(1, new VictimEvent.UpstreamSeen(true))).containsExactly(reached(MovePhase.UPSTREAM_PROVEN));
    }

    @Test
    void shouldNotWaitForQuiet_whenItsServerAnswersLateRequestsInEitherRole() {
        for (ServerKind kind : ServerKind.values()) {
            Victim one = new Victim(Clusters.withMoves(Clusters.config(1, 1), RULES), kind.answersLate());
            one.on(new VictimEvent.Ordered(ORDER), nowNanos);
            one.on(new VictimEvent.Journalled(true), nowNanos);
            assertThat(one.on(new VictimEvent.UpstreamSeen(true), nowNanos))
                    .as(kind.word())
                    .isEqualTo(
                            kind == ServerKind.NGINX || kind == ServerKind.OTHER
                                    ? List.of(reached(MovePhase.UPSTREAM_PROVEN))
                                    : List.of(
                                            reached(MovePhase.UPSTREAM_PROVEN),
                                            reached(MovePhase.DRAINED),
                                            journal(MovePhase.SWITCHING)));
        }
    }

    @Test
    void shouldWaitForQuiet_whenNobodyWillServeItsSiteThere() {
        for (Role to : List.of(Role.SPARE, Role.DRAINED, Role.serving(new SiteId(2), Tier.APP))) {
            RoleWord word = RoleWord.active(6, 3, APP).ordered(10, 4, to);
            Victim one = new Victim(Clusters.withMoves(Clusters.config(1, 1), RULES), ServerKind.HTTPD.answersLate());
            one.on(new VictimEvent.Ordered(word), nowNanos);
            one.on(new VictimEvent.Journalled(true), nowNanos);
            assertThat(one.on(new VictimEvent.UpstreamSeen(true), nowNanos))
                    .as("to %s", to)
                    .containsExactly(
                            new VictimEffect.Reached(new MoveRecord(word, MovePhase.UPSTREAM_PROVEN, null), 0));
        }
    }

    @Test
    void shouldNotWaitForQuiet_whenNobodySentAnythingThere() {
        for (Role from : List.of(Role.SPARE, Role.DRAINED)) {
            RoleWord word = RoleWord.active(6, 3, from).ordered(10, 4, PROXY);
            Victim one = new Victim(Clusters.withMoves(Clusters.config(1, 1), RULES), ServerKind.NGINX.answersLate());
            one.on(new VictimEvent.Ordered(word), nowNanos);
            one.on(new VictimEvent.Journalled(true), nowNanos);
            assertThat(one.on(new VictimEvent.UpstreamSeen(true), nowNanos))
                    .as("from %s", from)
                    .contains(new VictimEffect.Journal(new MoveRecord(word, MovePhase.SWITCHING, null)));
        }
    }

    @Test
    void shouldSwitchWithRequestsInTheNode_whenNoneHasComeForTheQuietTime() {
        untilDraining();
        assertThat(server(1, "app", 19, 2, null)).isEmpty();
        assertThat(server(39, "app", 19, 2, null))
                .as("39 ms since a request came")
                .isEmpty();
        assertThat(server(1, "app", 19, 1, null))
                .containsExactly(
                        new VictimEffect.Reached(new MoveRecord(ORDER, MovePhase.DRAINED, null), 1),
                        journal(MovePhase.SWITCHING));
        assertThat(after(1, new VictimEvent.Journalled(true))).containsExactly(new VictimEffect.WriteRole(PROXY, 20));
    }

    private static VictimEffect journal(MovePhase phase) {
        return new VictimEffect.Journal(new MoveRecord(ORDER, phase, null));
    }

    /** The server would be in the new role, and the journal would say that it never began to change. */
    @Test
    void shouldRollBackBeforeAnyFile_whenTheSwitchCannotBeJournalled() {
        untilDraining();
        server(1, "app", 19, 0, null);
        assertThat(server(40, "app", 19, 0, null))
                .containsExactly(reached(MovePhase.DRAINED), journal(MovePhase.SWITCHING));
        assertThat(after(99, new VictimEvent.Tick())).isEmpty();
        assertThat(after(1, new VictimEvent.Tick())).as("the disk stands still").containsExactly(rollBackWord());
        assertRolledBackBy(RollbackReason.JOURNAL_FAILED);
    }

    @Test
    void shouldRollBack_whenTheDiskStandsStill() {
        after(0, new VictimEvent.Ordered(ORDER));
        assertThat(after(99, new VictimEvent.Tick())).isEmpty();
        assertThat(after(1, new VictimEvent.Tick())).containsExactly(rollBackWord());
        assertThat(after(1, new VictimEvent.Journalled(true))).as("too late").isEmpty();
        assertRolledBackBy(RollbackReason.JOURNAL_FAILED);
    }

    @Test
    void shouldCountNoTimeForWhichAPageSaysNothing_whenItComesLate() {
        untilDraining();
        server(1, "app", 19, 0, null);
        ServerStatus idle = new ServerStatus("app", "shop", 19, null, 1_000, 0, 0, 0, null, 7, 0, 0, null);
        long readNanos = nowNanos;
        nowNanos += 500_000_000;
        assertThat(victim.on(new VictimEvent.Server(idle, readNanos + 39_000_000), nowNanos))
                .as("read half a second later, asked 39 ms later")
                .isEmpty();
        assertThat(victim.on(new VictimEvent.Server(idle, readNanos + 40_000_000), nowNanos))
                .contains(reached(MovePhase.DRAINED));
    }

    /** A page that is late under load held up switches that had long been done. */
    @Test
    void shouldSwitchButNotDrain_whenOnlyTheFileOfTheServerIsKnown() {
        untilDraining();
        ServerStatus old = new ServerStatus("app", "shop", 19, null, 1_000, 0, 0, 0, null, 7, 0, 0, null);
        assertThat(after(1, new VictimEvent.ServerFile(old, nowNanos + 1_000_000)))
                .isEmpty();
        assertThat(after(50, new VictimEvent.ServerFile(old, nowNanos + 50_000_000)))
                .isEmpty();
        server(1, "app", 19, 0, null);
        server(40, "app", 19, 0, null);
        after(0, new VictimEvent.Journalled(true));
        after(0, new VictimEvent.Written());
        ServerStatus switched = new ServerStatus("proxy", "shop", 20, null, 1_000, 0, 0, 0, null, 7, 0, 0, null);
        nowNanos += 1_000_000;
        assertThat(victim.on(new VictimEvent.ServerFile(switched, nowNanos), nowNanos))
                .containsExactly(reached(MovePhase.SWITCHED), new VictimEffect.Prove(PROXY));
    }

    /** A node that had restarted took the later file of its old site for the new role's. */
    @Test
    void shouldWait_whenTheServerServesTheTierForAnotherSite() {
        untilSwitching();
        nowNanos += 1_000_000;
        ServerStatus other = new ServerStatus("proxy", "blog", 23, null, 1_000, 0, 0, 0, null, 7, 0, 0, null);
        assertThat(victim.on(new VictimEvent.Server(other, nowNanos), nowNanos)).isEmpty();
        ServerStatus none = new ServerStatus("proxy", null, 23, null, 1_000, 0, 0, 0, null, 7, 0, 0, null);
        assertThat(victim.on(new VictimEvent.Server(none, nowNanos), nowNanos)).isEmpty();

        assertThat(server(1, "proxy", 23, 0, null))
                .containsExactly(reached(MovePhase.SWITCHED), new VictimEffect.Prove(PROXY));
    }

    @Test
    void shouldWaitForTheOldSite_whenASwitchIsUndone() {
        untilSwitching();
        after(300, new VictimEvent.Tick());
        nowNanos += 1_000_000;
        ServerStatus other = new ServerStatus("app", "blog", 23, null, 1_000, 0, 0, 0, null, 7, 0, 0, null);
        assertThat(victim.on(new VictimEvent.Server(other, nowNanos), nowNanos)).isEmpty();

        assertThat(server(1, "app", 23, 0, null)).containsExactly(rollBackWord());
    }

    @Test
    void shouldIgnoreAStatus_whenItWasAskedForBeforeTheDrain() {
        untilDraining();
        ServerStatus idle = new ServerStatus("app", "shop", 19, null, 1_000, 0, 0, 0, null, 7, 0, 0, null);
        assertThat(victim.on(new VictimEvent.Server(idle, nowNanos - 1), nowNanos + 50_000_000))
                .isEmpty();
        assertThat(server(100, "app", 19, 0, null)).as("the first that counts").isEmpty();
    }

    @Test
    void shouldSwitchAndTellWhatIsUnderWay_whenTheDrainDeadlinePasses() {
        untilDraining();
        server(1, "app", 19, 2, null);
        ServerStatus file = new ServerStatus("app", "shop", 19, null, 1_000, 0, 9, 0, null, 7, 0, 0, null);
        assertThat(after(1, new VictimEvent.ServerFile(file, nowNanos)))
                .as("a file tells of no requests")
                .isEmpty();
        assertThat(after(1_000, new VictimEvent.Tick()))
                .containsExactly(
                        new VictimEffect.Reached(new MoveRecord(ORDER, MovePhase.DRAINED, null), 2),
                        journal(MovePhase.SWITCHING));
    }

    @Test
    void shouldTellWhatIsUnderWay_ofThisMoveAlone() {
        ordered();
        server(0, "app", 19, 2, null); // where nobody sends to it any more, the only one before the switch
        after(0, new VictimEvent.Journalled(true));
        after(0, new VictimEvent.Stop());
        assertThat(after(0, new VictimEvent.Answered(new CasOutcome.Won())))
                .contains(new VictimEffect.Reached(
                        new MoveRecord(ORDER, MovePhase.ROLLED_BACK, RollbackReason.AGENT_LEAVING), 2));
        ordered();
        after(0, new VictimEvent.Journalled(false));
        assertRolledBackBy(RollbackReason.JOURNAL_FAILED);
    }

    @Test
    void shouldProve_whenTheServerRunsTheNewRole() {
        untilSwitching();
        assertThat(server(1, "app", 19, 0, null)).isEmpty();
        assertThat(server(1, "proxy", 20, 9, null))
                .as("what it has now is the new role's")
                .containsExactly(reached(MovePhase.SWITCHED), new VictimEffect.Prove(PROXY));
    }

    @Test
    void shouldGoBack_whenTheServerRefuses() {
        untilSwitching();
        assertThat(server(1, "app", 19, 0, "no")).containsExactly(writeOld());
        after(0, new VictimEvent.Written());
        assertThat(server(1, "app", 21, 0, null)).containsExactly(rollBackWord());
        assertRolledBackBy(RollbackReason.SERVER_REFUSED);
    }

    @Test
    void shouldNotTakeAnOldRefusalForANewOne_whenItSwitches() {
        untilDraining();
        server(1, "app", 19, 0, "a file of last week");
        server(40, "app", 19, 0, "a file of last week");
        after(0, new VictimEvent.Journalled(true));
        after(0, new VictimEvent.Written());
        assertThat(server(1, "app", 19, 0, "a file of last week")).isEmpty();
        assertThat(server(1, "app", 19, 0, "this one")).containsExactly(writeOld());
    }

    /** In a folder that is read-only or full, the old file cannot be written either, and the server runs it still. */
    @Test
    void shouldServeAgainAtOnce_whenNoFileCanBeWrittenAndTheOldOneRuns() {
        untilSwitching();
        assertThat(server(1, "app", 19, 0, "stamp 20 as proxy: read-only")).containsExactly(writeOld());
        after(0, new VictimEvent.Written());
        assertThat(server(1, "app", 19, 0, "stamp 20 as proxy: read-only")).isEmpty();
        assertThat(server(1, "app", 19, 0, "stamp 21 as app: read-only")).containsExactly(rollBackWord());
        assertRolledBackBy(RollbackReason.SERVER_REFUSED);
    }

    @Test
    void shouldWaitForTheOldRole_whenItsFileIsRefusedWhileTheNewOneRuns() {
        untilProving();
        assertThat(after(1, new VictimEvent.Proof(false))).containsExactly(writeOld());
        after(0, new VictimEvent.Written());
        assertThat(server(1, "proxy", 20, 0, "stamp 21 as app: read-only")).isEmpty();
        assertThat(after(200, new VictimEvent.Tick())).containsExactly(rollBackWord());
    }

    @Test
    void shouldGoBack_whenTheFileCannotBeWritten() {
        untilDraining();
        server(1, "app", 19, 0, null);
        server(40, "app", 19, 0, null);
        after(0, new VictimEvent.Journalled(true));
        assertThat(after(0, new VictimEvent.NotWritten(RollbackReason.NOTHING_TO_RENDER)))
                .containsExactly(writeOld());
        assertThat(after(0, new VictimEvent.NotWritten(RollbackReason.WRITE_FAILED)))
                .containsExactly(rollBackWord());
        assertRolledBackBy(RollbackReason.NOTHING_TO_RENDER);
    }

    @Test
    void shouldGoBack_whenTheServerDoesNotSwitchInTime() {
        untilSwitching();
        assertThat(after(200, new VictimEvent.Tick())).containsExactly(writeOld());
        assertThat(after(200, new VictimEvent.Tick()))
                .as("not even the way back")
                .containsExactly(rollBackWord());
        assertRolledBackBy(RollbackReason.SWITCH_TIMED_OUT);
    }

    @Test
    void shouldGoBack_whenTheProofFails() {
        untilProving();
        assertThat(after(1, new VictimEvent.Proof(false))).containsExactly(writeOld());
    }

    @Test
    void shouldGoBack_whenTheProofTakesTooLong() {
        untilProving();
        assertThat(after(300, new VictimEvent.Tick())).containsExactly(writeOld());
        server(1, "app", 21, 0, null);
        assertRolledBackBy(RollbackReason.PROOF_TIMED_OUT);
    }

    @Test
    void shouldSetTheWord_whenProven() {
        untilProving();
        assertThat(after(1, new VictimEvent.Proof(true)))
                .containsExactly(reached(MovePhase.PROVEN), new VictimEffect.SetWord(ORDER, ORDER.completed()));
    }

    @Test
    void shouldEndActive_whenTheWordIsSet() {
        untilActivating();
        assertThat(after(1, new VictimEvent.Answered(new CasOutcome.Won())))
                .containsExactly(reached(MovePhase.ACTIVE), new VictimEffect.Announce(), new VictimEffect.Finished());
        assertThat(victim.isIdle()).isTrue();
    }

    @Test
    void shouldTryAgain_whenTheWordIsNotKnownToBeSet() {
        untilActivating();
        assertThat(after(1, new VictimEvent.Tick())).as("an answer is due").isEmpty();
        assertThat(after(1, new VictimEvent.Answered(new CasOutcome.Unresolved("?"))))
                .isEmpty();
        assertThat(after(1, new VictimEvent.Tick()))
                .containsExactly(new VictimEffect.SetWord(ORDER, ORDER.completed()));
        assertThat(after(1, new VictimEvent.Answered(new CasOutcome.Malformed(0))))
                .isEmpty();
        assertThat(after(1, new VictimEvent.Tick()))
                .containsExactly(new VictimEffect.SetWord(ORDER, ORDER.completed()));
        assertThat(after(1, new VictimEvent.Answered(new CasOutcome.Lost(ORDER.completed()))))
                .as("the first try had won")
                .isEqualTo(ACTIVE);
    }

    @Test
    void shouldFollowTheWord_whenALateSwapOvertakesTheRollback() {
        untilActivating();
        after(1, new VictimEvent.Answered(new CasOutcome.Unresolved("?")));
        assertThat(after(200, new VictimEvent.Tick())).containsExactly(writeOld());
        assertThat(server(1, "app", 21, 0, null)).containsExactly(rollBackWord());
        assertThat(after(1, new VictimEvent.Answered(new CasOutcome.Lost(ORDER.completed()))))
                .isEqualTo(ACTIVE);
    }

    @Test
    void shouldUndo_whenTheAgentLeavesBeforeTheSwitch() {
        for (Runnable until : List.<Runnable>of(this::ordered, this::untilDraining, this::untilRecording)) {
            until.run();
            assertThat(after(1, new VictimEvent.Stop())).containsExactly(rollBackWord());
            assertThat(after(1, new VictimEvent.Journalled(true)))
                    .as("too late")
                    .isEmpty();
            assertRolledBackBy(RollbackReason.AGENT_LEAVING);
        }
    }

    @Test
    void shouldFinish_whenTheAgentLeavesAfterTheSwitch() {
        untilSwitching();
        assertThat(after(1, new VictimEvent.Stop())).isEmpty();
        assertThat(server(1, "proxy", 20, 0, null))
                .containsExactly(reached(MovePhase.SWITCHED), new VictimEffect.Prove(PROXY));
    }

    @Test
    void shouldUndo_whenFoundBeforeTheSwitch() {
        assertThat(after(0, new VictimEvent.Found(ORDER, MovePhase.DRAINED))).containsExactly(rollBackWord());
        assertRolledBackBy(RollbackReason.FOUND_UNFINISHED);
    }

    /** Also where no file can be made yet: else who knows nobody takes a proxy away from its clients (seed 82594). */
    @Test
    void shouldFinish_whenFoundInTheSwitch() {
        assertThat(after(0, new VictimEvent.Found(ORDER, MovePhase.SWITCHING)))
                .containsExactly(reached(MovePhase.SWITCHING), new VictimEffect.WriteRole(PROXY, 20));
        assertThat(after(1, new VictimEvent.NotWritten(RollbackReason.NOTHING_TO_RENDER)))
                .isEmpty();
        assertThat(server(2, "proxy", 20, 0, null))
                .containsExactly(reached(MovePhase.SWITCHED), new VictimEffect.Prove(PROXY));
    }
}
