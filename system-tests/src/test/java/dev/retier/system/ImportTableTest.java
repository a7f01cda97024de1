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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table "who may import whom" of docs/ARCHITECTURE.md. */
class ImportTableTest {
    private static final String OURS = "dev.retier.";

    /** For each module's root package: the other modules' root packages that it may use. */
    private static final Map<String, List<String>> MAY_USE = Map.ofEntries(
            Map.entry("config", List.of()),
            Map.entry("report", List.of()),
            Map.entry("balance", List.of()),
            Map.entry("verbs", List.of()),
            Map.entry("iwarp", List.of("verbs")),
            Map.entry("rnic", List.of("verbs")),
            Map.entry("link", List.of("verbs")),
            Map.entry("fabric", List.of("link")),
            Map.entry("state", List.of("link")),
            Map.entry("volume", List.of("config", "link")),
            Map.entry("agent", List.of("balance", "config", "link", "state", "volume")),
            Map.entry("undertow", List.of("balance", "config")),
            Map.entry("webnode", List.of("config", "undertow")),
            Map.entry("traces", List.of()),
            Map.entry("load", List.of("config", "report", "traces")),
            Map.entry(
                    "sim",
                    List.of("balance", "config", "report", "link", "fabric", "state", "agent", "traces", "volume")),
            Map.entry(
                    "cli",
                    List.of(
                            "balance",
                            "config",
                            "report",
                            "verbs",
                            "iwarp",
                            "rnic",
                            "link",
                            "fabric",
                            "state",
                            "volume",
                            "agent",
                            "undertow",
                            "webnode",
                            "traces",
                            "load",
                            "sim")));

    static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/dev/retier/testsupport/"))
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

    /** A node's package has neither those commands nor the libraries that they alone need; see cli/pom.xml. */
    @Test
    void shouldNeedNothingOfTheTools_whenACommandIsForNodes() {
        String[] tools = Stream.of("demo", "fabric", "lab", "load", "simulate", "terminal", "tools", "trace", "view")
                .map(tool -> OURS + "cli." + tool + "..")
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(OURS + "cli..")
                .and()
                .resideOutsideOfPackages(tools)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(tools)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        OURS + "load..",
                        OURS + "sim..",
                        OURS + "fabric..",
                        OURS + "traces..",
                        "io.netty..",
                        "org.HdrHistogram..")
                .check(PRODUCT);
    }

    /** Each layer of iWARP uses those below it alone: MPA carries DDP, DDP carries RDMAP. */
    @Test
    void shouldKeepToTheLayersOfTheRfcs_whenIwarpImports() {
        List<String> upwards = List.of("wire", "mpa", "memory", "ddp", "rdmap", "tls", "net", "verbs");
        for (int i = 0; i < upwards.size(); i++) {
            String[] above = upwards.subList(i + 1, upwards.size()).stream()
                    .map(layer -> OURS + "iwarp." + layer)
                    .toArray(String[]::new);
            if (above.length > 0) {
                noClasses()
                        .that()
                        .resideInAPackage(OURS + "iwarp." + upwards.get(i))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(above)
                        .check(PRODUCT);
            }
        }
    }

    @Test
    void shouldReachDisniOnlyFromTheModulesThatSpeakVerbs() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "com.ibm.disni..",
                        "dev.retier.verbs..",
                        "dev.retier.iwarp..",
                        "dev.retier.rnic..",
                        "dev.retier.link",
                        "dev.retier.fabric",
                        "dev.retier.state.verbs..",
                        "dev.retier.volume.slots")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.ibm.disni..")
                .check(PRODUCT);
    }

    @Test
    void shouldBindALoggingBackEndOnlyInTheLauncher() {
        classes()
                .that()
                .resideOutsideOfPackages("dev.retier.cli..", "dev.retier.testsupport..")
                .should()
                .onlyDependOnClassesThat()
                .resideOutsideOfPackage("ch.qos.logback..")
                .check(PRODUCT);
    }
}
