package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.status.NginxServers.Server;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NginxServersTest {
    private static final Path FILE = Path.of("/etc/nginx/sites-enabled/shop");

    @Test
    void shouldReadEachFileOnce_fromADump() {
        String dump = """
                nginx: the configuration file /etc/nginx/nginx.conf syntax is ok
                # configuration file /etc/nginx/nginx.conf:
                http { include sites-enabled/*; }

                # configuration file /etc/nginx/sites-enabled/shop:
                server { }
                # configuration file /etc/nginx/sites-enabled/shop:
                server { }
                """;
        assertThat(NginxServers.files(dump))
                .isEqualTo(Map.of(
                        Path.of("/etc/nginx/nginx.conf"),
                        "http { include sites-enabled/*; }\n\n",
                        FILE,
                        "server { }\n"));
        assertThat(NginxServers.files("nginx: [emerg] no file")).isEmpty();
    }

    @Test
    void shouldFindServersWithTheirNamesAndPorts_whateverStandsBetween() {
        String text = """
                # server { server_name commented.example; }
                map $http_upgrade $connection { default "upgrade; }"; '' close; }
                server {
                    listen 127.0.0.1:8080 default_server; listen [::]:81;
                    listen unix:/run/x:90;
                    server_name shop.example
                        "www.shop.example";
                    set $x ${host}y;
                    location / { proxy_pass http://retier-apps; }
                }
                stream_thing { server { listen 9; } }
                server { server_name second.example\\;x; }
                """;
        List<Server> servers = NginxServers.in(FILE, text);

        assertThat(servers).hasSize(2);
        Server first = servers.getFirst();
        assertThat(first.names()).containsExactly("shop.example", "www.shop.example");
        assertThat(text.charAt(first.end())).isEqualTo('}');
        assertThat(text.substring(first.end())).startsWith("}\nstream_thing");
        assertThat(first.isAt(8_080) && first.isAt(81)).isTrue();
        assertThat(first.isAt(80) || first.isAt(90)).isFalse();
        assertThat(first.isDefaultAt(8_080)).isTrue();
        assertThat(first.isDefaultAt(81)).isFalse();
        assertThat(first.addresses(81)).containsExactly("[::]:81");
        assertThat(first.has(words -> words.equals(List.of("location", "/")))).isTrue();
        assertThat(first.has(words -> words.equals(List.of("proxy_pass", "http://retier-apps"))))
                .isTrue();
        Server second = servers.getLast();
        assertThat(second.names()).containsExactly("second.example\\;x");
        assertThat(second.isAt(80)).as("nginx's own port").isTrue();
        assertThat(second.has(words -> words.getFirst().equals("location"))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "shop.example, shop.example, true",
        "Shop.Example, shop.example, true",
        "www.shop.example, shop.example, false",
        "*.example, shop.example, true",
        "*.example, example, false",
        ".shop.example, shop.example, true",
        ".shop.example, www.shop.example, true",
        ".shop.example, workshop.example, false",
        "shop.*, shop.example, true",
        "shop.*, shopping.example, false",
        "~^(www\\.)?shop\\.example$, www.shop.example, true",
        "~^(www\\.)?shop\\.example$, www.shop.example.org, false",
        "~^(unclosed, shop.example, false",
        "_, shop.example, false",
    })
    void shouldKnowWhomNginxChooses_byName(String name, String host, boolean isNamed) {
        Server server = NginxServers.in(FILE, "server { server_name other.example '" + name + "'; }")
                .getFirst();
        assertThat(server.isNamed(host)).isEqualTo(isNamed);
    }

    @Test
    void shouldTellPortsAndRedirects() {
        Server ranged = NginxServers.in(FILE, "server { listen 8000-8002; return 301 https://x; }")
                .getFirst();
        assertThat(ranged.isAt(8_001)).isTrue();
        assertThat(ranged.isAt(8_003) || ranged.isAt(80)).isFalse();
        assertThat(ranged.redirects()).isTrue();
        assertThat(NginxServers.in(FILE, "server { location /old { return 302 /x; } }")
                        .getFirst()
                        .redirects())
                .isFalse();
        assertThat(List.of("80", "*:80", "0.0.0.0:80", "80-81")).allMatch(NginxServers::isWhole);
        assertThat(List.of("127.0.0.1:80", "[::]:80", "shop.example", "unix:/x"))
                .noneMatch(NginxServers::isWhole);
        assertThat(NginxServers.includes("http { include \"/etc/a b\"; # include /etc/c;\n include  /etc/d ; }"))
                .containsExactly("/etc/a b", "/etc/d");
    }

    @Test
    void shouldFindTheBlockHttp_orNone() {
        String text = "# http {\nevents { }\nhttp  {\n server { } }";
        assertThat(NginxServers.http(text)).contains(text.indexOf("\n server"));
        assertThat(NginxServers.http("events { }")).isEmpty();
        assertThat(NginxServers.in(FILE, text)).hasSize(1);
        assertThat(NginxServers.in(FILE, "server { listen 80; \""))
                .as("half a file")
                .isEmpty();
    }
}
