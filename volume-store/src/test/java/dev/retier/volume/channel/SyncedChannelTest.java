package dev.retier.volume.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.StubVolume;
import dev.retier.volume.Volume;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a program wants on the disk with each write comes to the volume so. */
class SyncedChannelTest {
    private final List<String> asked = new ArrayList<>();

    private final Volume volume = new StubVolume(1 << 20) {
        @Override
        public void write(long offset, ByteBuffer from, Set<Option> options) {
            asked.add(offset + " " + from.remaining() + (options.contains(Option.FORCED) ? " forced" : ""));
            from.position(from.limit());
        }

        @Override
        public void flush() {
            asked.add("flush");
        }
    };

    @ParameterizedTest
    @EnumSource(
            value = StandardOpenOption.class,
            names = {"SYNC", "DSYNC"})
    void shouldBeOnTheDiskWithEachWrite_whenItIsOpenedSo(StandardOpenOption option) throws IOException {
        try (FileChannel channel = VolumeFile.on(volume).open(StandardOpenOption.WRITE, option)) {
            channel.write(ByteBuffer.allocate(100));
            channel.write(ByteBuffer.allocate(10), 0);
        }
        assertThat(asked)
                .as("data, then its length with all before it; then data alone")
                .hasSize(3);
        assertThat(asked.get(1)).startsWith("0 ").endsWith(" forced");
        assertThat(asked.get(2)).isEqualTo("4096 10 forced");
    }

    @Test
    void shouldBeForcedNowhere_whenNobodySaysSo() throws IOException {
        try (FileChannel channel = VolumeFile.on(volume).open(StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(100));
            channel.write(ByteBuffer.allocate(10), 0);
            assertThat(asked).noneMatch(what -> what.contains("forced")).doesNotContain("flush");
            channel.force(false);
        }
        assertThat(asked).last().isEqualTo("flush");
    }
}
