package dev.retier.undertow.role;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.config.ConfigProblem;
import dev.retier.config.HostPort;
import dev.retier.config.Parsed;
import dev.retier.testsupport.Seeded;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleFileTest {
    private static final String PROXY = """
            {"epoch": 7, "role": "proxy", "site": "shop", "managed-by": "retier agent", "apps": [
              {"node": "node-3", "address": "127.0.0.1:18003", "weight": 50},
              {"node": "node-4", "address": "[::1]:18004"}]}""";

    @Test
    void shouldReadAProxy() {
        RoleFile file = parse(PROXY).orThrow();
        assertThat(file)
                .isEqualTo(new RoleFile(
                        7,
                        Role.PROXY,
                        "shop",
                        List.of(
                                new AppTarget("node-3", new HostPort("127.0.0.1", 18_003), 50),
                                new AppTarget("node-4", new HostPort("::1", 18_004), 100)),
                        LetGo.NONE,
                        List.of()));
    }

    @Test
    void shouldReadWhoMayHaveForwarded() {
        String file = PROXY.replace("\"apps\"", "\"nodes\": [\"10.0.0.1\", \"fe80::1%eth0\", \"web-2.lan\"], \"apps\"");
        assertThat(parse(file).orThrow().nodes()).containsExactly("10.0.0.1", "fe80::1%eth0", "web-2.lan");
    }

    @Test
    void shouldReadWhichConnectionsGo() {
        String file = PROXY.replace("\"apps\"", "\"let-go\": {\"round\": 3, \"percent\": 17}, \"apps\"");
        assertThat(parse(file).orThrow().letGo()).isEqualTo(new LetGo(3, 17));
    }

    @Test
    void shouldReadAnAppAndASpare() {
        assertThat(parse("{\"epoch\": 0, \"role\": \"app\", \"site\": \"shop\", \"apps\": []}")
                        .orThrow()
                        .role())
                .isEqualTo(Role.APP);
        assertThat(parse("{\"epoch\": 9, \"role\": \"spare\"}").orThrow().site())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "                                                        | f:1: the file is empty",
                "{\"epoch\": 7,\\n\"role\" \"app\"}                      | f:2: not valid JSON",
                "[1]                                                     | f:1: expected keys with values",
                "{\"epoch\":1,\"role\":\"spare\",\"nodes\":[\"a:80\"]} | f:1: nodes[0]: \"a:80\" is not accepted",
                "{\"epoch\":1,\"epoch\":2,\"role\":\"spare\"}            | f:1: epoch: appears twice",
                "{\"epoch\":9007199254740992,\"role\":\"spare\"}      | epoch: 9007199254740992",
                "{\"epoch\":1,\"role\":\"spare\"} x                      | not valid JSON",
                "{\"epoch\":1.5,\"role\":\"spare\"}                      | epoch: 1.5 is not accepted",
                "{\"epoch\":-1,\"role\":\"spare\"}                       | epoch: -1 is not accepted",
                "{\"epoch\":99999999999999999999,\"role\":\"spare\"}     | epoch: 99999999999999999999 is not",
                "{\"epoch\":\"1\",\"role\":\"spare\"}                    | epoch: \"1\" is not accepted",
                "{\"role\":\"spare\"}                                    | epoch: missing",
                "{\"epoch\":1,\"role\":\"Proxy\"}                        | use one of proxy, app, spare",
                "{\"epoch\":1,\"role\":\"app\"}                          | site: missing",
                "{\"epoch\":1,\"role\":\"spare\",\"let-go\":{\"round\":1,\"percent\":1}} | let-go: only a proxy",
                "{\"epoch\":1,\"role\":\"proxy\",\"let-go\":{\"percent\":101}}      | let-go.percent: 101",
                "{\"epoch\":1,\"role\":\"app\",\"site\":\"../x\"}        | site: \"../x\" is not accepted",
                "{\"epoch\":1,\"role\":\"spare\",\"color\":1}            | color: unknown key",
                "{\"epoch\":1,\"role\":\"proxy\",\"site\":\"s\"}         | apps: a proxy without app nodes",
                "{\"epoch\":1,\"role\":\"proxy\",\"site\":\"s\",\"apps\":{}} | apps: keys with values is not",
                "{\"epoch\":1,\"role\":\"proxy\",\"site\":\"s\",\"apps\":[3]} | apps[0]: expected keys with values",
                "{\"epoch\":1,\"role\":\"app\",\"site\":\"s\",\"apps\":[{}]} | apps: only a proxy has app nodes"
            })
    void shouldRefuseWithPlaceAndRemedy(String json, String expected) {
        String text = json == null ? "" : json.replace("\\n", "\n");
        assertThat(problems(text.getBytes(StandardCharsets.UTF_8)))
                .anySatisfy(line -> assertThat(line).contains(expected).startsWith("f:"));
    }

    @Test
    void shouldReportEveryProblemAtOnce() {
        List<String> lines = problems("""
                {"epoch": -1, "role": "proxy", "site": 5, "typo": true, "apps": [
                  {"node": "a", "address": "127.0.0.1", "weight": 0},
                  {"node": "b\\u000ac", "address": "127.0.0.1:0", "x": 1}]}""".getBytes(StandardCharsets.UTF_8));
        assertThat(lines).hasSize(8).noneMatch(line -> line.contains("\n"));
        assertThat(String.join("\n", lines))
                .contains("apps[0].address", "apps[0].weight", "apps[1].node", "apps[1].x", "epoch", "site", "typo");
    }

    @Test
    void shouldRefuseTwins() {
        String twins = PROXY.replace("node-4", "node-3").replace("[::1]:18004", "127.0.0.1:18003");
        assertThat(problems(twins.getBytes(StandardCharsets.UTF_8))).hasSize(2);
    }

    @Test
    void shouldRefuse_whenLongOrDeepOrNoText() {
        assertThat(problems(new byte[(1 << 20) + 1])).singleElement().asString().contains("larger than");
        assertThat(problems(new byte[] {'{', (byte) 0xC3, '}'}))
                .singleElement()
                .asString()
                .contains("UTF-8");
        assertThat(problems("[".repeat(100_000).getBytes(StandardCharsets.UTF_8)))
                .hasSize(1);
    }

    @Seeded(tries = 300)
    void shouldAcceptOrRefuseButNeverFail_whenBytesAreChanged(SplittableRandom random) {
        byte[] bytes = PROXY.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        switch (RoleFile.parse(bytes, "f")) {
            case Parsed.Good<RoleFile>(RoleFile file) -> assertThat(file.apps()).hasSize(2);
            case Parsed.Refused<RoleFile>(List<ConfigProblem> problems) ->
                assertThat(problems).isNotEmpty();
        }
    }

    private static Parsed<RoleFile> parse(String json) {
        return RoleFile.parse(json.getBytes(StandardCharsets.UTF_8), "f");
    }

    private static List<String> problems(byte[] bytes) {
        return RoleFile.parse(bytes, "f") instanceof Parsed.Refused<RoleFile>(List<ConfigProblem> problems)
                ? problems.stream().map(ConfigProblem::toString).toList()
                : List.of();
    }
}
