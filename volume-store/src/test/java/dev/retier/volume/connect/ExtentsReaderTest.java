package dev.retier.volume.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.Volume.Extent;
import dev.retier.volume.Volume.Range;
import dev.retier.volume.VolumeName;
import dev.retier.volume.wire.Extents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExtentsReaderTest {
    @Test
    void shouldGoOn_whereAnAnswerEnds() throws IOException {
        List<Range> asked = new ArrayList<>();
        List<Extent> all = ExtentsReader.read(new VolumeName("accounts"), new Range(4096, 10_000), 6000, range -> {
            asked.add(range);
            ByteBuffer told = ByteBuffer.allocate(Long.BYTES);
            Extents.put(List.of(new Extent(Math.min(range.bytes(), 4000), asked.size() == 2)), told);
            return told.flip();
        });
        assertThat(asked).containsExactly(new Range(4096, 6000), new Range(8096, 6000), new Range(12_096, 2000));
        assertThat(all).containsExactly(new Extent(4000, false), new Extent(4000, true), new Extent(2000, false));
    }
}
