package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.status.HttpdVirtualHosts.Named;
import dev.retier.agent.status.HttpdVirtualHosts.Section;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpdVirtualHostsTest {
    /** From Debian's httpd 2.4. */
    private static final String DUMP = """
            VirtualHost configuration:
            127.0.0.1:9912         x.example (/tmp/dx/a.conf:16)
            *:9912                 shop.example (/tmp/dx/a.conf:12)
            *:9911                 is a NameVirtualHost
                     default server default.example (/tmp/dx/a.conf:9)
                     port 9911 namevhost default.example (/tmp/dx/a.conf:9)
                     port 9911 namevhost shop.example (/tmp/dx/a.conf:12)
                             alias www.shop.example
                             wild alias *.b.example
            ServerRoot: "/usr/lib/apache2"
            """;

    private static final String FILE = """
            <VirtualHost *:80>
              ServerName https://Shop.example:443
              ServerAlias www.shop.example *.b.example a?.example
              IncludeOptional "/etc/retier/httpd/retier.conf"
              Include conf.d/*.conf
              SSLCertificateKeyFile  /etc/ssl/private/k.pem
            </VirtualHost>
            ServerName after.example
            """;

    @Test
    void shouldFindEachSectionOnce() {
        assertThat(HttpdVirtualHosts.sections(DUMP))
                .containsExactly(
                        new Section("x.example", "/tmp/dx/a.conf", 16),
                        new Section("shop.example", "/tmp/dx/a.conf", 12),
                        new Section("default.example", "/tmp/dx/a.conf", 9));
    }

    @Test
    void shouldKnowItsNames_whenTheyAreQuotedOrGoOnInTheNextLine() {
        List<String> text = List.of("  ServerName \"shop.example\"", "  ServerAlias a.example \\", "    'b.example'");

        assertThat(List.of("shop.example", "a.example", "b.example"))
                .allMatch(host -> HttpdVirtualHosts.isNamed(text, host));
        assertThat(HttpdVirtualHosts.isNamed(text, "c.example")).isFalse();
    }

    @Test
    void shouldKnowItsNames_whenHttpdTellsThem() {
        Section shop = new Section("shop.example", "/tmp/dx/a.conf", 12);
        Section other = new Section("default.example", "/tmp/dx/a.conf", 9);

        assertThat(List.of("Shop.example", "WWW.shop.example", "x.b.example"))
                .allMatch(host -> HttpdVirtualHosts.isTold(DUMP, shop, host))
                .noneMatch(host -> HttpdVirtualHosts.isTold(DUMP, other, host));
        assertThat(HttpdVirtualHosts.isTold(DUMP, shop, "b.example")).isFalse();
    }

    @Test
    void shouldKnowItsNames_andNoOthers() {
        List<String> text = HttpdVirtualHosts.text(FILE, 1);

        assertThat(List.of("shop.example", "SHOP.example", "www.shop.example", "x.b.example", "a1.example"))
                .allMatch(host -> HttpdVirtualHosts.isNamed(text, host));
        assertThat(List.of("example", "b.example", "a12.example", "after.example", "shopxexample"))
                .noneMatch(host -> HttpdVirtualHosts.isNamed(text, host));
    }

    @Test
    void shouldFindWhatItIncludes_itsEndAndKeys() {
        assertThat(HttpdVirtualHosts.includes(HttpdVirtualHosts.text(FILE, 1)))
                .containsExactly("/etc/retier/httpd/retier.conf", "conf.d/*.conf");
        assertThat(HttpdVirtualHosts.end(FILE, 1)).hasValue(7);
        assertThat(HttpdVirtualHosts.keys(FILE)).containsExactly(new Named(6, "/etc/ssl/private/k.pem"));
    }
}
