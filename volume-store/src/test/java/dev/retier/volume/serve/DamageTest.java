package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.disk.Scrub;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DamageTest {
    private static final long END = 30;
    private final Damage damage = new Damage();

    @BeforeEach
    void find() {
        damage.found(1);
        assertThat(damage.isThere()).isTrue();
    }

    /** Ten blocks, by that client. */
    private void look(long client, long first, boolean isWhole) {
        damage.looked(client, damage.findings(), first, new Scrub.Part(first + 10, 1, List.of(), isWhole), END);
    }

    @Test
    void shouldBeOver_onceAClientHadAllOfItRead() {
        look(1, 0, true);
        look(1, 10, true);
        assertThat(damage.isThere()).isTrue();
        look(1, 20, true);
        assertThat(damage.isThere()).isFalse();
        damage.found(1);
        assertThat(damage.isThere()).as("another one").isTrue();
    }

    @Test
    void shouldStay_whenAPartWasLeftOut() {
        look(1, 0, true);
        look(1, 20, true);
        look(1, 0, true);
        look(1, 10, false);
        look(1, 20, true);
        look(1, 0, true);
        look(2, 10, true);
        look(1, 20, true);
        assertThat(damage.isThere()).isTrue();
    }

    @Test
    void shouldStay_whenOneWasFoundMeanwhile() {
        look(1, 0, true);
        look(1, 10, true);
        damage.found(1);
        look(1, 20, true);
        assertThat(damage.isThere()).isTrue();

        long before = damage.findings();
        damage.found(1);
        damage.proven(before);
        assertThat(damage.isThere()).isTrue();
        damage.proven(damage.findings());
        assertThat(damage.isThere()).isFalse();
    }

    /** Every read of a disk that is gone finds one. */
    @Test
    void shouldBeToldOfEachBlockOnce_untilTheVolumeIsGoodAgain() {
        assertThat(damage.found(1)).as("it was found before").isFalse();
        damage.proven(damage.findings());
        assertThat(damage.found(1)).isTrue();
        for (long block = 2; block <= Damage.MOST_TOLD; block++) {
            assertThat(damage.found(block)).isTrue();
        }
        assertThat(damage.found(Damage.MOST_TOLD + 1)).isFalse();
    }
}
