package dev.retier.webnode.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.Seeded;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SmallCoresTest {
    @Test
    void shouldTellClassesByTheFirstSegment() {
        assertThat(RequestClass.of("/static/a/b.png")).contains(RequestClass.STATIC);
        assertThat(RequestClass.of("/dynamic/")).contains(RequestClass.DYNAMIC);
        assertThat(RequestClass.of("/static")).isEmpty();
        assertThat(RequestClass.of("/statics/a")).isEmpty();
        assertThat(RequestClass.of("/a/static/b")).isEmpty();
        assertThat(RequestClass.of("")).isEmpty();
    }

    @Seeded(tries = 50)
    void shouldGiveTheSameBytes_whenPathAndLengthAreTheSame(SplittableRandom random) {
        String path = "/static/" + random.nextInt(1_000);
        int length = random.nextInt(5_000);
        byte[] body = SyntheticContent.body(path, length);
        assertThat(body).hasSize(length).isEqualTo(SyntheticContent.body(path, length));
        assertThat(SyntheticContent.body(path + "x", 40)).isNotEqualTo(SyntheticContent.body(path, 40));
        assertThat(SyntheticContent.entityTag(path, length)).isNotEqualTo(SyntheticContent.entityTag(path, length + 1));
    }

    @Test
    void shouldAllowKeeping_whenMaxAgeSaysSo() {
        assertThat(answer(200, "public, max-age=60").freshSeconds()).isEqualTo(60);
        assertThat(answer(200, "no-store, max-age=60").freshSeconds()).isZero();
        assertThat(answer(200, "private, max-age=60").freshSeconds()).isZero();
        assertThat(answer(404, "max-age=60").freshSeconds()).isZero();
        assertThat(answer(200, "max-age=soon").freshSeconds()).isZero();
        assertThat(answer(200, "max-age=99999999999999999999").freshSeconds()).isZero();
        assertThat(answer(200, null).freshSeconds()).isZero();
    }

    private static Answer answer(int status, @Nullable String cacheControl) {
        return new Answer(status, "text/plain", null, cacheControl, null, new byte[0]);
    }
}
