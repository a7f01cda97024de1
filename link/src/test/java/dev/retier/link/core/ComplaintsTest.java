package dev.retier.link.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
    private final Complaints complaints = new Complaints();

    @Test
    void shouldTellOnceAnHour_whenOneSubjectGoesOn() {
        assertThat(complaints.tells("10.0.0.1", 5)).isTrue();
        assertThat(complaints.tells("10.0.0.1", 4 + TimeUnit.HOURS.toNanos(1))).isFalse();
        assertThat(complaints.tells("10.0.0.1", 5 + TimeUnit.HOURS.toNanos(1))).isTrue();
    }

    @Test
    void shouldTellTwentyInAnyMinute_whenThereAreManySubjects() {
        long second = TimeUnit.SECONDS.toNanos(1);
        int told = 0;
        for (int i = 0; i < 600; i++) {
            told += complaints.tells("10.0." + i, i * second / 10) ? 1 : 0;
        }
        assertThat(told).as("in a minute").isEqualTo(Complaints.LINES_PER_MINUTE);
        assertThat(complaints.tells("10.0.700", 60 * second)).as("room again").isTrue();
    }

    @Test
    void shouldTellAsManyAgain_whenTheNextMinutesAreAsBad() {
        long second = TimeUnit.SECONDS.toNanos(1);
        for (int minute = 0; minute < 3; minute++) {
            int told = 0;
            for (int i = 0; i < 60; i++) {
                told += complaints.tells(minute + " and " + i, (60L * minute + i) * second) ? 1 : 0;
            }
            assertThat(told).as("in minute " + minute).isEqualTo(Complaints.LINES_PER_MINUTE);
        }
    }

    @Test
    void shouldKnowAllForAnHour_whenThereIsALineForEach() {
        long gap = TimeUnit.MINUTES.toNanos(1) / Complaints.LINES_PER_MINUTE;
        int perHour = 60 * Complaints.LINES_PER_MINUTE;
        for (int i = 0; i < perHour; i++) {
            assertThat(complaints.tells("10.0." + i, i * gap)).isTrue();
        }
        for (int i = 0; i < perHour; i++) {
            assertThat(complaints.tells("10.0." + i, perHour * gap - 1))
                    .as("known")
                    .isFalse();
        }
        assertThat(complaints.tells("10.0.0", perHour * gap))
                .as("after an hour")
                .isTrue();
    }
}
