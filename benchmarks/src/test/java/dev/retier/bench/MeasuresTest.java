package dev.retier.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.bench.all.AllBench;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MeasuresTest {
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
}
