package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.DeniedAccess;
import dev.retier.verbs.NoDeviceException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DeniedAccessIT {
    /** Prints what a program gets there. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws IOException {
            try {
                Library.ofThisMachine();
            } catch (NoDeviceException denied) {
                System.out.println(denied.getMessage());
            }
        }
    }

    @Test
    void shouldNameTheFlag_whenNativeAccessIsDenied() throws IOException, InterruptedException {
        assertThat(DeniedAccess.output(Program.class))
                .startsWith("this program may not call native code (")
                .contains("start it with --enable-native-access=ALL-UNNAMED, or use the provider iwarp");
    }
}
