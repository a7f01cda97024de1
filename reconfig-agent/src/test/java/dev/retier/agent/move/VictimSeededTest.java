package dev.retier.agent.move;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.ServerKind;
import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.status.ServerStatus;
import dev.retier.state.CasOutcome;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.testsupport.Seeded;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A victim with a server, a journal and a word that fail at random, told things in any order. Safety: it never
 * switches before upstream proof and before the order is on disk, and the word only ever goes from the order to an
 * end. Liveness: once things work again, it ends in exactly one role, with the server in that role.
 */
class VictimSeededTest {
    private static final MoveRules RULES = new MoveRules(
            Duration.ofMillis(50),
            Duration.ofMillis(100),
            Duration.ofMillis(10),
            Duration.ofMillis(60),
            Duration.ofMillis(60),
            Duration.ZERO);

    private final List<String> story = new ArrayList<>();
    private final Deque<VictimEvent> answers = new ArrayDeque<>();
    private RoleWord word = RoleWord.active(0, 0, APP);
    private Role serverRole = APP;
    private long serverStamp = 1;
    private boolean isOnDisk;
    private boolean isUpstreamProven;
    private boolean isFinished;
    private boolean isCalm;
    private long nowNanos;

    @Seeded(tries = 400)
    void shouldEndInOneRole_whenAnythingFails(SplittableRandom random) {
        Victim victim = new Victim(Clusters.withMoves(Clusters.config(1, 1), RULES), ServerKind.NGINX.answersLate());
        for (long epoch = 1; epoch <= 3; epoch++) {
            orderAndPlay(victim, epoch, random);
        }
    }

    private void orderAndPlay(Victim victim, long epoch, SplittableRandom random) {
        word = word.ordered(epoch, 1, word.to().equals(APP) ? PROXY : APP);
        isOnDisk = false;
        isUpstreamProven = false;
        isFinished = false;
        isCalm = false;
        RoleWord order = word;
        tell(victim, new VictimEvent.Ordered(order), random);
        for (int step = 0; step < 200 && !isFinished; step++) {
            isCalm = step > 100;
            nowNanos += random.nextLong(8_000_000);
            tell(victim, any(random), random);
            tell(victim, new VictimEvent.Tick(), random);
        }
        assertThat(isFinished).as("ends in bounded time: %s", story).isTrue();
        assertThat(victim.isIdle()).isTrue();
        assertThat(word).as("%s", story).isIn(order.completed(), order.rolledBack());
        serverRole = word.to();
        serverStamp = Math.max(serverStamp, 2 * word.epoch() + 1);
    }

    private void tell(Victim victim, VictimEvent first, SplittableRandom random) {
        answers.add(first);
        while (!answers.isEmpty()) {
            VictimEvent event = answers.remove();
            story.add(event.toString());
            if (event instanceof VictimEvent.UpstreamSeen(boolean isProven)) {
                isUpstreamProven |= isProven && victim.isWaitingForUpstream();
            }
            for (VictimEffect effect : victim.on(event, nowNanos)) {
                story.add("  -> " + effect);
                carryOut(effect, random);
            }
        }
    }

    private void carryOut(VictimEffect effect, SplittableRandom random) {
        boolean isFailing = !isCalm && random.nextInt(4) == 0;
        switch (effect) {
            case VictimEffect.Journal _ -> {
                isOnDisk = !isFailing;
                answers.add(new VictimEvent.Journalled(isOnDisk));
            }
            case VictimEffect.WriteRole write -> write(write, isFailing);
            case VictimEffect.SetWord set -> setWord(set, isFailing, random);
            case VictimEffect.Finished _ -> isFinished = true;
            case VictimEffect.Reached _, VictimEffect.Prove _, VictimEffect.Announce _ -> {}
        }
    }

    private void write(VictimEffect.WriteRole write, boolean isFailing) {
        if (write.role().equals(word.to())) {
            assertThat(isOnDisk).as("switches before the journal: %s", story).isTrue();
            assertThat(isUpstreamProven)
                    .as("switches before upstream proof: %s", story)
                    .isTrue();
        }
        assertThat(write.stamp()).as("%s", story).isGreaterThanOrEqualTo(serverStamp);
        if (isFailing) {
            answers.add(new VictimEvent.NotWritten(RollbackReason.WRITE_FAILED));
        } else {
            serverRole = write.role();
            serverStamp = write.stamp();
            answers.add(new VictimEvent.Written());
        }
    }

    private void setWord(VictimEffect.SetWord set, boolean isFailing, SplittableRandom random) {
        if (set.next().serves(set.expected().to())) {
            assertThat(serverRole)
                    .as("says what it does not do: %s", story)
                    .isEqualTo(set.next().to());
        }
        boolean isSwapped = word.equals(set.expected()) && (!isFailing || random.nextBoolean());
        CasOutcome lost = new CasOutcome.Lost(word);
        if (isSwapped) {
            word = set.next();
        }
        CasOutcome clear = isSwapped ? new CasOutcome.Won() : lost;
        boolean isUnclear = isFailing || (!isSwapped && word.equals(set.expected()));
        answers.add(new VictimEvent.Answered(isUnclear ? new CasOutcome.Unresolved("?") : clear));
    }

    private VictimEvent any(SplittableRandom random) {
        return switch (random.nextInt(isCalm ? 3 : 6)) {
            case 0 -> new VictimEvent.UpstreamSeen(isCalm || random.nextInt(3) == 0);
            case 1 -> new VictimEvent.Proof(isCalm || random.nextBoolean());
            case 2 -> new VictimEvent.Server(status(random), nowNanos - (isCalm ? 0 : random.nextLong(3_000_000)));
            case 3 -> new VictimEvent.Journalled(false);
            case 4 -> new VictimEvent.Stop();
            default -> new VictimEvent.Tick();
        };
    }

    private ServerStatus status(SplittableRandom random) {
        boolean isLying = !isCalm && random.nextInt(5) == 0;
        int inFlight = isCalm ? 0 : random.nextInt(2);
        String role = serverRole.equals(PROXY) ? "proxy" : "app";
        return new ServerStatus(
                role, "shop", serverStamp, isLying ? "refused" : null, 1_000, 0, inFlight, 0, null, 1, 0, 0, null);
    }
}
