package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.verbs.DeviceAttributes;
import dev.retier.verbs.Providers;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a device tells of itself. */
class DeviceAttributesTest {
    private final FakeLibrary fake = new FakeLibrary();

    private DeviceAttributes device() throws IOException {
        Library library = new Library(fake);
        Providers.install(new RnicProvider(library));
        return RnicContext.at(library, fake.context);
    }

    /** {@code IBV_ATOMIC_NONE}, {@code IBV_ATOMIC_HCA}, {@code IBV_ATOMIC_GLOB}. */
    @ParameterizedTest
    @CsvSource({"0,false,false", "1,true,false", "2,true,true"})
    void shouldExcludeProcessors_whenItsAtomicsAreGlobal(int told, boolean hasAtomics, boolean excludes)
            throws IOException {
        fake.atomicCap = told;
        assertThat(device().hasAtomics()).isEqualTo(hasAtomics);
        assertThat(device().excludesProcessors()).isEqualTo(excludes);
    }

    @Test
    void shouldHaveImmediates_unlessItSpeaksIwarp() throws IOException {
        assertThat(device().hasImmediates()).isTrue();
        fake.transport(1);
        assertThat(device().hasImmediates()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"5,5", "0,6", "1,1"})
    void shouldReadIntoAsManyElementsAsAnyOther_whenTheDriverDoesNotSay(int told, int expected) throws IOException {
        fake.maxReadElements = told;
        assertThat(device().maxReadElements()).isEqualTo(expected);
        assertThat(device().maxElements()).isEqualTo(6);
    }
}
