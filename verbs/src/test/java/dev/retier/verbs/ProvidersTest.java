package dev.retier.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProvidersTest {
    @Test
    void shouldChooseSoftIwarp_whenNothingIsSaid() {
        assertThat(System.getProperty(Providers.PROPERTY)).isNull();
        assertThat(Providers.chosen()).isEqualTo(Providers.DEFAULT);
    }

    @Test
    void shouldChooseTheOneThatTheSystemPropertyNames_whateverItsCase() {
        System.setProperty(Providers.PROPERTY, "NATIVE");
        try {
            assertThat(Providers.chosen()).isEqualTo("native");
        } finally {
            System.clearProperty(Providers.PROPERTY);
        }
    }

    @Test
    void shouldListWhatThereIs_whenAnUnknownOneIsAskedFor() {
        assertThatThrownBy(() -> Providers.use("magic"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no verbs provider \"magic\" on the class path; there are [");
    }
}
