package dev.retier.bench.all;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RenewalTest {
    private static Due due(String name, String... missing) {
        return new Due(KnownRecord.missing(name), "no commit is named", List.of(missing));
    }

    @Test
    void shouldGoOn_whenOneFailsOrCannotBeMade() throws InterruptedException {
        List<String> made = new ArrayList<>();
        List<String> told = new ArrayList<>();

        boolean isGood = Renewal.run(
                List.of(due("a"), due("lab", "root", "haproxy"), due("b"), due("c")),
                record -> {
                    made.add(record.name());
                    if (record.name().equals("a")) {
                        throw new IOException("no space left");
                    }
                    return !record.name().equals("b");
                },
                told::add);

        assertThat(isGood).isFalse();
        assertThat(made).containsExactly("a", "b", "c");
        assertThat(told)
                .contains("2 of 4, lab: skipped, as there is no root, no haproxy", "failed: a, b")
                .anyMatch(line -> line.startsWith("1 of 4, a: FAILED: ") && line.contains("no space left"))
                .anyMatch(line -> line.startsWith("4 of 4, c: recorded"));
    }

    @Test
    void shouldBeGood_whenNothingFails() throws InterruptedException {
        assertThat(Renewal.run(List.of(due("a"), due("lab", "root")), _ -> true, _ -> {}))
                .isTrue();
    }
}
