package dev.retier.undertow.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HopMarkTest {
    @Test
    void shouldMarkAndRecogniseAForwardedRequest() {
        assertThat(HopMark.isForwarded(List.of())).isFalse();
        assertThat(HopMark.isForwarded(List.of("1.1 squid"))).isFalse();
        assertThat(HopMark.add(List.of(), "node-1")).isEqualTo("1.1 node-1 (retier)");
        String marked = HopMark.add(List.of("1.1 squid", "1.0 fred"), "node-1");
        assertThat(marked).isEqualTo("1.1 squid, 1.0 fred, 1.1 node-1 (retier)");
        assertThat(HopMark.isForwarded(List.of("1.1 other", marked)))
                .as("in any of several headers")
                .isTrue();
    }

    @Test
    void shouldSeeALoop_whenThreeNodesHaveMarkedARequest() {
        String twice = HopMark.add(List.of("1.1 node-1 (retier)"), "node-2");

        assertThat(HopMark.isLoop(List.of())).isFalse();
        assertThat(HopMark.isLoop(List.of(twice))).isFalse();
        assertThat(HopMark.isLoop(List.of(HopMark.add(List.of(twice), "node-1"))))
                .isTrue();
        assertThat(HopMark.isLoop(List.of(twice, "1.1 squid", "1.1 node-3 (retier)")))
                .isTrue();
    }
}
