package dev.retier.bench.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class VolumesBenchTest {
    @ParameterizedTest
    @ValueSource(strings = {"--database", "--only=A", "--peers=tcp", "--rounds=3"})
    void shouldRefuseWhatADayWouldIgnore(String option) {
        StringWriter said = new StringWriter();

        int exit = new CommandLine(new VolumesBench())
                .setErr(new PrintWriter(said))
                .execute("--day", option);

        assertThat(exit).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(said.toString()).contains(option.split("=", 2)[0] + " says nothing about a day");
    }
}
