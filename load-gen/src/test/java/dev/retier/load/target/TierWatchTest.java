package dev.retier.load.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class TierWatchTest {
    private final TierWatch watch = new TierWatch("shop");

    private static String status(String... rolesAndPhases) {
        StringBuilder json = new StringBuilder("{\"nodes\": [");
        for (int i = 0; i < rolesAndPhases.length; i += 2) {
            json.append(i == 0 ? "" : ",")
                    .append(String.format(
                            Locale.ROOT,
                            "{\"node\":\"n%d\",\"role\":\"%s\",\"phase\":\"%s\",\"serving\":true}",
                            i / 2,
                            rolesAndPhases[i],
                            rolesAndPhases[i + 1]));
        }
        return json.append("]}").toString();
    }

    @Test
    void shouldSeeAMove_whenANodeServesAnotherRole() {
        watch.offer(0.1, status("shop/proxy", "active", "shop/app", "active", "news/app", "active"));
        watch.offer(1, status("shop/proxy", "active", "shop/proxy", "ordered", "news/app", "active"));
        watch.offer(2, status("shop/proxy", "active", "shop/proxy", "active", "news/app", "active"));
        watch.offer(3, status("shop/proxy", "active", "shop/proxy", "active", "news/app", "active"));

        TierHistory history = watch.history();

        assertThat(history.sizes()).containsExactly(new TierHistory.Sizes(0, 1, 1), new TierHistory.Sizes(2, 2, 0));
        assertThat(history.moves()).containsExactly(new TierHistory.Move(2, "n1", "shop/app", "shop/proxy"));
    }

    @Test
    void shouldIgnore_whenTheAnswerIsNoStatus() {
        assertThat(watch.offer(1, "<html>")).isFalse();
        assertThat(watch.offer(1, "{\"nodes\": 7}")).isFalse();
        assertThat(watch.offer(1, "{\"nodes\": [{\"node\":\"n\",\"reading\":\"unreachable\"}]}"))
                .isTrue();

        assertThat(watch.history().sizes()).containsExactly(new TierHistory.Sizes(0, 0, 0));
    }

    @Test
    void shouldBeBounded_whenNodesFlap() {
        for (int i = 0; i < 2 * TierWatch.MAX_CHANGES; i++) {
            watch.offer(i, status(i % 2 == 0 ? "shop/proxy" : "shop/app", "active"));
        }

        assertThat(watch.history().moves()).hasSize(TierWatch.MAX_CHANGES);
        assertThat(watch.history().sizes()).hasSize(TierWatch.MAX_CHANGES);
    }
}
