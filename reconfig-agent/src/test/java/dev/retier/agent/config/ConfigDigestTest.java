package dev.retier.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigDigestTest {
    private static final String TWO_SITES = """
            name: example
            secret-env: S
            journal-directory: /var/lib/retier
            sites:
              - {id: 1, name: shop, priority: 1, guarantee: 500, proxy: {min: 1, max: 6}, app: {min: 1, max: 6}}
              - {id: 2, name: blog, priority: 1}
            nodes:
              - {id: 1, name: a, rdma: "h:1", agent: "localhost:2", role: shop/proxy,
                 server: {address: "h:3", admin: "h:4", role-file: /a}}
              - {id: 2, name: b, rdma: "h:5", agent: "localhost:6", role: blog/app,
                 server: {address: "h:7", admin: "h:8", role-file: /b}}
              - {id: 3, name: c, rdma: "h:9", agent: "localhost:10", role: spare,
                 server: {address: "h:11", admin: "h:12", role-file: /c}}
            witnesses: [a, b, c]
            """;

    private static final String SAME_TURNED_ROUND = """
            witnesses: [c, a, b]
            sites:
              - {name: blog, id: 2}
              - {app: {max: 6, min: 1}, proxy: {max: 6, min: 1}, guarantee: 500.0, name: shop, id: 1}
            nodes:
              - {server: {role-file: /c, admin: "h:12", address: "h:11", kind: web-node},
                 role: spare, agent: "localhost:10", rdma: "h:9", name: c, id: 3}
              - {id: 1, name: a, rdma: "h:1", agent: "localhost:2", role: shop/proxy,
                 server: {address: "h:3", admin: "h:4", role-file: /a}}
              - {id: 2, name: b, rdma: "h:5", agent: "localhost:6", role: blog/app,
                 server: {address: "h:7", admin: "h:8", role-file: /b}}
            journal-directory: /var/lib/retier
            secret-env: S
            name: example
            """;

    private static ClusterConfig parse(String text) {
        return ClusterConfig.parse(text, "a file");
    }

    private static ClusterConfig changed(String change) {
        String[] fromTo = change.split(" -> ", 2);
        assertThat(TWO_SITES).contains(fromTo[0]);
        return parse(TWO_SITES.replace(fromTo[0], fromTo[1]));
    }

    /** Which nodes serve volumes decides who is moved; where they listen does not. */
    @Test
    void shouldTellWhoServesVolumes() {
        String served = TWO_SITES + "volume-servers: [{node: b, address: \"h:20\"}]\n";
        assertThat(ConfigDigest.text(parse(served)))
                .isEqualTo(ConfigDigest.text(parse(TWO_SITES)) + "volume-server 2\n");
        assertThat(ConfigDigest.of(parse(served.replace("h:20", "h:21")))).isEqualTo(ConfigDigest.of(parse(served)));
    }

    @Test
    void shouldBe32BytesOfWhatMustAgree() {
        assertThat(ConfigDigest.of(parse(TWO_SITES)).remaining()).isEqualTo(32);
        assertThat(ConfigDigest.text(parse(TWO_SITES))).isEqualTo("""
                        retier cluster 1
                        cluster example lease PT2S
                        site 1 shop 1 500.0 1..6 1..6 PT0S
                        site 2 blog 1 null 1..256 1..256 PT0S
                        node 1 a web-node h:3 1/PROXY
                        node 2 b web-node h:7 2/APP
                        node 3 c web-node h:11 spare
                        witness 1
                        witness 2
                        witness 3
                        """);
    }

    /** Others would order it to do what it may not. */
    @Test
    void shouldTellOfTiers_whereTheyAreFewerThanItsKindCan() {
        assertThat(ConfigDigest.text(changed("role-file: /a} -> role-file: /a, tiers: [proxy]}")))
                .contains("\ntier 1 PROXY\nwitness 1\n");
        assertThat(ConfigDigest.text(changed("role-file: /a} -> role-file: /a, tiers: [proxy, app]}")))
                .isEqualTo(ConfigDigest.text(parse(TWO_SITES)));
    }

    @Test
    void shouldBeTheSame_whateverTheOrder() {
        assertThat(ConfigDigest.of(parse(SAME_TURNED_ROUND))).isEqualTo(ConfigDigest.of(parse(TWO_SITES)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: example -> name: other",
                "secret-env: S -> secret-env: S\ntiming: {lease: 4s}",
                "shop -> boutique",
                "id: 2, name: blog -> id: 3, name: blog",
                "priority: 1, guarantee -> priority: 2, guarantee",
                "guarantee: 500 -> guarantee: 501",
                ", guarantee: 500, proxy -> , proxy",
                "proxy: {min: 1 -> proxy: {min: 3",
                "proxy: {min: 1, max: 6 -> proxy: {min: 1, max: 5",
                "app: {min: 1 -> app: {min: 2",
                "app: {min: 1, max: 6 -> app: {min: 1, max: 5",
                "id: 3, name: c -> id: 4, name: c",
                "address: \"h:3\" -> address: \"h:33\"",
                "admin: \"h:4\" -> admin: \"h:4\", kind: httpd, config: /x, pid-file: /y",
                "role: blog/app -> role: blog/proxy",
                "role: spare -> role: shop/app",
                "name: blog -> name: blog, proxy-hold: 1s",
                "witnesses: -> edges:\n  - {name: front, site: blog, kind: target-list, file: /e}\nwitnesses:",
                "[a, b, c] -> [a]"
            })
    void shouldBeAnother_whenWhatMustAgreeDiffers(String change) {
        assertThat(ConfigDigest.of(changed(change))).isNotEqualTo(ConfigDigest.of(parse(TWO_SITES)));
    }

    @Test
    void shouldBeAnother_whenANodeHasAnotherName() {
        String renamed = TWO_SITES.replace("name: a,", "name: aa,").replace("[a, b, c]", "[aa, b, c]");

        assertThat(ConfigDigest.of(parse(renamed))).isNotEqualTo(ConfigDigest.of(parse(TWO_SITES)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "secret-env: S -> secret-env: S\nmode: observe",
                "secret-env: S -> secret-env: S\ntiming: {sensitivity: 1s}",
                "secret-env: S -> secret-env: S\ndecision: {take-history: 3s}",
                "secret-env: S -> secret-env: S\nmove: {drain-deadline: 3s}",
                "secret-env: S -> secret-env: T",
                "secret-env: S -> secret-env: S\nadmin: {tokens-file: /t}",
                "journal-directory: /var/lib/retier -> journal-directory: /var/lib/other",
                "rdma: \"h:1\" -> rdma: \"seen-from-here:1\"",
                "agent: \"localhost:2\" -> agent: \"localhost:22\"",
                "role-file: /a -> role-file: /b/a",
                "name: blog -> name: blog, proxy-hold: 0s",
                "name: blog -> name: blog, hosts: [blog.example]"
            })
    void shouldBeTheSame_whenWhatConcernsOneAgentDiffers(String change) {
        assertThat(ConfigDigest.of(changed(change))).isEqualTo(ConfigDigest.of(parse(TWO_SITES)));
    }
}
