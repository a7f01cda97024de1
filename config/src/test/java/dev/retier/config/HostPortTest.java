package dev.retier.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:80, 127.0.0.1, 80",
        "[::1]:80, ::1, 80",
        "[fe80::1%eth0]:65535, fe80::1%eth0, 65535",
        "web-1.example:0, web-1.example, 0",
        "b\u00fccher.example:80, b\u00fccher.example, 80",
        "app~1:80, app~1, 80",
    })
    void shouldReadWhatItPrints_whenAnAddressIsGood(String text, String host, int port) {
        assertThat(HostPort.parse(text)).contains(new HostPort(host, port));
        assertThat(new HostPort(host, port)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                ":80",
                "[]:80",
                "host:",
                "host:x",
                "host:-1",
                "host:65536",
                "host:000080",
                "::1:80",
                "a b:80",
                " a:80",
                "a\tb:80",
                "a\r\nX-Header: b:80",
                "a\u0000:80",
                "a\u007f:80",
                "a;}\tserver{x\"$x:80",
                "a;}server{x:80",
                "${HOME}:80",
                "$(id):80",
                "a`id`:80",
                "a{{b}}:80",
                "a/b:80",
                "a@b:80",
                "a#b:80",
                "-o:80",
                "a\u202eb:80",
                "a\u001b[2J:80",
                "[::1;x]:80",
                "[::1%a;b]:80"
            })
    void shouldReadNothing_whenTheTextIsNoAddress(String text) {
        assertThat(HostPort.parse(text)).isEmpty();
    }

    @Test
    void shouldRefuse_whenHostOrPortIsNone() {
        assertThatThrownBy(() -> new HostPort("", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HostPort("a", 65_536)).isInstanceOf(IllegalArgumentException.class);
    }
}
