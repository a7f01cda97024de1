package dev.retier.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProviderChoiceTest {
    private int opened;
    private boolean isLacking;

    private final ProviderChoice choice =
            new ProviderChoice(List.of(provider("one", new One()), provider("two", new Two())));

    private static class One extends RdmaProvider {
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
            return 1;
        }
    }

    private static final class Two extends One {}

    private VerbsProvider provider(String name, RdmaProvider opens) {
        return new VerbsProvider() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public String description() {
                return "device " + name + "-0";
            }

            @Override
            public RdmaProvider open() throws IOException {
                if (isLacking) {
                    throw new IOException(name + " lacks a device");
                }
                opened++;
                return opens;
            }

            @Override
            public boolean isMaker(RdmaProvider provider) {
                return provider.getClass().equals(opens.getClass());
            }
        };
    }

    @BeforeEach
    void forget() throws ReflectiveOperationException {
        Field used = RdmaProvider.class.getDeclaredField("provider");
        used.setAccessible(true);
        used.set(null, null);
    }

    @Test
    void shouldListWhatThereIs_whenNameIsUnknown() {
        assertThatThrownBy(() -> choice.use("three"))
                .isInstanceOf(IOException.class)
                .hasMessage("no verbs provider \"three\" on the class path; there are [one, two]");
    }

    @Test
    void shouldNameBoth_whenTwoHaveOneName() {
        ProviderChoice twins = new ProviderChoice(List.of(provider("one", new One()), provider("one", new Two())));
        assertThatThrownBy(() -> twins.use("one"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("two verbs providers are called one: ")
                .hasMessageContaining(ProviderChoiceTest.class.getName() + "$");
    }

    @Test
    void shouldOpenOnce_whenUsedTwice() throws IOException {
        choice.use("one");
        choice.use("one");
        assertThat(opened).isEqualTo(1);
        assertThat(RdmaProvider.provider()).isInstanceOf(One.class);
    }

    @Test
    void shouldRefuse_whenAnotherIsUsedAlready() throws IOException {
        choice.use("one");
        assertThatThrownBy(() -> choice.use("two"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("already uses the verbs provider one, not the verbs provider two");
        assertThat(opened).isEqualTo(1);
    }

    @Test
    void shouldRefuse_whenTheProgramInstalledAnother() {
        Providers.install(new One() {});
        assertThatThrownBy(() -> choice.use("one"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("this process already uses " + ProviderChoiceTest.class.getName() + "$")
                .hasMessageContaining("which something in it installed, not the verbs provider one");
        assertThat(opened).isZero();
    }

    @Test
    void shouldKeepWhatTheProgramInstalled_whenItIsOfThatName() throws IOException {
        One installed = new One();
        Providers.install(installed);
        choice.use("one");
        assertThat(RdmaProvider.provider()).isSameAs(installed);
        assertThat(opened).isZero();
    }

    @Test
    void shouldStayWithTheNameThatCouldNotBeHad_whenNothingElseIsAskedFor() throws IOException {
        isLacking = true;
        assertThatThrownBy(() -> choice.use("one")).hasMessage("one lacks a device");
        assertThatThrownBy(() -> choice.provider("two")).hasMessage("one lacks a device");
        isLacking = false;
        assertThat(choice.provider("two")).isExactlyInstanceOf(One.class);
    }

    @Test
    void shouldUseAnother_whenTheFirstCouldNotBeHad() throws IOException {
        isLacking = true;
        assertThatThrownBy(() -> choice.use("one")).hasMessage("one lacks a device");
        isLacking = false;
        choice.use("two");
        assertThat(choice.provider("one")).isInstanceOf(Two.class);
    }

    @Test
    void shouldRefuseAnother_whenTheProgramHasBegunWithTheChosenOne() throws IOException {
        assertThat(choice.provider("one")).isExactlyInstanceOf(One.class);
        assertThatThrownBy(() -> choice.use("two"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("already uses the verbs provider one, not the verbs provider two");
        choice.use("one");
        assertThat(opened).isEqualTo(1);
    }

    @Test
    void shouldTellProviderAndDeviceInOneLine_whenUsed() throws IOException {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        Logger log = (Logger) LoggerFactory.getLogger(ProviderChoice.class);
        log.setLevel(Level.INFO);
        log.addAppender(lines);
        choice.use("two");
        choice.use("two");
        log.detachAppender(lines);
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("RDMA verbs by provider two: device two-0");
    }
}
