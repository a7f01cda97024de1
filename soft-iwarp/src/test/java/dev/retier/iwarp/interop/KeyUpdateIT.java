package dev.retier.iwarp.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.iwarp.tls.KeyUpdates;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RFC 8446 section 4.6.3: keys are updated under way. */
class KeyUpdateIT {
    private static final int ROUNDS = 8;

    @TempDir
    private Path directory;

    @Test
    void shouldCarryAll_whenKeysAreUpdatedUnderWay() throws Exception {
        String[] options = {"-Djavax.net.debug=ssl:handshake:verbose"};
        try (JavaProcess program = JavaProcess.start(directory, options, KeyUpdates.class.getName())) {
            assertThat(program.await(60)).as(program.output()).isZero();

            assertThat(program.output().lines().filter("carried"::equals)).hasSize(ROUNDS);
            assertThat(program.output().lines().filter("answered"::equals))
                    .as("updates that were answered by who sends nothing else")
                    .hasSizeGreaterThanOrEqualTo(ROUNDS - 1);
            assertThat(program.output().lines().filter(line -> line.contains("Produced KeyUpdate post-handshake")))
                    .as("updates, as the JDK's trace tells them")
                    .hasSizeGreaterThan(ROUNDS);
        }
    }
}
