package dev.retier.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9112 section 6. */
class RequestFramingTest {
    private static int status(boolean isOld, List<String> codings, List<String> lengths) {
        return RequestFraming.refusal(isOld, codings, lengths)
                .map(RequestFraming.Refusal::status)
                .orElse(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "5", " 5 ", "007", "999999999999999999"})
    void shouldTakeALength_whenItIsANumber(String length) {
        assertThat(status(false, List.of(), List.of(length))).isZero();
        assertThat(status(true, List.of(), List.of(length))).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "+5", "-1", "5, 5", "0x5", "5 5", "1000000000000000000", "18446744073709551616", "٥"})
    void shouldRefuseALength_whenItIsNoneOrOverflows(String length) {
        assertThat(status(false, List.of(), List.of(length))).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"xchunked", "identity", "chunked, identity", "gzip, chunked", "chunked, chunked", "chunked;q", ""
            })
    void shouldNotImplementACoding_whenItIsNotChunkedAlone(String coding) {
        assertThat(status(false, List.of(coding), List.of())).isEqualTo(501);
    }

    @Test
    void shouldTakeChunked_whenItStandsAlone() {
        assertThat(status(false, List.of(" Chunked"), List.of())).isZero();
        assertThat(status(false, List.of(), List.of())).isZero();
    }

    @Test
    void shouldRefuse_whenFieldsContradictEachOther() {
        assertThat(status(false, List.of("chunked", "chunked"), List.of())).isEqualTo(501);
        assertThat(status(false, List.of("chunked"), List.of("5"))).isEqualTo(400);
        assertThat(status(true, List.of("chunked"), List.of())).isEqualTo(400);
        assertThat(status(false, List.of(), List.of("5", "5"))).isEqualTo(400);
    }
}
