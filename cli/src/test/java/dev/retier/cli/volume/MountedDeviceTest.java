package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.testsupport.ExternalTool;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is never lost without consent; a file stands for the device, as blkid and mkfs.ext4 take both. */
class MountedDeviceTest {
    private static final int BYTES = 8 << 20;

    @TempDir
    private Path folder = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void make() throws IOException {
        ExternalTool.find("blkid");
        ExternalTool.find("mkfs.ext4");
        file = folder.resolve("device");
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(BYTES);
        }
    }

    private void write(int offset, byte... bytes) throws IOException {
        try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
            changed.seek(offset);
            changed.write(bytes);
        }
    }

    private MountedDevice device(boolean isWritten) {
        return new MountedDevice(new VolumeName("accounts"), () -> !isWritten, file.toString());
    }

    private void refuses(String why, MountedDevice device, boolean isToBeMade) throws IOException {
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> device.prepare(isToBeMade, false)).hasMessageContaining(why);
        assertThat(Files.readAllBytes(file)).as("is as it was").isEqualTo(before);
    }

    @Test
    void shouldMakeAFileSystem_onlyWhereNothingWasEverWritten() throws Exception {
        refuses("accounts has no file system: --mkfs makes one", device(false), false);
        write(1 << 20, "what no program knows".getBytes(StandardCharsets.US_ASCII));
        refuses("something was written to it; --mkfs-over makes one, and loses that", device(true), true);
        write(1 << 20, new byte[21]);
        device(false).prepare(true, false);
        byte[] made = Files.readAllBytes(file);
        assertThat(made[1024 + 56]).as("ext4's magic number").isEqualTo((byte) 0x53);
        device(true).prepare(true, false);
        assertThat(Files.readAllBytes(file)).as("what is there stays").isEqualTo(made);
    }

    @Test
    void shouldLeaveWhatIsThere_unlessItIsSaidToBeLost() throws Exception {
        write(4086, "SWAPSPACE2".getBytes(StandardCharsets.US_ASCII));
        write(1024, (byte) 1);
        write(1028, (byte) 0xff, (byte) 1);
        refuses("accounts has swap on it, not ext4", device(true), true);
        write(4086, new byte[10]);
        write(446, (byte) 0x80, (byte) 0, (byte) 1, (byte) 0, (byte) 0x83, (byte) 0, (byte) 1, (byte) 0, (byte) 1);
        write(458, (byte) 1);
        write(510, (byte) 0x55, (byte) 0xaa);
        refuses("accounts has partitions (dos) on it", device(true), true);
        device(true).prepare(false, true);
        assertThat(Files.readAllBytes(file)[1024 + 56]).isEqualTo((byte) 0x53);
    }
}
