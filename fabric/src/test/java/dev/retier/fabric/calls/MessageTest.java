package dev.retier.fabric.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xFFFF})
    void shouldTakeAFunctionNumber_whenItIsWithinTheLimits(int function) {
        assertThat(Message.checked(function)).isEqualTo(function);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0x1_0000})
    void shouldRefuseAFunctionNumber_whenItIsBeyondTheLimits(int function) {
        assertThatThrownBy(() -> Message.checked(function))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("function " + function);
    }

    @Test
    void shouldNameTheCallAndCarryNothing_whenItCancels() {
        Message cancel = Message.cancel(7);

        assertThat(cancel.kind()).isEqualTo(Kind.CANCEL);
        assertThat(cancel.call()).isEqualTo(7);
        assertThat(cancel.body()).isEmpty();
    }

    @Test
    void shouldCarryThePlace_whenItOpens() {
        byte[] place = {1, 2};
        Message open = Message.open(place);

        assertThat(open.kind()).isEqualTo(Kind.OPEN);
        assertThat(open.body()).isSameAs(place);
    }
}
