package dev.retier.system;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The table "who may import whom" of docs/ARCHITECTURE.md. */
class ImportTableTest {
    private static final String OURS = "dev.retier.";

    /** For each module's root package: the other modules' root packages that it may use. */
    private static final Map<String, List<String>> MAY_USE = Map.of(
            "report", List.of(),
            "iwarp", List.of(),
            "state", List.of(),
            "agent", List.of("state"),
            "webnode", List.of(),
            "load", List.of("report"),
            "sim", List.of("report", "state", "agent", "load"),
            "cli", List.of("report", "iwarp", "state", "agent", "webnode", "load", "sim"));

    static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.retier");

    @Test
    void shouldSeeEveryModule() {
        assertThat(MAY_USE.keySet())
                .allSatisfy(module -> assertThat(PRODUCT.stream()
                                .anyMatch(type -> (type.getPackageName() + ".").startsWith(OURS + module + ".")))
                        .as(module)
                        .isTrue());
    }

    @Test
    void shouldImportOnlyWhatTheTableAllows() {
        MAY_USE.forEach((module, allowed) -> {
            List<String> refused = new ArrayList<>();
            MAY_USE.keySet().stream()
                    .filter(other -> !other.equals(module) && !allowed.contains(other))
                    .forEach(other -> refused.add(OURS + other + ".."));
            if (!refused.isEmpty()) {
                noClasses()
                        .that()
                        .resideInAPackage(OURS + module + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(refused.toArray(String[]::new))
                        .check(PRODUCT);
            }
        });
    }

    @Test
    void shouldReachDisniOnlyFromTheModulesThatSpeakVerbs() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.retier.iwarp..", "dev.retier.state.verbs..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.ibm.disni..")
                .check(PRODUCT);
    }

    @Test
    void shouldBindALoggingBackEndOnlyInTheLauncher() {
        classes()
                .that()
                .resideOutsideOfPackage("dev.retier.cli..")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage("ch.qos.logback..")
                .check(PRODUCT);
    }
}
