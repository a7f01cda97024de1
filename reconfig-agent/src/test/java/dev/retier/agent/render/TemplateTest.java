package dev.retier.agent.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.render.Template.Filling;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TemplateTest {
    private static final Filling FILLING = new Filling(
            Map.of("a", "one", "name", "outer"),
            Map.of("yes", true, "no", false),
            Map.of("items", List.of(item("x", true), item("y", false)), "none", List.of()));

    private static Filling item(String name, boolean isIn) {
        return new Filling(Map.of("name", name), Map.of("in", isIn), Map.of());
    }

    private static String fill(String text) {
        return Template.parse(text).fill(FILLING);
    }

    @Test
    void shouldPutValuesIn_whenNamed() {
        assertThat(fill("a={{a}};\n")).isEqualTo("a=one;\n");
    }

    @Test
    void shouldKeepOrDropAPart_whenItHasAFlag() {
        assertThat(fill("{{#yes}}1{{/yes}}{{#no}}2{{/no}}{{^yes}}3{{/yes}}{{^no}}4{{/no}}{{^none}}5{{/none}}"))
                .isEqualTo("145");
    }

    @Test
    void shouldRepeatAPart_whenItHasItems() {
        assertThat(fill("{{#items}}\n- {{name}} of {{a}}{{#in}} in{{/in}}\n{{/items}}\nend {{name}}\n"))
                .isEqualTo("- x of one in\n- y of one\nend outer\n");
    }

    @Test
    void shouldRefuse_whenANameStandsForNothing() {
        assertThatThrownBy(() -> fill("{{b}}")).hasMessageContaining("{{b}}").hasMessageContaining("items, name");
        assertThatThrownBy(() -> fill("{{#b}}{{/b}}")).hasMessageContaining("{{b}}");
    }

    @Test
    void shouldRefuse_whenSectionsAreNotClosedInOrder() {
        assertThatThrownBy(() -> Template.parse("{{#yes}}")).hasMessageContaining("is not closed");
        assertThatThrownBy(() -> Template.parse("{{/yes}}")).hasMessageContaining("closes no open section");
        assertThatThrownBy(() -> Template.parse("{{#yes}}{{#no}}{{/yes}}{{/no}}"))
                .hasMessageContaining("{{/yes}} closes no open section");
        assertThatThrownBy(() -> Template.parse("{{#yes}}".repeat(20))).hasMessageContaining("nested deeper");
        assertThatThrownBy(() -> Template.parse("x".repeat(70_000))).hasMessageContaining("longer than");
    }

    @Test
    void shouldRefuse_whenAValueCouldBeReadAsMore() {
        Filling bad = new Filling(Map.of("a", "x\" evil"), Map.of(), Map.of());
        assertThatThrownBy(() -> Template.parse("{{a}}").fill(bad)).hasMessageContaining("no name or address");
    }
}
