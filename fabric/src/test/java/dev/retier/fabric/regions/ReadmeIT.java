package dev.retier.fabric.regions;

import static dev.retier.fabric.directory.Permission.ATOMIC;
import static dev.retier.fabric.directory.Permission.READ;
import static dev.retier.fabric.directory.Permission.WRITE;
import static dev.retier.fabric.regions.RegionCell.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.fabric.Fabric;
import dev.retier.fabric.FabricConfig;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of named regions in the module's README is the code below, and it works. */
@Timeout(120)
class ReadmeIT {
    private static final Path SOURCE = Path.of("src/test/java/dev/retier/fabric/regions/ReadmeIT.java");
    private static final String BEGIN = "// README begins here";
    private static final String END = "// README ends here";
    private static final int INDENT = 8;

    @TempDir
    private Path backing;

    @Test
    void shouldDoWhatTheReadmeShows() throws IOException {
        MemorySegment header = Arena.ofAuto().allocateFrom("orders of ");
        MemorySegment body = Arena.ofAuto().allocateFrom("today");
        try (RegionCell cell = new RegionCell(4, 3, backing)) {
            example(cell.config(4), header, body, PATIENCE);

            Region region = cell.at(1).map(new RegionName("orders/today"), Permissions.of(READ), PATIENCE);
            MemorySegment text = Arena.ofAuto().allocate(header.byteSize() + body.byteSize());
            MemorySegment words = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);
            region.read(4096, List.of(text), PATIENCE);
            region.read(0, List.of(words), PATIENCE);
            assertThat(text.asSlice(0, header.byteSize()).mismatch(header)).isEqualTo(-1);
            assertThat(text.asSlice(header.byteSize()).mismatch(body)).isEqualTo(-1);
            assertThat(words.toArray(ValueLayout.JAVA_LONG)).containsExactly(1, 1);
            assertThat(region.placement()).containsExactly(new NodeId(3));
        }
    }

    @Test
    void shouldBeTheExampleOfTheReadme() throws IOException {
        String source = Files.readString(SOURCE);
        String shown = source.substring(source.lastIndexOf(BEGIN) + BEGIN.length() + 1, source.lastIndexOf(END))
                .lines()
                .filter(line -> !line.isBlank())
                .map(line -> line.substring(INDENT) + "\n")
                .collect(Collectors.joining());

        assertThat(Files.readString(Path.of("README.md"))).contains("```java\n" + shown + "```");
    }

    private static void example(
            FabricConfig fabricConfig, MemorySegment header, MemorySegment body, Duration deadline) {
        // README begins here
        try (Fabric fabric = Fabric.open(fabricConfig);
                Regions regions = Regions.open(fabric, RegionsConfig.defaults())) {
            RegionSpec spec = RegionSpec.on(new NodeId(2), 1 << 20, Permissions.of(READ, WRITE, ATOMIC));
            Region made = regions.create(new RegionName("orders/today"), spec, deadline);
            made.write(4096, List.of(header, body), deadline); // gathers; read scatters
            if (made.compareAndSet(0, 0, 1, deadline) instanceof AtomicOutcome.Done(long found) && found == 0) {
                made.move(new NodeId(2), new NodeId(3), deadline); // needs ADMIN, as grant and free do
                Region fresh = made.remap(deadline); // the old handle says MOVED for ever
                fresh.fetchAdd(8, 1, deadline);
            }
        }
        // README ends here
    }
}
