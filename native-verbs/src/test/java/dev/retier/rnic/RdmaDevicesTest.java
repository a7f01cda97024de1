package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.verbs.NoDeviceException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RdmaDevicesTest {
    private final FakeLibrary fake = new FakeLibrary();

    @TempDir
    Path interfaces;

    @AfterEach
    void leavesNothingOpen() {
        assertThat(fake.opened).as("devices that are open").isZero();
        assertThat(fake.lists).as("lists that are not freed").isZero();
    }

    private List<RdmaDevices.Device> all() throws IOException {
        return RdmaDevices.all(
                new Library(fake), new Interfaces(interfaces, name -> List.of("an address of " + name), this::local));
    }

    private RdmaPort port() throws IOException {
        return all().getFirst().ports().getFirst();
    }

    private static byte[] gid(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    /** The one of the link has no interface here. */
    private List<String> local(InetAddress address) {
        return address.isLinkLocalAddress() ? List.of() : List.of(address.getHostAddress());
    }

    private void hasInterface(String name, String hardware) throws IOException {
        Files.writeString(Files.createDirectory(interfaces.resolve(name)).resolve("address"), hardware + "\n");
    }

    @Test
    void shouldTellItsAddresses_whenTheIdentifiersAreMadeOfThem() throws IOException {
        fake.gids = List.of(
                gid("fe80000000000000021122fffe334455"),
                gid("00000000000000000000ffff0a090001"),
                gid("00000000000000000000ffff0a090001"),
                gid("00000000000000000000000000000000"));

        assertThat(all())
                .containsExactly(new RdmaDevices.Device(
                        "fake0",
                        List.of(new RdmaPort(
                                1,
                                "active",
                                "RoCE",
                                List.of(
                                        "fe80:0:0:0:211:22ff:fe33:4455",
                                        "0:0:0:0:0:ffff:a09:1",
                                        "0:0:0:0:0:ffff:a09:1"),
                                List.of("10.9.0.1"))),
                        true,
                        1000,
                        64,
                        ""));
    }

    @Test
    void shouldTellTheAddressesOfTheInterface_whenTheIdentifierIsItsHardwareAddress() throws IOException {
        hasInterface("eth0", "02:11:22:33:44:55");
        hasInterface("eth1", "02:11:22:33:44:66");
        fake.gids = List.of(gid("02112233446600000000000000000000"));
        fake.transport(1);
        fake.atomicCap = 0;

        assertThat(port().protocol()).isEqualTo("iWARP");
        assertThat(port().addresses()).containsExactly("an address of eth1");
        assertThat(all().getFirst().hasAtomics()).isFalse();
    }

    @Test
    void shouldTellTheAddressesOfTheInterface_whenItsHardwareAddressEndsWithTheIdentifier() throws IOException {
        hasInterface("ib0", "80:00:02:08:fe:80:00:00:00:00:00:00:02:11:22:ff:fe:33:44:55");
        fake.gids = List.of(gid("fe80000000000000021122fffe334455"));
        fake.linkLayer = 1;
        fake.portState = 2;

        assertThat(port().protocol()).isEqualTo("InfiniBand");
        assertThat(port().state()).isEqualTo("initializing");
        assertThat(port().isActive()).isFalse();
        assertThat(port().addresses()).containsExactly("an address of ib0");
    }

    @Test
    void shouldSayWhatToDo_whenADeviceCannotBeOpened() throws IOException {
        fake.openErrno = Remedies.EACCES;

        RdmaDevices.Device device = all().getFirst();
        assertThat(device.ports()).isEmpty();
        assertThat(device.problem())
                .startsWith("ibv_open_device: Permission denied; this process may not use /dev/infiniband/uverbs*")
                .endsWith("and DeviceAllow= in its unit");
    }

    @Test
    void shouldSayWhatFails_whenADeviceDoesNotTellOfItself() throws IOException {
        assertThat(RdmaDevices.names(new Library(fake))).containsExactly("fake0");
        fake.portErrno = FakeLibrary.EIO;
        assertThat(all())
                .extracting(RdmaDevices.Device::problem)
                .containsExactly("ibv_query_port 1: Input/output error");
        fake.deviceErrno = FakeLibrary.EIO;
        assertThat(all())
                .extracting(RdmaDevices.Device::problem)
                .containsExactly("ibv_query_device fake0: Input/output error");
    }

    /** Drivers differ in what they say of one that is not in use. */
    @Test
    void shouldLeaveAnIdentifierOut_whenItCannotBeRead() throws IOException {
        fake.gids =
                List.of(gid("00000000000000000000ffff0a090001"), new byte[0], gid("00000000000000000000ffff0a090002"));

        assertThat(port().gids()).containsExactly("0:0:0:0:0:ffff:a09:1", "0:0:0:0:0:ffff:a09:2");
    }

    @Test
    void shouldFindNone_whenThereIsNone() throws IOException {
        fake.hasDriver = false;
        assertThat(all()).isEmpty();
        fake.listErrno = Remedies.ENOSYS;
        assertThatThrownBy(this::all)
                .isInstanceOf(NoDeviceException.class)
                .hasMessageStartingWith("ibv_get_device_list: Function not implemented; the kernel has no RDMA driver");
    }
}
