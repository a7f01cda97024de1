package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import dev.retier.verbs.NoDeviceException;
import dev.retier.verbs.Providers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said when something is missing, and when nothing is. */
class NativeVerbsTest {
    private static final String PACKAGES =
            "(Debian: libibverbs1 librdmacm1 ibverbs-providers;" + " Fedora and RHEL: libibverbs librdmacm)";

    private final FakeLibrary fake = new FakeLibrary();

    @TempDir
    Path devices;

    private NativeVerbs verbs;

    @BeforeEach
    void make() {
        verbs = new NativeVerbs(devices, () -> new Library(fake));
    }

    @Test
    void shouldNameThePackages_whenTheLibrariesLackAFunction() {
        assertThatThrownBy(() -> new Library(_ -> Optional.empty()))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("have no ibv_alloc_pd; install rdma-core's libraries " + PACKAGES);
    }

    @Test
    void shouldSayThatThereIsNoDevice_whenTheMachineHasNone() {
        assertThatThrownBy(verbs::open)
                .isInstanceOf(NoDeviceException.class)
                .hasMessageStartingWith("no RDMA device in " + devices + ": load the driver of one")
                .hasMessageEndingWith("or use the provider iwarp");
        assertThatThrownBy(() -> new NativeVerbs(devices.resolve("none"), () -> new Library(fake)).open())
                .isInstanceOf(NoDeviceException.class);
    }

    @Test
    void shouldNameThePackageOfDrivers_whenTheKernelKnowsADeviceAndTheLibraryDoesNot() throws IOException {
        Files.createDirectory(devices.resolve("rxe0"));
        fake.hasDriver = false;
        assertThatThrownBy(verbs::open)
                .isInstanceOf(NoDeviceException.class)
                .hasMessageStartingWith(
                        "libibverbs has no driver for [rxe0]: install Debian's package" + " ibverbs-providers");
    }

    @Test
    void shouldNameItsDevices_whenTheMachineHasSome() throws IOException {
        Files.createDirectory(devices.resolve("siw0"));
        Files.createDirectory(devices.resolve("rxe0"));
        assertThat(verbs.open()).isInstanceOf(RnicProvider.class);
        assertThat(verbs.description()).endsWith("devices [rxe0, siw0]");
    }

    @Test
    void shouldSayThatADriverOrARightIsLacking_whenTheKernelSaysSo() throws IOException {
        RnicProvider provider = new RnicProvider(new Library(fake));
        Providers.install(provider);
        RdmaCm cm = provider.openCm();
        fake.channelErrno = Remedies.ENOENT;
        assertThatThrownBy(cm::createEventChannel)
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("load the kernel's modules (modprobe -a rdma_ucm ib_uverbs)");
        fake.channelErrno = Remedies.EACCES;
        assertThatThrownBy(cm::createEventChannel)
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("see their modes, and DeviceAllow= in its unit");
        fake.channelErrno = 0;
        RdmaEventChannel channel = cm.createEventChannel();
        RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        fake.bindErrno = Remedies.ENODEV;
        assertThatThrownBy(() -> cm.bindAddr(id, new InetSocketAddress("192.0.2.1", 4711)))
                .as("it may come while the machine starts")
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NoDeviceException.class)
                .hasMessageEndingWith("no RDMA device has this address (retier devices lists those that have one)");
        fake.bindErrno = FakeLibrary.EINVAL;
        assertThatThrownBy(() -> cm.bindAddr(id, new InetSocketAddress("192.0.2.1", 4711)))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NoDeviceException.class);
    }
}
