package dev.retier.bench.all;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StalenessTest {
    private static final KnownRecord RECORD = new KnownRecord("lab", List.of("lab"), "0123456789", false);
    private static final List<String> DEPENDS = List.of("simulator/src/main", "traces/samples/worldcup-minutes.csv");

    @Test
    void shouldBeFresh_whenNothingThatItDependsOnChanged() {
        List<String> changed = List.of("README.md", "simulator/src/test/A.java", "simulator/src/mainly/B.java");

        assertThat(Staleness.reason(RECORD, DEPENDS, List.of())).isNull();
        assertThat(Staleness.reason(RECORD, DEPENDS, changed)).isNull();
    }

    @Test
    void shouldNameWhatChanged_inAFolderOrAFile() {
        assertThat(Staleness.reason(RECORD, DEPENDS, List.of("README.md", "simulator/src/main/java/A.java")))
                .isEqualTo("simulator/src/main/java/A.java changed");
        assertThat(Staleness.reason(
                        RECORD,
                        DEPENDS,
                        List.of("simulator/src/main/java/A.java", "traces/samples/worldcup-minutes.csv", "README.md")))
                .isEqualTo("simulator/src/main/java/A.java and 1 more changed");
    }

    @Test
    void shouldBeStale_whenItCannotBeToldFromWhatItWasMade() {
        KnownRecord never = KnownRecord.missing("lab");
        KnownRecord dirty = new KnownRecord("lab", List.of("lab"), "0123456789", true);

        assertThat(Staleness.reason(never, DEPENDS, null)).isEqualTo("no commit is named");
        assertThat(Staleness.reason(dirty, DEPENDS, List.of())).contains("differed", "0123456789");
        assertThat(Staleness.reason(RECORD, DEPENDS, null)).contains("0123456789", "not known");
    }
}
