package dev.retier.iwarp.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.RdmaCm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which provider a program gets that knows nothing of us: the jar first on the class path, and one property. */
class ProviderIT {
    @TempDir
    Path directory;

    /** A DiSNI program. */
    static final class Program {
        private Program() {}

        public static void main(String... arguments) throws Exception {
            IO.println(RdmaCm.open().getClass().getName());
        }
    }

    private String run(String... options) throws Exception {
        try (JavaProcess program = JavaProcess.start(directory, options, Program.class.getName())) {
            program.await(30);
            return program.output();
        }
    }

    @Test
    void shouldGetSoftIwarp_whenNothingIsSaid() throws Exception {
        assertThat(run()).contains("dev.retier.iwarp.verbs.IwarpCm");
    }

    @Test
    void shouldGetNoOther_whenNativeIsChosenAndItsJarIsNotThere() throws Exception {
        assertThat(run("-Dretier.rdma.provider=native"))
                .contains("no verbs provider \"native\" on the class path; there are [iwarp]")
                .doesNotContain("IwarpCm");
    }

    @Test
    void shouldFailAndSayWhatIsKnown_whenChoiceIsUnknown() throws Exception {
        assertThat(run("-Dretier.rdma.provider=magic"))
                .contains("no verbs provider \"magic\" on the class path; there are [iwarp]");
    }
}
