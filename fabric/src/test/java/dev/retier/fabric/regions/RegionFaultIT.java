package dev.retier.fabric.regions;

import static dev.retier.fabric.regions.RegionCell.PATIENCE;
import static dev.retier.fabric.regions.RegionCell.node;
import static dev.retier.testsupport.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.retier.fabric.MemoryAccess;
import dev.retier.fabric.OneSided;
import dev.retier.fabric.OpOutcome;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.Registration;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.link.LinkMetric;
import dev.retier.testsupport.Logged;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions whose users do what they may not, stop, or lose their connections: over soft-iwarp. */
@Timeout(120)
class RegionFaultIT {
    private static final RegionName NAME = new RegionName("orders/today");
    private static final Permissions READ = Permissions.of(Permission.READ);

    /** To drop a connection that has broken. */
    private static final Duration DROP = Duration.ofSeconds(1);

    @TempDir
    private Path backing;

    private final Logged logged = new Logged();
    private RegionCell cell;

    @BeforeEach
    void open() {
        cell = new RegionCell(3, backing);
    }

    @AfterEach
    void close() throws IOException {
        cell.close();
        logged.close();
    }

    /** The real key of a reader, in the hands of raw verbs. */
    @Test
    void shouldRefuseCountAndLogOnce_whenAKeyIsForged() throws IOException {
        Region owner = cell.at(2).create(NAME, RegionSpec.on(node(2), 4096, READ), PATIENCE);
        owner.fetchAdd(0, 5, PATIENCE);
        MappedRegion reader = (MappedRegion) cell.at(3).map(NAME, READ, PATIENCE);

        for (int forgery = 1; forgery <= 2; forgery++) {
            int refused = forgery;
            assertThat(word(reader)).isEqualTo(5);
            Route.Remote route = (Route.Remote) Objects.requireNonNull(reader.route(0));
            PeerLink link = route.staging().link;
            Registration source = link.register(Arena.ofAuto().allocate(8, 8), Set.of(MemoryAccess.LOCAL_WRITE));
            assertThat(link.post(new OneSided.Write(List.of(OneSided.Piece.all(source)), route.at(0)))
                            .join())
                    .isNotInstanceOf(OpOutcome.NotDone.class);
            await().until(() -> cell.metric(2, LinkMetric.KEYS_REFUSED) == refused);
        }

        assertThat(word(owner)).isEqualTo(5);
        assertThat(logged.warnings("node-2 refuses node-3 at 127.0.0.1: it used a key"))
                .hasSize(1);
        await().until(() -> cell.fabric(1).link(node(2)).isPresent());
        PeerLink elsewhere = cell.fabric(1).link(node(2)).orElseThrow();
        word(reader);
        Route.Remote stolen = (Route.Remote) Objects.requireNonNull(reader.route(0));
        Registration sink = elsewhere.register(Arena.ofAuto().allocate(8, 8), Set.of(MemoryAccess.LOCAL_WRITE));
        assertThat(elsewhere
                        .post(new OneSided.Read(stolen.at(0), List.of(OneSided.Piece.all(sink))))
                        .join())
                .isInstanceOf(OpOutcome.Unknown.class);
        await().until(() -> cell.metric(2, LinkMetric.KEYS_REFUSED) == 3);
        assertThat(logged.warnings("node-2 refuses node-1 at 127.0.0.1: it used a key"))
                .hasSize(1);
    }

    @Test
    void shouldSayUnknownAndNotRepeat_whenTheAnswerIsLost() throws IOException {
        Region region = cell.at(1).create(NAME, RegionSpec.on(node(2), 64, Permissions.ALL), PATIENCE);
        Region holder = cell.at(2).map(NAME, READ, PATIENCE);
        assertThat(region.fetchAdd(0, 1, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));

        cell.detour().blockAnswers();
        CompletableFuture<AtomicOutcome> outcome = region.fetchAddAsync(0, 10, PATIENCE);
        await().until(() -> word(holder) == 11);
        cell.detour().cut();

        assertThat(outcome.join()).isInstanceOf(AtomicOutcome.Unknown.class);
        assertThat(word(region)).as("resolved by reading").isEqualTo(11);
        assertThat(region.compareAndSet(0, 11, 12, PATIENCE)).isEqualTo(new AtomicOutcome.Done(11));
        assertThat(cell.metric(1, RegionMetric.REGIONS_UNKNOWN)).isEqualTo(1);
    }

    @Test
    void shouldFailWithinTheBoundAndGoOnElsewhere_whenANodeFallsSilent() {
        RegionSpec both = new RegionSpec(8192, List.of(node(2), node(3)), Permissions.ALL);
        Region region = cell.at(1).create(NAME, both, PATIENCE);
        assertThat(word(region)).isZero();

        cell.detour().block();
        long begunNanos = System.nanoTime();
        assertThat(failureOf(() -> word(region))).isEqualTo(RegionFailure.NODE_UNREACHABLE);
        assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(bound());
        assertThat(region.fetchAdd(0, 1, PATIENCE))
                .isInstanceOfSatisfying(
                        AtomicOutcome.Refused.class,
                        refused -> assertThat(refused.failure()).isEqualTo(RegionFailure.NODE_UNREACHABLE));
        assertThat(region.fetchAdd(4096, 1, PATIENCE)).isEqualTo(new AtomicOutcome.Done(0));

        cell.detour().unblock();
        await().until(() -> cell.fabric(1).link(node(2)).isPresent());
        assertThat(word(region)).isZero();
    }

    /**
     * How long an operation with a later deadline waits for a node that died without a word: until its connection is
     * found dead and dropped, and then as long as a node may be away. As much again for a busy machine.
     */
    private static Duration bound() {
        Duration absence = RegionsConfig.defaults().absenceBound();
        return RegionCell.LIMITS.stallBound().plus(DROP).plus(absence).multipliedBy(2);
    }

    private static long word(Region region) {
        MemorySegment word = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
        region.read(0, List.of(word), PATIENCE);
        return word.get(ValueLayout.JAVA_LONG, 0);
    }

    private static RegionFailure failureOf(Runnable action) {
        return catchThrowableOfType(RegionException.class, action::run).failure();
    }
}
