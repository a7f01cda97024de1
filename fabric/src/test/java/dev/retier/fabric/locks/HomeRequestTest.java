package dev.retier.fabric.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.locks.HomeRequest.What;
import java.util.List;
import org.junit.jupiter.api.Test;

class HomeRequestTest {
    @Test
    void shouldGiveBackWhatWasPutIn_whenItIsDecoded() {
        for (What what : What.values()) {
            for (int number : new int[] {0, 7, 255}) {
                HomeRequest request = new HomeRequest(what, number, 0x123456789ABCDEFL, -5);
                assertThat(HomeRequest.decode(request.encode())).isEqualTo(request);
            }
        }
        assertThat(new HomeRequest(What.RENEW, 2, 3, 4).encode())
                .containsExactly(0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4);
        assertThat(new HomeRequest(What.ASK, 2, 3, 4).as(What.LEAVE)).isEqualTo(new HomeRequest(What.LEAVE, 2, 3, 4));
    }

    @Test
    void shouldRefuse_whenNothingCanHaveWrittenIt() {
        byte[] good = new HomeRequest(What.ASK, 255, 3, 4).encode();
        for (int what : new int[] {0, 4, 0x80}) {
            byte[] bad = good.clone();
            bad[3] = (byte) what;
            assertThatThrownBy(() -> HomeRequest.decode(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        byte[] tooHigh = good.clone();
        tooHigh[6] = 1;
        assertThatThrownBy(() -> HomeRequest.decode(tooHigh)).hasMessage("a request about number 511");
        tooHigh[4] = -1;
        assertThatThrownBy(() -> HomeRequest.decode(tooHigh)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> HomeRequest.decode(new byte[21])).hasMessage("a request of 21 bytes");
        assertThatThrownBy(() -> HomeRequest.decode(List.of("a", "b"), 3)).hasMessageContaining("code 3");
        assertThat(HomeRequest.decode(List.of("a", "b"), 2)).isEqualTo("b");
    }

    @Test
    void shouldGiveBackOrIgnoreAnAnswer_whenItIsDecoded() {
        for (int code = 1; code <= 3; code++) {
            HomeRequest.Answer answer = new HomeRequest.Answer(code, -9);
            assertThat(HomeRequest.Answer.decode(answer.encode())).contains(answer);
        }
        assertThat(HomeRequest.Answer.decode(new HomeRequest.Answer(0, 1).encode()))
                .isEmpty();
        assertThat(HomeRequest.Answer.decode(new HomeRequest.Answer(4, 1).encode()))
                .isEmpty();
        assertThat(HomeRequest.Answer.decode(new byte[11])).isEmpty();
        assertThat(HomeRequest.Answer.decode(new byte[0])).isEmpty();
    }
}
