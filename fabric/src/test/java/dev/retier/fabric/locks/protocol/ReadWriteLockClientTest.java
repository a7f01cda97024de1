package dev.retier.fabric.locks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.locks.protocol.ReadWriteLockHome.Standing;
import dev.retier.link.LeaseTimes;
import org.junit.jupiter.api.Test;

class ReadWriteLockClientTest {
    private static final Standing ABSENT = new Standing.Absent();

    private final ReadWriteLockClient client = new ReadWriteLockClient(new LeaseTimes(300));

    @Test
    void shouldActForTwoThirdsOfTheLeaseFromItsQuestion_whenItIsHeld() {
        client.answered(ABSENT, 0, 10);
        client.answered(new Standing.Held(7), 1000, 1050);

        assertThat(client.token()).isEqualTo(7);
        assertThat(client.isSafe(1199)).isTrue();
        assertThat(client.isSafe(1200)).isFalse();
    }

    @Test
    void shouldActLonger_whenItIsRenewed() {
        client.answered(new Standing.Held(7), 1000, 1050);
        client.answered(new Standing.Held(7), 1100, 1110);

        assertThat(client.isSafe(1299)).isTrue();
        assertThat(client.isSafe(1300)).isFalse();
    }

    @Test
    void shouldTakeNoAnswer_whenItComesAThirdOfALeaseLate() {
        client.answered(new Standing.Held(7), 1000, 1100);
        assertThat(client.isHeld()).isFalse();
        client.answered(new Standing.Held(7), 1000, 1099);
        assertThat(client.isHeld()).isTrue();
    }

    @Test
    void shouldKeepTheLock_whenAnOlderQuestionIsAnsweredLater() {
        client.answered(new Standing.Held(7), 1000, 1010);
        client.answered(ABSENT, 990, 1020);

        assertThat(client.isHeld()).isTrue();
    }

    @Test
    void shouldBeOver_whenTheHomeDeniesAQuestionAsOldAsTheProof() {
        client.answered(new Standing.Held(7), 1000, 1010);
        client.answered(ABSENT, 1000, 1020);

        assertThat(client.isHeld()).isFalse();
    }

    @Test
    void shouldBeOverForGood_whenTheHomeKnowsItNoMore() {
        client.answered(new Standing.Held(7), 1000, 1010);
        client.answered(ABSENT, 1100, 1110);
        client.answered(new Standing.Held(7), 1120, 1130);

        assertThat(client.isSafe(1130)).isFalse();
        assertThat(client.end()).isFalse();
    }

    @Test
    void shouldBeOver_whenTheTokenIsAnother() {
        client.answered(new Standing.Held(7), 1000, 1010);
        client.answered(new Standing.Held(8), 1100, 1110);

        assertThat(client.isSafe(1111)).isFalse();
    }

    @Test
    void shouldLeaveOnce_whenItEnds() {
        assertThat(client.end()).isTrue();
        assertThat(client.end()).isFalse();
        client.answered(new Standing.Held(7), 1000, 1010);
        assertThat(client.isHeld()).isFalse();
    }
}
