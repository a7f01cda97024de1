package dev.retier.undertow.programs;

import static org.assertj.core.api.Assertions.assertThat;

import io.undertow.Version;
import org.junit.jupiter.api.Test;

/** The build runs all tests of programs on two versions of Undertow, each on the one that it means. */
class VersionIT {
    @Test
    void shouldRunOnTheUndertowThatIsMeant() {
        assertThat(Version.getVersionString()).isEqualTo(System.getProperty("undertow.expected"));
    }
}
