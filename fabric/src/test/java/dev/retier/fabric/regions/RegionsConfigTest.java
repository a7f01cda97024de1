package dev.retier.fabric.regions;

import static dev.retier.fabric.regions.MemoryRegions.PATIENCE;
import static dev.retier.fabric.regions.MemoryRegions.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.fabric.MemoryNodes;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.testsupport.verbs.Kind;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionsConfigTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    @Test
    void shouldListAllProblems_whenAConfigurationCannotBe() {
        assertThatThrownBy(() ->
                        new RegionsConfig(Optional.of(folder.resolve("none")), Duration.ZERO, SECOND, SECOND, 12, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("regions: chunk bytes: 12, must be a multiple of 8")
                .hasMessageContaining("chunks: 0, must be 1 to 1024")
                .hasMessageContaining("must be positive")
                .hasMessageContaining("none is not a directory");
    }

    @Test
    void shouldRefuse_whenAnythingIsOutOfRange() {
        assertThat(new RegionsConfig(Optional.of(folder), SECOND, SECOND, SECOND, 8, 1).chunks())
                .isEqualTo(1);
        assertThat(new RegionsConfig(Optional.empty(), SECOND, SECOND, SECOND, 1 << 24, 1024).chunkBytes())
                .isEqualTo(1 << 24);
        refuses(SECOND, SECOND, SECOND, 0, 1);
        refuses(SECOND, SECOND, SECOND, (1 << 24) + 8, 1);
        refuses(SECOND, SECOND, SECOND, 8, 1025);
        refuses(SECOND, Duration.ZERO, SECOND, 8, 1);
        refuses(SECOND, SECOND, Duration.ZERO, 8, 1);
        assertThat(RegionsConfig.defaults().backing()).isEmpty();
    }

    @Test
    void shouldRefuseChunks_whenTheFabricCarriesFewerOperations() {
        try (MemoryNodes nodes = new MemoryNodes(1, MemoryNodes.LIMITS).openAll()) {
            RegionsConfig tooMany = new RegionsConfig(Optional.empty(), SECOND, SECOND, SECOND, 8, 9);
            assertThatThrownBy(() -> Regions.open(nodes.at(1), tooMany))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("9 chunks need twice as many operations, but the fabric carries 16");
            Regions.open(nodes.at(1), new RegionsConfig(Optional.empty(), SECOND, SECOND, SECOND, 8, 8))
                    .close();
        }
    }

    @Test
    void shouldLeaveNoFile_whenPartsAreBackedByFiles() throws IOException {
        RegionsConfig config = MemoryRegions.backedBy(folder);
        try (MemoryRegions cell = new MemoryRegions(1, config, _ -> {})) {
            Region region = cell.at(1)
                    .create(new RegionName("backed"), RegionSpec.on(node(1), 5000, Permissions.ALL), PATIENCE);
            region.write(10, List.of(MemoryRegions.bytes(4000, 2)), PATIENCE);
            assertThat(MemoryRegions.read(region, 10, 4000).mismatch(MemoryRegions.bytes(4000, 2)))
                    .isEqualTo(-1);
            assertThat(MemoryRegions.read(region, 4010, 8).get(ValueLayout.JAVA_LONG, 0))
                    .isZero();
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files).isEmpty();
            }
        }
    }

    @Test
    void shouldSayThatThereIsNoSpace_whenTheFilesCannotBeMade() throws IOException {
        Path gone = Files.createDirectory(folder.resolve("gone"));
        try (MemoryRegions cell = new MemoryRegions(1, MemoryRegions.backedBy(gone), _ -> {})) {
            Files.delete(gone);
            RegionName name = new RegionName("backed");
            RegionSpec spec = RegionSpec.on(node(1), 5000, Permissions.ALL);
            assertThat(MemoryRegions.failureOf(() -> cell.at(1).create(name, spec, PATIENCE)))
                    .isEqualTo(RegionFailure.NO_SPACE);
            Files.createDirectory(gone);
            assertThat(cell.at(1).create(name, spec, PATIENCE).lengthBytes()).isEqualTo(5000);
        }
    }

    @Test
    void shouldReachItsOwnPartsByTheDevice_whenThatDoesNotExcludeItsProcessors() {
        try (MemoryRegions cell = new MemoryRegions(2, MemoryRegions.CONFIG, world -> world.atomics(true, false))) {
            RegionName name = new RegionName("native");
            Region there = cell.at(1).create(name, RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);
            Region own = cell.at(2).map(name, Permissions.ALL, PATIENCE);
            VerbsWorld world = cell.nodes.world();

            assertThat(there.compareAndSet(0, 0, 3, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));
            world.hold(Kind.ATOMIC);
            CompletableFuture<AtomicOutcome> adding = own.fetchAddAsync(0, 4, PATIENCE);
            MemoryNodes.until(() -> world.waiting() == 1);
            assertThat(adding).isNotDone();
            world.release();
            assertThat(adding.join()).isEqualTo(new AtomicOutcome.Done(3));
            assertThat(own.compareAndSet(0, 7, 8, PATIENCE)).isEqualTo(new AtomicOutcome.Done(7));
            assertThat(MemoryRegions.word(there, 0)).isEqualTo(8);

            PeerLink lost = cell.nodes.link(2, 2);
            cell.nodes.lose(2, 2);
            MemoryNodes.until(() -> !lost.isOpen());
            assertThat(own.fetchAdd(0, 1, PATIENCE)).isEqualTo(new AtomicOutcome.Done(8));
            own.write(8, List.of(MemoryRegions.bytes(8, 1)), PATIENCE);
            assertThat(MemoryRegions.word(own, 0)).isEqualTo(9);
            own.unmap();
            assertThat(MemoryRegions.word(there, 0)).isEqualTo(9);
        }
    }

    @Test
    void shouldReadAndWriteAndRefuseAtomics_whenTheDeviceHasNone() {
        try (MemoryRegions cell = new MemoryRegions(2, MemoryRegions.CONFIG, world -> world.atomics(false, false))) {
            Region there =
                    cell.at(1).create(new RegionName("siw"), RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);

            there.write(0, List.of(MemoryRegions.bytes(8, 1)), PATIENCE);
            long written = MemoryRegions.bytes(8, 1).get(ValueLayout.JAVA_LONG, 0);
            assertThat(MemoryRegions.word(there, 0)).isEqualTo(written);
            refusesAll(
                    List.of(there.fetchAdd(0, 1, PATIENCE), there.compareAndSet(0, written, 4, PATIENCE)),
                    "memory has no atomics");
            assertThat(MemoryRegions.word(there, 0)).isEqualTo(written);
        }
    }

    private static void refusesAll(List<AtomicOutcome> outcomes, String why) {
        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(outcome)
                        .isInstanceOfSatisfying(AtomicOutcome.Refused.class, refused -> {
                            assertThat(refused.failure()).isEqualTo(RegionFailure.NOT_PERMITTED);
                            assertThat(refused.detail()).contains(why);
                        }));
    }

    private static void refuses(Duration drain, Duration gather, Duration absence, int chunkBytes, int chunks) {
        assertThatThrownBy(() -> new RegionsConfig(Optional.empty(), drain, gather, absence, chunkBytes, chunks))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
