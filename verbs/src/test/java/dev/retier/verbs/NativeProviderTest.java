package dev.retier.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeProviderTest {
    @TempDir
    Path devices;

    private static final class Loaded extends RdmaProvider {
        @Override
        public RdmaCm openCm() {
            throw new UnsupportedOperationException();
        }

        @Override
        public RdmaVerbs openVerbs() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getVersion() {
            return 21;
        }
    }

    @Test
    void shouldSayHowToGetTheLibrary_whenItIsMissing() {
        NativeProvider provider = new NativeProvider(devices, () -> {
            throw new UnsatisfiedLinkError("no disni in java.library.path");
        });
        assertThatThrownBy(provider::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("libdisni cannot be loaded: build DiSNI 2.1's native library")
                .hasMessageContaining("or use the provider iwarp (no disni in java.library.path)");
    }

    @Test
    void shouldSayThatThereIsNoDevice_whenTheMachineHasNone() {
        assertThatThrownBy(() -> new NativeProvider(devices, Loaded::new).open())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no RDMA device in " + devices);
        assertThatThrownBy(() -> new NativeProvider(devices.resolve("none"), Loaded::new).open())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("or use the provider iwarp");
    }

    @Test
    void shouldNameItsDevices_whenTheMachineHasSome() throws IOException {
        Files.createDirectory(devices.resolve("siw0"));
        Files.createDirectory(devices.resolve("rxe0"));
        NativeProvider provider = new NativeProvider(devices, Loaded::new);
        assertThat(provider.open()).isInstanceOf(Loaded.class);
        assertThat(provider.description()).endsWith("devices [rxe0, siw0]");
    }
}
