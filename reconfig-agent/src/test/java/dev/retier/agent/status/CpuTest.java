package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CpuTest {
    private static final String OLD = "5:cpu,cpuacct:/lab/node-1\n4:memory:/\n";
    private static final String UNIFIED = "0::/system.slice/apache2.service\n";

    @Test
    void shouldFindTheGroup_inBothVersions() {
        assertThat(CpuText.cgroup(OLD, "cpuacct")).contains("/lab/node-1");
        assertThat(CpuText.cgroup(OLD, "")).isEmpty();
        assertThat(CpuText.cgroup(UNIFIED, "")).contains("/system.slice/apache2.service");
        assertThat(CpuText.cgroup(UNIFIED, "cpuacct")).isEmpty();
    }

    @Test
    void shouldReadUsage_inBothVersions() {
        assertThat(CpuText.usageSeconds("usage_usec 2500000\nuser_usec 1\n")).hasValue(2.5);
        assertThat(CpuText.usageSeconds("nothing")).isEmpty();
        assertThat(CpuText.accountedSeconds("1500000000\n")).hasValue(1.5);
        assertThat(CpuText.accountedSeconds("")).isEmpty();
    }

    @Test
    void shouldReadLimits_inBothVersions() {
        assertThat(CpuText.limit("10000 100000\n")).hasValue(0.1);
        assertThat(CpuText.limit("max 100000\n")).isEmpty();
        assertThat(CpuText.limit("20000\n", "100000\n")).hasValue(0.2);
        assertThat(CpuText.limit("-1\n", "100000\n")).isEmpty();
    }

    @Test
    void shouldReadPeriods_inBothVersions() {
        String old = "nr_periods 2742\nnr_throttled 761\nthrottled_time 115982957104\n";
        String unified = "usage_usec 1\nuser_usec 1\nsystem_usec 0\nnr_periods 9\nnr_throttled 3\nthrottled_usec 5\n";
        assertThat(CpuText.periods(old)).isEqualTo(2742);
        assertThat(CpuText.throttled(old)).isEqualTo(761);
        assertThat(CpuText.periods(unified)).isEqualTo(9);
        assertThat(CpuText.throttled(unified)).isEqualTo(3);
        assertThat(CpuText.periods("")).isEqualTo(-1);
    }

    @Test
    void shouldTellThatAQuotaIsUsedUp_whenEachOfThreePeriodsHasHadToWait() {
        QuotaClock clock = new QuotaClock();
        long tenth = 100_000_000;
        assertThat(clock.after(1_000, 1_000, 7, 0))
                .as("what was before it looked")
                .isFalse();
        assertThat(clock.after(1_002, 1_002, 7.19, 2 * tenth)).as("two").isFalse();
        assertThat(clock.after(1_003, 1_003, 7.28, 3 * tenth)).as("three").isTrue();
        assertThat(clock.after(1_003, 1_003, 7.3, 4 * tenth))
                .as("none has ended since")
                .isTrue();
        assertThat(clock.after(1_005, 1_004, 7.5, 6 * tenth))
                .as("one did not wait")
                .isFalse();
        assertThat(clock.after(1_008, 1_007, 7.78, 9 * tenth)).isTrue();
    }

    @Test
    void shouldNotTellThatAQuotaIsUsedUp_whenNothingRunsOrItIsAnotherGroup() {
        QuotaClock clock = new QuotaClock();
        long second = 1_000_000_000;
        clock.after(0, 0, 0, 0);
        assertThat(clock.after(10, 10, 0.95, second)).isTrue();
        assertThat(clock.after(10, 10, 0.95, 2 * second + 1)).as("idle").isFalse();
        assertThat(clock.after(12, 12, 1.9, 3 * second)).as("two after that").isFalse();
        assertThat(clock.after(20, 20, 2.8, 4 * second)).isTrue();
        assertThat(clock.after(9, 9, 3.7, 5 * second)).as("another group").isFalse();
        assertThat(clock.after(19, 19, 4.6, 6 * second)).isTrue();
        assertThat(clock.after(29, 29, 0.9, 7 * second))
                .as("another server in the group")
                .isFalse();
        assertThat(clock.after(-1, -1, 1.8, 8 * second)).as("no quota").isFalse();
        assertThat(clock.after(30, 30, 2.7, 9 * second)).as("a quota again").isFalse();
    }

    @Test
    void shouldNotTellThatAServerUsesItsQuotaUp_whenItIsANeighbourWhoDoes() {
        QuotaClock clock = new QuotaClock();
        long second = 1_000_000_000;
        clock.after(0, 0, 0, 0);
        assertThat(clock.after(10, 10, 0.3, second)).isFalse();
        assertThat(clock.after(20, 20, 1.2, 2 * second)).as("its own now").isTrue();
        assertThat(clock.after(30, 30, 2.1, 3 * second)).isTrue();
        assertThat(clock.after(40, 40, 2.2, 4 * second)).isTrue();
        assertThat(clock.after(50, 50, 2.3, 5 * second))
                .as("the neighbour's again")
                .isFalse();
    }

    @Test
    void shouldReadAProcess_whateverItsName() {
        String stat = "42 (a) b) S 7 1 1 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 1 0 100 1 1";
        assertThat(CpuText.process(stat)).contains(new CpuText.ProcessTicks(7, 30, 70));
        assertThat(CpuText.process("42 (a) S 7")).isEmpty();
        assertThat(CpuText.process("")).isEmpty();
    }

    @Test
    void shouldCountWhicheverIsScarcer() {
        BusyClock clock = new BusyClock();
        long second = 1_000_000_000L;
        assertThat(clock.after(5, 0.5, 1, 0)).isZero();
        assertThat(clock.after(5.1, 0.5, 0.05, second))
                .as("0.1 s of 0.5 processors")
                .isCloseTo(0.2, within(1e-9));
        assertThat(clock.after(5.1, 0.5, 0.6, 2 * second)).as("places").isCloseTo(0.8, within(1e-9));
        assertThat(clock.after(9.9, 0.5, 0, 3 * second))
                .as("never more than all")
                .isCloseTo(1.8, within(1e-9));
        assertThat(clock.after(0.1, 0.5, 0, 4 * second)).as("restarted").isCloseTo(1.8, within(1e-9));
    }
}
