package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.bench.all.AllBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MeasuresTest {
    private static final Pattern AGENT = Pattern.compile("import (?:static )?dev\\.retier\\.agent\\.(\\w+)");

    @Test
    void shouldSayOfEachMeasurementWhatItDependsOn() {
        Bench.command().getSubcommands().values().stream()
                .map(command -> command.getCommand().getClass())
                .filter(measurement -> !measurement.equals(AllBench.class))
                .forEach(measurement -> {
                    Measures measures = measurement.getAnnotation(Measures.class);
                    assertThat(measures).as(measurement.getName()).isNotNull();
                    Path root = Path.of("..");
                    if (List.of(measures.modules()).contains("simulator")) {
                        assertThat(measures.modules())
                                .as("%s simulates proxies", measurement.getName())
                                .contains("balance");
                    }
                    assertThat(measures.modules()).allMatch(module -> Files.isDirectory(root.resolve(module)));
                    assertThat(Stream.of(measures.files())).allMatch(file -> Files.exists(root.resolve(file)));
                });
    }

    /** What simulated figures depend on: a record of them may not count as fresh while code that they run changed. */
    @Test
    void shouldKnowEachPackageOfTheAgentThatTheSimulatorRuns() throws IOException {
        Path agent = Path.of("../reconfig-agent/src/main/java/dev/retier/agent");
        Set<String> used = new TreeSet<>(packages(Path.of("../simulator/src/main")));
        for (String name : Measures.SIMULATED) {
            used.addAll(packages(agent.resolve(name)));
        }
        assertThat(used).containsExactlyInAnyOrderElementsOf(Measures.SIMULATED);
    }

    private static Set<String> packages(Path sources) throws IOException {
        Set<String> packages = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher matcher = AGENT.matcher(Files.readString(file));
                while (matcher.find()) {
                    packages.add(matcher.group(1));
                }
            }
        }
        return packages;
    }
}
