package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static dev.retier.agent.fixture.Clusters.PROXY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.agent.event.MoveEvent;
import dev.retier.agent.move.MovePhase;
import dev.retier.agent.move.RollbackReason;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.render.RoleFlags;
import dev.retier.config.HostPort;
import dev.retier.state.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Four httpd nodes behind HAProxy, moved between the tiers while clients that never retry ask. */
class RealMovesIT {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent.real");
    /** {@code -Dmoves=N} for a longer run; {@code -Dretier.log=INFO} shows the phases of each. */
    private static final int MOVES = Integer.getInteger("moves", 4);

    private static final List<String> PATHS = List.of("/static/retier-proof", "/dynamic/x");

    @TempDir
    @Nullable
    Path temporary;

    private Path folder = Path.of("");

    @BeforeEach
    void useFolder() {
        folder = Objects.requireNonNull(temporary);
    }

    private RealCell start() {
        return start(Options.USUAL);
    }

    private RealCell start(Options options) {
        List<RealInstance> nodes = IntStream.rangeClosed(1, 4)
                .mapToObj(id -> RealInstance.httpd(folder.resolve("node-" + id), options))
                .toList();
        RealInstance edge = RealInstance.haproxy(folder.resolve("edge"), "edge.cfg", options);
        return RealCell.start(folder, nodes, edge, 2);
    }

    @Test
    void shouldLoseNoRequest_whenNodesMoveUnderLoad() {
        try (RealCell cell = start();
                Hammer closing = Hammer.start(4, false, PATHS, () -> List.of(cell.edgeAddress()));
                Hammer kept = Hammer.start(4, true, PATHS, () -> List.of(cell.edgeAddress()));
                Hammer direct = Hammer.start(2, true, PATHS, cell::targets)) {
            await().atMost(RealNodes.PATIENCE).until(() -> closing.done() > 100 && kept.done() > 100);
            closing.forgetGap();
            List<Long> totals = new ArrayList<>();
            for (int i = 0; i < MOVES; i++) {
                boolean toApp = i % 2 == 0;
                MoveEvent end = cell.move(2, toApp ? APP : PROXY);
                assertThat(end.phase()).as("%s", end).isEqualTo(MovePhase.ACTIVE);
                Map<MovePhase, Long> millis = cell.millis(end.epoch());
                totals.add(millis.values().stream().mapToLong(Long::longValue).sum());
                LOG.info("move {} to {}: {}", i, toApp ? "app" : "proxy", millis);
                cell.awaitSettled();
            }
            LOG.info(
                    "{} moves: total ms {}; closing {} of {} lost, gap {} ms; kept {} of {}; direct {} of {}",
                    MOVES,
                    totals,
                    closing.failures().size(),
                    closing.done(),
                    closing.longestGapMillis(),
                    kept.failures().size(),
                    kept.done(),
                    direct.failures().size(),
                    direct.done());
            LOG.info("lost: {} {} {}", closing.failures(), kept.failures(), direct.failures());
            assertThat(closing.failures()).isEmpty();
            assertThat(kept.failures()).isEmpty();
            assertThat(direct.failures().size())
                    .as("clients with kept connections right at the proxies: %s", direct.failures())
                    .isLessThanOrEqualTo(MOVES / 2);
        }
    }

    @Test
    void shouldMove_whenAllIsReachedByIpv6() {
        try (RealCell cell = start(Options.USUAL.withHost("::1"));
                Hammer load = Hammer.start(2, false, PATHS, () -> List.of(cell.edgeAddress()))) {
            assertThat(cell.targets()).extracting(HostPort::host).containsOnly("::1");
            for (Role role : List.of(APP, PROXY)) {
                assertThat(cell.move(2, role).phase()).isEqualTo(MovePhase.ACTIVE);
                cell.awaitSettled();
                long before = load.done();
                await().atMost(RealNodes.PATIENCE).until(() -> load.done() > before + 20);
            }
            assertThat(load.failures()).isEmpty();
        }
    }

    /** Whatever an administrator is doing in a file of his own. */
    @Test
    void shouldMove_whenAFileOfTheOperatorIsBroken() throws IOException {
        try (RealCell cell = start()) {
            Files.writeString(cell.server(3).config(), "NoSuchDirective on\n", StandardOpenOption.APPEND);
            assertThat(cell.move(3, PROXY).phase()).isEqualTo(MovePhase.ACTIVE);
        }
    }

    @Test
    void shouldRollBackAndSayWhy_whenTheServerCannotTakeTheNewRole() throws IOException {
        try (RealCell cell = start();
                Hammer load = Hammer.start(2, false, PATHS, () -> List.of(cell.edgeAddress()))) {
            Path flag = new RoleFlags(cell.server(3).server().roleFile()).proxy();
            Files.createSymbolicLink(flag, folder.resolve("nowhere"));
            MoveEvent end = cell.move(3, PROXY);
            assertThat(end.phase()).isEqualTo(MovePhase.ROLLED_BACK);
            assertThat(end.rollback()).isEqualTo(RollbackReason.SERVER_REFUSED);
            assertThat(end.detail()).contains(flag + " is a link that leads nowhere");
            assertThat(cell.agent(3).statusJson()).contains("SERVER_REFUSED", "leads nowhere");
            assertThat(cell.server(3).isAlive()).isTrue();
            Files.delete(flag);
            cell.restartAgent(3);
            cell.awaitSettled();
            assertThat(cell.move(3, PROXY).phase()).isEqualTo(MovePhase.ACTIVE);
            assertThat(load.failures()).isEmpty();
            assertThat(load.done()).isPositive();
        }
    }
}
