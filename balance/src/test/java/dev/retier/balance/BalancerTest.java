package dev.retier.balance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.balance.Balancer.Member;
import dev.retier.balance.Balancer.Standing;
import dev.retier.testsupport.Seeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BalancerTest {
    private static final long PERIOD_NANOS = 200_000_000;
    private static final long STALENESS_NANOS = 1_000_000_000;

    /** Apps as a test wants them. */
    private static final class Given implements Balancer.Apps {
        final int[] inFlight;
        final Standing[] standings;

        Given(int... inFlight) {
            this.inFlight = inFlight;
            this.standings = new Standing[inFlight.length];
            Arrays.fill(standings, Standing.IN_PLAY);
        }

        Given standing(Standing... others) {
            System.arraycopy(others, 0, standings, 0, others.length);
            return this;
        }

        @Override
        public int inFlight(int index) {
            return inFlight[index];
        }

        @Override
        public Standing standing(int index) {
            return standings[index];
        }
    }

    private static Balancer of(int... weights) {
        List<Member> members = new ArrayList<>();
        for (int weight : weights) {
            members.add(new Member("app-" + members.size(), weight));
        }
        return new Balancer(members, new SplittableRandom(1));
    }

    private static AppLoad load(int index, int inService, double requestsPerSecond, double capacity) {
        return new AppLoad("app-" + index, inService, 0.5, requestsPerSecond, capacity);
    }

    private static Loads loads(AppLoad... apps) {
        return new Loads(1, PERIOD_NANOS, STALENESS_NANOS, List.of(apps));
    }

    /** How many of so many requests each app gets; all are answered at once. */
    private static int[] dealt(Balancer balancer, int requests, Given apps) {
        int[] got = new int[apps.inFlight.length];
        for (int request = 0; request < requests; request++) {
            got[balancer.pick(apps, request)]++;
        }
        return got;
    }

    @Test
    void shouldPickNone_whenThereIsNoneOrAllAreOut() {
        assertThat(of().pick(new Given(), 3)).isEqualTo(-1);
        assertThat(of(100).pick(new Given(0).standing(Standing.OUT), 3)).isEqualTo(-1);
    }

    /** As another thread that has just failed to reach it benches the last app. */
    private static Balancer.Apps benchedOnceSeen() {
        return new Balancer.Apps() {
            private boolean isSeen;

            @Override
            public int inFlight(int index) {
                return 0;
            }

            @Override
            public Standing standing(int index) {
                Standing now = isSeen ? Standing.BENCHED : Standing.IN_PLAY;
                isSeen = true;
                return now;
            }
        };
    }

    @Test
    void shouldPickWhatItSaw_whenAnAppIsBenchedMeanwhile() {
        Balancer balancer = of(100);
        assertThat(balancer.pick(benchedOnceSeen(), 0)).as("by own requests").isZero();

        balancer.tell(loads(load(0, 1, 10, 100)));
        assertThat(balancer.pick(benchedOnceSeen(), 0)).as("by figures").isZero();
    }

    @Test
    void shouldPickTheLeastBusyForItsWeight_whenThereAreNoFigures() {
        assertThat(of(100, 400, 50).pick(new Given(2, 5, 1), 0)).isEqualTo(1);
    }

    @Test
    void shouldSpreadEqualApps_whenThereAreNoFiguresAndTheTurnChanges() {
        Balancer balancer = of(100, 100, 100);
        Given idle = new Given(0, 0, 0);
        assertThat(List.of(
                        balancer.pick(idle, 0),
                        balancer.pick(idle, 1),
                        balancer.pick(idle, 5),
                        balancer.pick(idle, Integer.MIN_VALUE)))
                .containsExactly(0, 1, 2, Math.floorMod(Integer.MIN_VALUE, 3));
    }

    @Test
    void shouldPickABenchedOne_whenNoOtherIsLeft() {
        Balancer balancer = of(100, 1, 1);
        balancer.tell(loads(load(0, 0, 100, 1000), load(1, 50, 100, 1000), load(2, 0, 100, 1000)));
        Given apps = new Given(0, 9, 0).standing(Standing.BENCHED, Standing.IN_PLAY, Standing.OUT);
        assertThat(balancer.pick(apps, 0)).isEqualTo(1);
        assertThat(balancer.pick(apps.standing(Standing.BENCHED, Standing.OUT), 0))
                .isZero();
    }

    @Test
    void shouldDealByCapacityAndWeight_whenAllHoldTheirShare() {
        Balancer balancer = of(100, 100, 50);
        balancer.tell(loads(load(0, 2, 100, 1000), load(1, 4, 200, 2000), load(2, 1, 50, 1000)));
        int[] got = dealt(balancer, 700, new Given(0, 0, 0));
        assertThat(got[0]).isBetween(199, 201);
        assertThat(got[1]).isBetween(399, 401);
        assertThat(got[2]).isBetween(99, 101);
    }

    @Test
    void shouldMakeGoodAPartOfWhatIsMissing_whenAppsHoldUnequalNumbers() {
        Balancer balancer = of(100, 100);
        // 40 requests come until the next figures; 30 are there, 15 each would be fair, and half of 15 are made good.
        balancer.tell(loads(load(0, 30, 100, 1000), load(1, 0, 100, 1000)));
        int[] got = dealt(balancer, 4000, new Given(0, 0));
        assertThat(got[0]).isBetween(1249, 1251);
    }

    @Test
    void shouldSendNothing_whenAnAppHoldsFarMoreThanItsShare() {
        Balancer balancer = of(100, 100, 100);
        balancer.tell(loads(load(0, 500, 100, 1000), load(1, 0, 100, 1000), load(2, 0, 100, 1000)));
        int[] got = dealt(balancer, 300, new Given(0, 0, 0));
        assertThat(got[0]).isZero();
        assertThat(got[1]).isBetween(149, 151);
    }

    @Test
    void shouldDealByCapacity_whenNothingIsAskedOrHeld() {
        Balancer balancer = of(100, 100);
        balancer.tell(loads(load(0, 0, 0, 1000), load(1, 0, 0, 3000)));
        assertThat(dealt(balancer, 400, new Given(0, 0))[0]).isBetween(99, 101);
    }

    @Test
    void shouldTakeAnAppForOneLikeTheOthers_whenItHasNoFigures() {
        Balancer balancer = of(100, 100, 100);
        balancer.tell(loads(load(0, 10, 100, 1000), load(1, 10, 100, 1000), load(2, 0, 0, 0)));
        assertThat(dealt(balancer, 300, new Given(0, 0, 0))[2]).isBetween(99, 101);
    }

    @Test
    void shouldLeaveAnApp_whenOwnRequestsStayThere() {
        Balancer balancer = of(100, 100, 100);
        balancer.tell(loads(load(0, 1, 100, 1000), load(1, 1, 100, 1000), load(2, 1, 100, 1000)));
        Given apps = new Given(0, 0, 0);
        int stuck = 0;
        for (int request = 0; request < 3000; request++) {
            int app = balancer.pick(apps, request);
            if (app == 0) {
                stuck++;
                apps.inFlight[0]++; // never answered; the others answer at once
            }
        }
        assertThat(stuck).isBetween(1, 4);
        apps.inFlight[0] = 0;
        int[] after = dealt(balancer, 300, apps);
        assertThat(after[0]).as("nothing was saved up meanwhile").isBetween(99, 102);
    }

    @Test
    void shouldGoBackToItsOwnRequests_whenFiguresAreForgotten() {
        Balancer balancer = of(100, 100);
        balancer.tell(loads(load(0, 500, 100, 1000), load(1, 0, 100, 1000)));
        assertThat(balancer.isTold()).isTrue();
        assertThat(balancer.pick(new Given(0, 1), 0)).isEqualTo(1);
        balancer.forget();
        assertThat(balancer.isTold()).isFalse();
        assertThat(balancer.pick(new Given(0, 1), 0)).isZero();
        balancer.tell(loads());
        assertThat(balancer.isTold()).as("figures of no app of its own").isFalse();
    }

    @Test
    void shouldLearnASpeed_whenAnAppDoesLessThanItTells() {
        Balancer balancer = of(100, 100, 100);
        for (int look = 0; look < 100; look++) {
            balancer.tell(loads(
                    new AppLoad("app-0", 0, 1, 50, 1000),
                    new AppLoad("app-1", 0, 0.9, 90, 1000),
                    new AppLoad("app-2", 0, 0.9, 90, 1000)));
        }
        assertThat(dealt(balancer, 500, new Given(0, 0, 0))[0])
                .as("167 if nothing was learnt")
                .isBetween(95, 120);
        Balancer next = balancer.successor(
                List.of(new Member("app-9", 100), new Member("app-0", 100)), new SplittableRandom(2));
        next.tell(loads(new AppLoad("app-0", 0, 0, 0, 1000), new AppLoad("app-9", 0, 0, 0, 1000)));
        assertThat(dealt(next, 300, new Given(0, 0))[1])
                .as("150 if nothing was learnt")
                .isBetween(90, 120);
    }

    @Test
    void shouldBelieveTheCapacity_whenWhatIsMeasuredIsWithinChance() {
        Balancer balancer = of(100, 100);
        for (int look = 0; look < 100; look++) {
            balancer.tell(loads(new AppLoad("app-0", 0, 0.9, 86, 1000), new AppLoad("app-1", 0, 0.9, 94, 1000)));
        }
        assertThat(dealt(balancer, 200, new Given(0, 0))[0]).isBetween(99, 101);
    }

    @Seeded(tries = 20)
    void shouldNotHerd_whenManyProxiesSeeTheSameFigures(SplittableRandom random) {
        int proxies = 64;
        int apps = 16;
        AppLoad[] figures = new AppLoad[apps];
        for (int app = 0; app < apps; app++) {
            figures[app] = load(app, app == 3 ? 0 : 2, 90, 1000);
        }
        int[] got = new int[apps];
        List<Member> members = Arrays.stream(figures)
                .map(figure -> new Member(figure.node(), 100))
                .toList();
        for (int proxy = 0; proxy < proxies; proxy++) {
            Balancer balancer = new Balancer(members, random);
            balancer.tell(loads(figures));
            int[] own = dealt(balancer, 4, new Given(new int[apps]));
            Arrays.setAll(got, app -> got[app] + own[app]);
        }
        // 256 requests over 16 apps; the idle one may get a little more, not all.
        assertThat(got[3]).isLessThan(40);
        assertThat(Arrays.stream(got).min().orElseThrow()).isGreaterThan(2);
    }

    /** Figures of an app that answers so many requests per second when it is all used, told by many looks. */
    private static void tellOften(Balancer balancer, double utilisationOfSlow, double utilisationOfFast) {
        for (int look = 0; look < 200; look++) {
            balancer.tell(loads(
                    new AppLoad("app-0", 0, utilisationOfSlow, 50 * utilisationOfSlow, 1_000),
                    new AppLoad("app-1", 0, utilisationOfFast, 100 * utilisationOfFast, 1_000)));
        }
    }

    @Test
    void shouldDealByWhatAppsDo_whenOneIsSlowerThanItsCapacitySays() {
        Balancer balancer = of(100, 100);
        tellOften(balancer, 0.9, 0.9);
        assertThat(dealt(balancer, 300, new Given(0, 0))[0]).isCloseTo(100, within(3));

        tellOften(balancer, 1, 0.31);
        assertThat(dealt(balancer, 300, new Given(0, 0))[0])
                .as("how much of each is used says nothing of how fast they are")
                .isCloseTo(100, within(3));
    }

    @Test
    void shouldGoOnWithTheTurnOfEachApp_whenTheirOrderChanges() {
        Balancer before = of(100, 100, 100);
        before.tell(loads(load(0, 0, 100, 1_000), load(1, 0, 100, 1_000), load(2, 0, 100, 1_000)));
        int[] got = dealt(before, 2, new Given(0, 0, 0));
        List<Member> rotated = List.of(new Member("app-1", 100), new Member("app-2", 100), new Member("app-0", 100));
        Balancer after = before.successor(rotated, new SplittableRandom(2));
        after.tell(loads(load(0, 0, 100, 1_000), load(1, 0, 100, 1_000), load(2, 0, 100, 1_000)));

        int next = (after.pick(new Given(0, 0, 0), 0) + 1) % 3;

        assertThat(got[next]).as("of three equal apps the third has its turn").isZero();
    }
}
