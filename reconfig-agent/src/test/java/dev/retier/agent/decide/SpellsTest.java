package dev.retier.agent.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SpellsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long LOOK = SECOND / 5;

    private long now;
    private Spells spells = Spells.none(LOOK);

    /** Proxies take 1 unit a request, apps 2; {@code perSecond} are answered. */
    private void looks(Limit kind, double perSecond, double seconds) {
        long end = now + Math.round(seconds * SECOND);
        while (now < end) {
            now += LOOK;
            Load.Look figures = new Load.Look(perSecond, perSecond, 2 * perSecond, 0.5);
            spells = spells.after(new Spells.Seen(kind, 1000, figures, false), 0, now);
        }
    }

    @Test
    void shouldExpectAsMuchAgain_whenNothingIsRemembered() {
        looks(Limit.PROXY, 100, 2);

        assertThat(spells.elapsed(now)).isEqualTo(1.8, within(1e-9));
        assertThat(spells.left(now)).isEqualTo(1.8, within(1e-9));
        assertThat(spells.next()).isEmpty();
    }

    @Test
    void shouldExpectTheRestOfTheLongerOnes_whenSomeOfItsKindWereLonger() {
        for (double busy : new double[] {1, 2, 4}) {
            looks(Limit.PROXY, 100, busy);
            looks(Limit.APP, 50, 1);
        }
        looks(Limit.PROXY, 100, 1.4);

        assertThat(spells.elapsed(now)).isEqualTo(1.2, within(1e-9));
        assertThat(spells.left(now)).isEqualTo(3 - 1.2, within(1e-9));
        looks(Limit.PROXY, 100, 4);
        assertThat(spells.left(now)).as("the longest yet").isEqualTo(5.2, within(1e-9));
    }

    @Test
    void shouldRememberEight_andCountWhatWasAnswered() {
        for (int burst = 0; burst < 6; burst++) {
            looks(Limit.PROXY, 100, 1);
            looks(Limit.APP, 50, 2);
        }

        assertThat(spells.past()).hasSize(8);
        assertThat(spells.isRhythmKnown()).isTrue();
        assertThat(spells.past().getLast().kind()).isEqualTo(Limit.PROXY);
        assertThat(spells.past().getLast().seconds()).isEqualTo(1, within(1e-9));
        Spells.Work done = spells.past().getLast().done();
        assertThat(done.requests()).as("five looks at 100/s and 50/s").isEqualTo(90, within(1e-9));
        assertThat(done.proxyUnits()).isEqualTo(90, within(1e-9));
        assertThat(done.appUnits()).isEqualTo(180, within(1e-9));
        assertThat(spells.next()).allMatch(spell -> spell.kind() == Limit.PROXY).hasSize(4);
    }

    @Test
    void shouldCountNothing_whenALookWasBlind() {
        looks(Limit.PROXY, 100, 1);
        double before = spells.done().requests();
        now += SECOND;
        spells = spells.blind(now);
        looks(Limit.PROXY, 100, 0.2);

        assertThat(spells.done().requests()).isEqualTo(before + 20, within(1e-9));
        assertThat(spells.elapsed(now)).isEqualTo(2, within(1e-9));
    }

    @Test
    void shouldLearnOnce_whenLooksFollowEachOtherSoonerThanFiguresAreNew() {
        looks(Limit.PROXY, 100, 2);
        Load.Look odd = new Load.Look(10, 100, 20, 0.5);
        for (int glance = 0; glance < 30; glance++) {
            now += SECOND / 250;
            spells = spells.after(new Spells.Seen(Limit.PROXY, 1000, odd, false), LOOK / 2, now);
        }
        assertThat(spells.load(Limit.PROXY).asked().samples())
                .as("thirty looks within 120 ms")
                .filteredOn(asked -> asked < 50)
                .hasSize(1);
    }

    @Test
    void shouldLearnNoUnits_whenNothingIsAnswered() {
        looks(Limit.PROXY, 100, 2);
        Load before = spells.load(Limit.PROXY);

        assertThat(before.with(new Load.Look(0, 2000, 0, 1))).as("all hang").isEqualTo(before);
        Load calm = before.with(new Load.Look(0, 0, 0, 0));
        assertThat(calm.proxyUnits()).isEqualTo(before.proxyUnits());
        assertThat(calm.asked().samples()).endsWith(0.0);
    }

    @Test
    void shouldBeBoundToLast_whenEveryOneOfItsKindHas() {
        for (double busy : new double[] {1, 1.4}) {
            looks(Limit.PROXY, 100, busy);
            looks(Limit.APP, 50, 0.6);
        }
        looks(Limit.PROXY, 100, 0.2);

        assertThat(spells.isBoundToLast(Limit.PROXY, 1)).isTrue();
        assertThat(spells.isBoundToLast(Limit.PROXY, 1.2)).as("one was shorter").isFalse();
        assertThat(spells.isBoundToLast(Limit.APP, 0.6))
                .as("not the present kind")
                .isFalse();
        assertThat(spells.isEachBoundToLast(0.6)).isTrue();
        assertThat(spells.isEachBoundToLast(1))
                .as("the apps' spells are shorter")
                .isFalse();
    }

    @Test
    void shouldBeBoundToNothing_whenFewSpellsAreKnownOrNoneOfItsKind() {
        looks(Limit.PROXY, 100, 2);
        looks(Limit.APP, 50, 2);
        looks(Limit.PROXY, 100, 2);
        assertThat(spells.isBoundToLast(Limit.PROXY, 1)).as("two are over").isFalse();

        for (int burst = 0; burst < 4; burst++) {
            looks(Limit.NEITHER, 10, 2);
            looks(Limit.PROXY, 100, 2);
        }
        looks(Limit.APP, 50, 0.2);
        assertThat(spells.isBoundToLast(Limit.APP, 1))
                .as("none of its kind is left")
                .isFalse();
    }

    @Test
    void shouldAnswerWhatTheScarcerTierCarries_andNoMoreThanIsAsked() {
        looks(Limit.PROXY, 100, 2);
        Load load = spells.load(Limit.PROXY);

        assertThat(load.answered(new Capacity(100, 1000), 0.8)).isEqualTo(80);
        assertThat(load.answered(new Capacity(1000, 100), 0.8)).isEqualTo(40);
        assertThat(load.answered(new Capacity(1000, 1000), 0.8))
                .as("half way to all used little waits")
                .isEqualTo(100 / (1 - Math.pow(0.5, 6)), within(1e-9));
        assertThat(load.answered(new Capacity(1000, 0), 0.8)).isZero();
    }

    @Test
    void shouldTakeATierThatIsAllUsed_forOneThatIsAskedForAnyNumber() {
        Load load = Load.none().with(new Load.Look(10, 10, 1, 1));

        assertThat(load.answered(new Capacity(1e6, 1e6), 1)).isEqualTo(640);
    }
}
