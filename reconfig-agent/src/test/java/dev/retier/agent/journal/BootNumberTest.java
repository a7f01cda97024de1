package dev.retier.agent.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.fixture.Clusters;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.Recovery;
import dev.retier.state.RoleWord;
import dev.retier.state.lock.LockWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootNumberTest {
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");
    private static final long SECONDS = Duration.ofDays(59).toSeconds();

    @TempDir
    @Nullable
    Path temporary;

    private Path folder() {
        return Objects.requireNonNull(temporary).resolve("node-1");
    }

    private BootNumber next(Instant now) {
        return BootNumber.next(folder(), now);
    }

    @Test
    void shouldBeTheSecondsOfTheClock_whenThereWasNoStartBefore() {
        assertThat(next(NOW)).isEqualTo(new BootNumber(SECONDS, null));
    }

    @Test
    void shouldGrowWithTheClock_whenItGoesOn() {
        next(NOW);
        assertThat(next(NOW.plus(Duration.ofDays(1)))).isEqualTo(new BootNumber(SECONDS + 86_400, null));
    }

    @Test
    void shouldNotGoBack_whenTheClockWasSetBack() {
        long first = next(NOW).value();
        long second = next(NOW.minus(Duration.ofHours(5))).value();
        long third = next(Instant.EPOCH).value();
        assertThat(second).isEqualTo(first + Recovery.STRIDE);
        assertThat(third).isEqualTo(second + Recovery.STRIDE);
        RoleWord word = RoleWord.active(3, 0, Clusters.APP);
        assertThat(word.atBoot(second)).isNotEqualTo(word.atBoot(first));
    }

    /** A life of few seconds may have had more fences than seconds. */
    @Test
    void shouldLeaveRoomForFences_whenStartsFollowEachOtherClosely() {
        long first = next(NOW).value();
        assertThat(next(NOW.plusSeconds(1)).value()).isEqualTo(first + Recovery.STRIDE);
    }

    /** Another witness may have started with a far higher number; what is forged must not spoil all starts. */
    @Test
    void shouldStartAboveTheTermsThatWereSeen_butNotAboveImpossibleOnes() throws IOException {
        long first = next(NOW).value();
        BootNumber.outgrow(folder(), first + 100_000);
        BootNumber.outgrow(folder(), first + 50_000);
        BootNumber.outgrow(folder(), LockWord.HIGHEST_TERM);
        assertThat(next(NOW)).isEqualTo(new BootNumber(first + 100_000 + Recovery.STRIDE, null));
    }

    @Test
    void shouldNotMakeUpANumber_whenThereIsNoneToRaise() throws IOException {
        BootNumber.outgrow(folder(), 100);
        assertThat(folder()).doesNotExist();
    }

    @Test
    void shouldTell_whenItIsDamaged() throws IOException {
        next(NOW);
        Files.writeString(folder().resolve("boot-number"), "12x");
        BootNumber next = next(NOW.plusSeconds(60));
        assertThat(next.value()).isEqualTo(SECONDS + 60);
        assertThat(next.told()).contains("boot-number holds no number of a start", "make sure that it is right");
        assertThat(next(NOW).told()).isNull();
    }

    @Test
    void shouldTell_whenItIsMissingBesideAJournal() {
        RoleWord order = RoleWord.active(6, 3, Clusters.APP).ordered(10, 4, Clusters.PROXY);
        try (Journal journal = Journal.open(folder(), 1_000_000, Clock.systemUTC())) {
            journal.append(new MoveRecord(order, MovePhase.ORDERED, null));
        }
        assertThat(next(NOW).told()).contains("boot-number is missing beside a journal");
    }

    @Test
    void shouldTell_whenItCannotBeKept() throws IOException {
        Files.writeString(folder(), "a file where a folder belongs");
        BootNumber next = next(NOW);
        assertThat(next.value()).isEqualTo(SECONDS);
        assertThat(next.told()).contains("boot-number cannot be written", "free space");
    }
}
