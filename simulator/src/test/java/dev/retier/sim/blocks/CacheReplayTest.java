package dev.retier.sim.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.report.OutputFormat;
import dev.retier.volume.wire.Operation;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheReplayTest {
    private static String after(List<Long> sizes, String... lines) {
        CacheReplay replay = new CacheReplay(sizes);
        for (String line : lines) {
            replay.request(BlockRequest.parse(line, "blocks.csv:1"));
        }
        return replay.table().format(OutputFormat.CSV);
    }

    /** Of the blocks 0, 0, 1, 2, 0 both have the second 0; the third one only who counts how often it was used. */
    @Test
    void shouldTellWhatEachWouldHaveHad() {
        String table = after(
                List.of(8192L),
                "0,write,0,4096",
                "1,read,100,1",
                "2,read,4096,4096",
                "3,flush,0,0",
                "4,read,8192,4096",
                "5,read,0,4096");

        assertThat(table.lines().map(line -> line.replace(",", " ")))
                .containsExactly(
                        "cache_bytes policy hit_percent hits misses evictions",
                        "8k mq 50.0 2 2 1",
                        "8k lru 25.0 1 3 2");
    }

    @Test
    void shouldForgetWhatIsZeroed() {
        assertThat(after(List.of(65_536L), "0,write,0,8192", "1,zero,0,4096", "2,read,0,8192"))
                .contains("64k,mq,50.0,1,1,0");
    }

    @Test
    void shouldPassOverTheHeadAndBlankLinesOfARecording() {
        assertThat(BlockRequest.ofLine(BlockRequest.HEAD, "f", 1)).isEmpty();
        assertThat(BlockRequest.ofLine(" ", "f", 7)).isEmpty();
        assertThat(BlockRequest.ofLine("7,flush,0,0", "f", 1)).contains(new BlockRequest(7, Operation.FLUSH, 0, 0));
        assertThatThrownBy(() -> BlockRequest.ofLine(BlockRequest.HEAD, "f", 2)).hasMessageStartingWith("f:2: ");
    }

    @Test
    void shouldSayWhereAndWhatIsWrong() {
        assertThat(BlockRequest.parse("7,read,4096,512", "f:2"))
                .isEqualTo(new BlockRequest(7, Operation.READ, 4096, 512));
        assertThatThrownBy(() -> BlockRequest.parse("7,read,4096", "f:2"))
                .hasMessage("f:2: \"7,read,4096\" is not time_us,operation,offset,length; record it with"
                        + " `retier volume trace`");
        assertThatThrownBy(() -> BlockRequest.parse("7,reed,4096,1", "f:2"))
                .hasMessageContaining("f:2: \"reed\" is no operation; write read, write, zero");
        assertThatThrownBy(() -> BlockRequest.parse("7,read,-1,1", "f:2"))
                .hasMessageContaining("\"-1\" is no number from 0 on");
        assertThatThrownBy(() -> after(List.of(4096L), "7,read," + Long.MAX_VALUE + ",1"))
                .hasMessageContaining("beyond the 4 PiB");
        assertThatThrownBy(() -> new CacheReplay(List.of(100L))).hasMessageContaining("give it 4k to 64g");
    }

    @Test
    void shouldShowBothPoliciesOnAPage() {
        CacheReplay replay = new CacheReplay(List.of(65_536L, 1L << 20));
        replay.request(BlockRequest.parse("0,read,0,4096", "f:1"));

        assertThat(replay.html("blocks.csv"))
                .contains("<h1>Block caches and blocks.csv</h1>", "1 recorded requests", "MQ", "LRU");
    }
}
