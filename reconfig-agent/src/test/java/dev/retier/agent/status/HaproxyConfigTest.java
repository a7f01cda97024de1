package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.agent.status.HaproxyConfig.Section;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HaproxyConfigTest {
    private static final String TEXT = """
            # a comment
            global
            \tstats socket /run/haproxy/admin.sock mode 660 level admin
            \tstats socket unix@/run/haproxy/user.sock

              frontend web  # indented
                bind :80
                acl is_global path /global

            # about the next
            backend apps
                server one 10.0.0.1:80
            """;

    @Test
    void shouldFindSections_withTheLinesThatSaySomething() {
        List<Section> sections = HaproxyConfig.sections(TEXT);

        assertThat(sections).extracting(Section::keyword).containsExactly("global", "frontend", "backend");
        assertThat(sections).extracting(Section::start).containsExactly(1, 5, 10);
        assertThat(sections).extracting(Section::end).containsExactly(4, 8, 12);
        assertThat(sections.get(1).lines().getFirst()).containsExactly("frontend", "web");
        assertThat(HaproxyConfig.sections("# nothing\n")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        ":80, true",
        "*:80, true",
        "10.0.0.1:80, true",
        "[2001:db8::80]:81, false",
        "ipv4@10.0.0.1:80, true",
        "'10.0.0.1:81,10.0.0.2:80', true",
        ":79-81, true",
        ":81-99, false",
        ":8080, false",
        "/run/haproxy.sock, false",
        "fd@4, false"
    })
    void shouldKnowThePorts_ofABind(String address, boolean isBound) {
        Section section = HaproxyConfig.sections("frontend web\n bind " + address + " transparent\n")
                .getFirst();

        assertThat(section.isBoundTo(80)).isEqualTo(isBound);
    }

    @Test
    void shouldTellTheLevel_ofAStatsSocket() {
        List<Section> sections = HaproxyConfig.sections(TEXT);

        assertThat(HaproxyConfig.level(sections, "/run/haproxy/admin.sock")).contains("admin");
        assertThat(HaproxyConfig.level(sections, "/run/haproxy/user.sock")).contains("operator");
        assertThat(HaproxyConfig.level(sections, "/run/other.sock")).isEmpty();
    }
}
