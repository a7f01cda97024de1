package dev.retier.cli.bundle.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.config.ClusterConfig;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnonymisingTest {
    private Anonymising names;

    @BeforeEach
    void setUp() {
        names = Anonymising.of(ClusterConfig.parse("""
                name: big-customer
                secret-file: /etc/retier/secret
                journal-directory: /var/lib/retier
                admin: {insecure: true}
                sites:
                  - {id: 4, name: shop, hosts: [www.shop.example], proxy: {min: 1, max: 2}, app: {min: 1, max: 2}}
                witnesses: [web-1]
                edges:
                  - {name: front, site: shop, kind: haproxy, program: /bin/h, address: "lb1.big.example:80",
                     pid-file: /run/h.pid, config: /etc/h.cfg, socket: /run/h.sock, file: /etc/retier/retier.cfg}
                volume-servers: [{node: web-10, address: "disks.big.example:18300"}]
                nodes:
                  - {id: 7, name: web-1, role: shop/proxy, rdma: "10.1.2.3:18100", agent: "10.1.2.3:18200",
                     server: {address: "rack-a.big.example:80", admin: "rack-a.big.example:81", role-file: "/run/a"}}
                  - {id: 8, name: web-10, role: shop/app, rdma: "[fd00::8]:18100", agent: "[fd00::8]:18200",
                     server: {address: "[fd00::8]:80", admin: "[fd00::8]:81", role-file: "/run/b"}}
                """, "cluster.yaml"));
        names.add("user", List.of("alice"));
    }

    @Test
    void shouldGiveANameTheSameOtherEverywhere() {
        assertThat(names.change("web-10: ordered web-1 to leave shop/app; /var/lib/retier/web-1/j, retier-x-Web-1-3"))
                .isEqualTo("node-8: ordered node-7 to leave site-4/app; /var/lib/retier/node-7/j, retier-x-node-7-3");
        assertThat(names.change("big-customer at www.shop.example, rack-a.big.example:80; alice asked"))
                .isEqualTo("cluster at host-1, host-2:80; user-1 asked");
    }

    @Test
    void shouldKnowTheHostsOfAllThatTheFileNames() {
        assertThat(names.change("lb1.big.example disks.big.example")).isEqualTo("host-3 host-4");
    }

    @Test
    void shouldLeaveWordsThatHaveANameInThem() {
        assertThat(names.change("workshop shopping web-100")).isEqualTo("workshop shopping web-100");
    }

    @Test
    void shouldGiveAddressesPlaceholders() {
        assertThat(names.change("10.1.2.3:80 127.0.0.1:1 10.1.2.30 [fd00::8]:2 10.1.2.3 ::1 at 12:34:56 0.0.0.0"))
                .isEqualTo("address-1:80 127.0.0.1:1 address-2 [address-3]:2 address-1 ::1 at 12:34:56 0.0.0.0");
    }

    @Test
    void shouldFindAnOriginalThatIsLeft() {
        assertThat(names.left("node-7 and SHOP")).contains("SHOP");
        assertThat(names.left(names.change("web-1 and SHOP"))).isEmpty();
    }

    @Test
    void shouldKeepOnlyTheLastLines() {
        assertThat(Tail.of("a\nb\nc\n", 2)).isEqualTo("b\nc\n");
        assertThat(Tail.of("a\nb\nc", 2)).isEqualTo("b\nc");
        assertThat(Tail.of("a\nb\n", 2)).isEqualTo("a\nb\n");
        assertThat(Tail.of("a\n", 5)).isEqualTo("a\n");
        assertThat(Tail.of("", 5)).isEmpty();
    }
}
