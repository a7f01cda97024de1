package dev.retier.system;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.lang.ArchRule;
import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.DecisionRules;
import dev.retier.agent.config.MoveRules;
import dev.retier.agent.config.Timing;
import dev.retier.agent.decide.Policy;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** How many configured keys change a decision, in whatever block they are. */
class DecisionRulesTest {
    private static final int MOST = 8;

    private static List<String> components(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    /** All that decisions know of the configuration goes through the policy. */
    @Test
    void shouldReadNoOtherBlock() {
        ArchRule rule = noClasses()
                .that()
                .resideInAPackage("dev.retier.agent.decide")
                .and()
                .doNotBelongToAnyOf(Policy.class)
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Timing.class, MoveRules.class, ClusterConfig.class);

        rule.check(ImportTableTest.PRODUCT);
    }

    /** Sites say what they want, kinds what servers can do; settling and the longest move follow from other blocks. */
    @Test
    void shouldObeyOnlyWhatThePolicyHas() {
        assertThat(components(Policy.class))
                .containsExactly(
                        "mode", "rules", "publishInterval", "settling", "sites", "machines", "longestMove", "movable");
    }

    @Test
    void shouldBeFew_andEachInTheReadme() throws IOException {
        List<String> keys = components(DecisionRules.class).stream()
                .filter(name -> !name.equals("former"))
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .toList();
        String readme = Files.readString(Path.of("../reconfig-agent/README.md"));
        List<String> told = readme.lines()
                .filter(line -> line.startsWith("| `decision."))
                .map(line -> line.substring("| `decision.".length(), line.indexOf('`', "| `".length())))
                .distinct()
                .toList();

        assertThat(keys).hasSizeLessThanOrEqualTo(MOST);
        assertThat(told).containsExactlyElementsOf(keys);
    }
}
