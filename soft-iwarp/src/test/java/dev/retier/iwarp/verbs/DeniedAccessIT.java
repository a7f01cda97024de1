package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.DeniedAccess;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DeniedAccessIT {
    /** Prints what a program gets there that names memory by its address. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try {
                RawMemory.at(4096, 8);
            } catch (IllegalCallerException denied) {
                System.out.println(denied.getMessage());
            }
        }
    }

    @Test
    void shouldNameTheFlag_whenNativeAccessIsDenied() throws IOException, InterruptedException {
        assertThat(DeniedAccess.output(Program.class))
                .startsWith("memory by its address: start the program with --enable-native-access=ALL-UNNAMED (");
    }
}
