package dev.retier.bench.all;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KnownRecordTest {
    private static final String TEXT = """
            # Title

            `./retier bench lab --nodes 7 --bursts 512,65536`, 2026-11-21T19:00:00Z

            | fact | value |
            |---|---|
            | commit | 09a04808ec |
            """;

    @Test
    void shouldReadTheCommandAndTheCommit() {
        assertThat(KnownRecord.parse("lab-long", TEXT))
                .hasValue(new KnownRecord(
                        "lab-long", List.of("lab", "--nodes", "7", "--bursts", "512,65536"), "09a04808ec", false));
        assertThat(KnownRecord.parse("lab-long", TEXT.replace("09a04808ec", "09a04808ec+")))
                .hasValueSatisfying(record -> assertThat(record.isDirty()).isTrue());
        assertThat(KnownRecord.parse("lab-long", TEXT.replace("09a04808ec", "unknown")))
                .hasValueSatisfying(record -> assertThat(record.commit()).isNull());
    }

    @Test
    void shouldLeaveOutWhatNoSingleMeasurementMade() {
        assertThat(KnownRecord.parse("long", TEXT.replace("bench lab", "test"))).isEmpty();
        assertThat(KnownRecord.parse("both", TEXT.replace("`, 2026", "` of two commits, 2026")))
                .isEmpty();
    }

    @Test
    void shouldRunTheSameCommand_intoAnotherFolder() {
        KnownRecord record = KnownRecord.parse("lab-long", TEXT).orElseThrow();

        assertThat(record.measurement()).isEqualTo("lab");
        assertThat(record.commandInto("there"))
                .containsExactly("lab", "--nodes", "7", "--bursts", "512,65536", "--record=there");
    }

    @Test
    void shouldKeepItsOwnName_whereTheMeasurementMadeOneText() {
        KnownRecord record = KnownRecord.parse("lab-long", TEXT).orElseThrow();

        assertThat(record.fileFor("lab.md", List.of("lab.html", "lab.md"))).isEqualTo("lab-long.md");
        assertThat(record.fileFor("lab.html", List.of("lab.html", "lab.md"))).isEqualTo("lab-long.html");
        assertThat(record.fileFor("a.md", List.of("a.md", "b.md"))).isEqualTo("a.md");
    }

    @Test
    void shouldDependOnTheModuleThatItNames() {
        KnownRecord one = new KnownRecord("m", List.of("mutation", "--module", "link"), "0123456", false);

        assertThat(one.modulesAmong(List.of("link", "fabric"))).containsExactly("link");
        assertThat(KnownRecord.missing("mutation").modulesAmong(List.of("link", "fabric")))
                .containsExactly("link", "fabric");
    }
}
