package dev.retier.agent.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.loop.RoleFileApplier;
import dev.retier.agent.loop.RoleFileApplier.Result;
import dev.retier.agent.render.LetGo;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.status.ServerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplyTest {
    @TempDir
    @Nullable
    Path temporary;

    private Path file = Path.of("");

    @BeforeEach
    void nameFile() {
        file = Objects.requireNonNull(temporary).resolve("deep").resolve("role.json");
    }

    private static ServerStatus status(long stamp, @Nullable String refusal) {
        return new ServerStatus("app", "shop", stamp, refusal, 1_000, 0, 0, 0, null, 0, 0, 0, null);
    }

    private static Rendering file(String content, long stamp) {
        return new Rendering(stamp, "app", "shop", content, "", "", List.of(), LetGo.NONE);
    }

    private Written applier() {
        return new Written();
    }

    /** An applier whose files are written. */
    private final class Written {
        private final RoleFileApplier<Rendering> applier = new RoleFileApplier<>(Duration.ofNanos(1_000));
        private long writes;
        private long newest;

        long writes() {
            return writes;
        }

        /** Stamp of what was written last. */
        long newest() {
            return newest;
        }

        boolean offer(Rendering next, long nowNanos) throws IOException {
            return write(applier.offer(next, nowNanos));
        }

        Result check(ServerStatus status, long askedAtNanos, long nowNanos) throws IOException {
            RoleFileApplier.Check<Rendering> check = applier.check(status, askedAtNanos, nowNanos);
            write(check.write());
            return check.result();
        }

        void see(ServerStatus status, long askedAtNanos) {
            applier.see(status, askedAtNanos);
        }

        long stamp() {
            return applier.stamp();
        }

        boolean isPending() {
            return applier.isPending();
        }

        private boolean write(Optional<Rendering> wanted) throws IOException {
            if (wanted.isPresent()) {
                AtomicFile.replace(file, wanted.get().content());
                writes++;
                newest = wanted.get().stamp();
            }
            return wanted.isPresent();
        }
    }

    @Test
    void shouldReplaceAndLeaveNothingBehind_whenWritten() throws IOException {
        AtomicFile.replace(file, "one");
        AtomicFile.replace(file, "two");
        assertThat(file).hasContent("two");
        try (Stream<Path> files = Files.list(Objects.requireNonNull(file.getParent()))) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void shouldLeaveTheTargetAlone_whenItCannotBeReplaced() throws IOException {
        Files.createDirectories(file.resolve("a-folder-where-a-file-belongs"));
        assertThatThrownBy(() -> AtomicFile.replace(file, "one")).isInstanceOf(IOException.class);
        assertThat(file).isDirectory();
        try (Stream<Path> files = Files.list(Objects.requireNonNull(file.getParent()))) {
            assertThat(files).containsExactly(file);
        }
    }

    /** Cluster fault seed 131: a node that had left a role served in it again, when its next file was refused. */
    @Test
    void shouldRestoreTheFileOfTheNewRole_whenTheFirstOneAfterAMoveIsRefused() throws IOException {
        Written applier = applier();
        applier.offer(file("the old role", 1), 0);
        applier.check(status(1, null), 1, 2);
        applier.offer(file("the new role", 2), 10);
        applier.see(status(2, null), 20);
        applier.offer(file("the new role, more members", 3), 30);

        assertThat(applier.check(status(2, "no space left"), 40, 50)).isEqualTo(Result.REFUSED);

        assertThat(file).hasContent("the new role");
    }

    @Test
    void shouldWaitForNothing_whenAFileCouldNotBeWritten() {
        RoleFileApplier<Rendering> applier = new RoleFileApplier<>(Duration.ofNanos(1_000));
        applier.offer(file("one", 1), 0);
        applier.check(status(1, null), 1, 2);
        assertThat(applier.isPending()).isFalse();

        assertThat(applier.offer(file("two", 2), 10)).isPresent();
        applier.notWritten();

        assertThat(applier.isPending()).isFalse();
        assertThat(applier.check(status(1, null), 5_000, 5_001).result()).isEqualTo(Result.NOTHING);
    }

    @Test
    void shouldWriteOnce_whenOfferedTheSameTwice() throws IOException {
        Written applier = applier();
        assertThat(applier.offer(file("one", 1), 0)).isTrue();
        assertThat(applier.offer(file("one", 1), 1)).isFalse();
        assertThat(applier.stamp()).isEqualTo(1);
    }

    @Test
    void shouldReportApplied_whenTheServerRunsIt() throws IOException {
        Written applier = applier();
        applier.offer(file("one", 3), 10);
        assertThat(applier.check(status(3, null), 9, 11))
                .as("asked before it was written")
                .isEqualTo(Result.NOTHING);
        assertThat(applier.check(status(2, null), 12, 12)).isEqualTo(Result.NOTHING);
        assertThat(applier.check(status(3, null), 13, 13)).isEqualTo(Result.APPLIED);
        assertThat(applier.isPending()).isFalse();
        assertThat(applier.check(status(3, null), 14, 14)).isEqualTo(Result.NOTHING);
    }

    @Test
    void shouldWait_whenTheServerRunsAnotherRoleUnderALaterStamp() throws IOException {
        Written applier = applier();
        applier.offer(file("one", 3), 10);
        ServerStatus otherSite = new ServerStatus("app", "blog", 4, null, 1_000, 0, 0, 0, null, 0, 0, 0, null);
        ServerStatus otherTier = new ServerStatus("proxy", "shop", 4, null, 1_000, 0, 0, 0, null, 0, 0, 0, null);
        assertThat(applier.check(otherSite, 11, 11)).isEqualTo(Result.NOTHING);
        assertThat(applier.check(otherTier, 12, 12)).isEqualTo(Result.NOTHING);
        assertThat(applier.check(status(4, null), 13, 13)).isEqualTo(Result.APPLIED);
    }

    @Test
    void shouldTell_whenSomebodyElseHasWrittenAnotherRoleUnderTheSameStamp() throws IOException {
        Written applier = applier();
        applier.offer(file("one", 3), 10);
        assertThat(applier.check(status(3, null), 11, 11)).isEqualTo(Result.APPLIED);
        ServerStatus otherTier = new ServerStatus("proxy", "shop", 3, null, 1_000, 0, 0, 0, null, 0, 0, 0, null);
        assertThat(applier.check(otherTier, 12, 12)).isEqualTo(Result.ASTRAY);
        ServerStatus older = new ServerStatus("proxy", "shop", 2, null, 1_000, 0, 0, 0, null, 0, 0, 0, null);
        assertThat(applier.check(older, 13, 13))
                .as("it runs what it ran before")
                .isEqualTo(Result.NOTHING);
    }

    @Test
    void shouldPutTheLastGoodBack_whenTheServerRefuses() throws IOException {
        Written applier = applier();
        applier.offer(file("good", 3), 10);
        applier.check(status(3, null), 11, 11);
        applier.offer(file("bad", 4), 12);
        assertThat(file).hasContent("bad");
        assertThat(applier.check(status(3, "no"), 13, 13)).isEqualTo(Result.REFUSED);
        assertThat(file).hasContent("good");
        assertThat(applier.offer(file("bad", 4), 14))
                .as("not again what was refused")
                .isFalse();
        assertThat(applier.offer(file("bad", 4), 13 + 10_000_000_000L))
                .as("again later, as the reason may have passed")
                .isTrue();
        assertThat(applier.offer(file("better", 5), 15)).isTrue();
    }

    @Test
    void shouldWriteAgainByItself_whenWhatWasRefusedIsStillWantedLater() throws IOException {
        Written applier = applier();
        applier.offer(file("first", 4), 12);
        assertThat(applier.check(status(3, "no"), 13, 13)).isEqualTo(Result.REFUSED);
        AtomicFile.replace(file, "something else");
        assertThat(applier.check(status(3, null), 14, 13 + 9_999_999_999L)).isEqualTo(Result.NOTHING);
        assertThat(file).hasContent("something else");

        applier.check(status(3, null), 15, 13 + 10_000_000_000L);

        assertThat(file).hasContent("first");
        assertThat(applier.isPending()).isTrue();
    }

    /** Cluster fault seed 69340: a full disk in the moment of a refusal left the server in another role for good. */
    @Test
    void shouldWriteAgainByItself_whenNeitherTheRefusedNorTheGoodOneCouldBeWritten() throws IOException {
        RoleFileApplier<Rendering> applier = new RoleFileApplier<>(Duration.ofNanos(1_000));
        applier.offer(file("good", 1), 0);
        applier.check(status(1, null), 1, 2);
        applier.offer(file("refused", 2), 10);
        assertThat(applier.check(status(1, "no"), 20, 30).write()).isPresent();
        applier.notWritten();
        assertThat(applier.offer(file("refused", 2), 40)).isEmpty();
        long later = Duration.ofSeconds(11).toNanos();
        assertThat(applier.check(status(1, "no"), later, later).write()).contains(file("refused", 2));
    }

    @Test
    void shouldForgetWhatWasRefused_whenSomethingElseIsWanted() throws IOException {
        Written applier = applier();
        applier.offer(file("bad", 4), 12);
        applier.check(status(3, "no"), 13, 13);
        applier.offer(file("other", 5), 14);
        applier.check(status(5, null), 15, 15);

        applier.check(status(5, null), 16, 13 + 10_000_000_000L);

        assertThat(file).hasContent("other");
    }

    @Test
    void shouldForgetWhatWasRefused_whenTheLastGoodIsWantedAgain() throws IOException {
        Written applier = applier();
        applier.offer(file("good", 3), 10);
        applier.check(status(3, null), 11, 11);
        applier.offer(file("bad", 4), 12);
        applier.check(status(3, "no"), 13, 13);
        assertThat(applier.offer(file("good", 3), 14)).as("it is back already").isFalse();

        applier.check(status(3, null), 15, 13 + 10_000_000_000L);

        assertThat(file).hasContent("good");
    }

    @Test
    void shouldPutTheLastGoodBack_whenAFileOfTheSameStampIsRefusedAfterItCountedAsTaken() throws IOException {
        Written applier = applier();
        applier.offer(file("good", 3), 10);
        applier.check(status(3, null), 11, 11);
        applier.offer(file("bad", 3), 12);
        assertThat(applier.check(status(3, null), 13, 13))
                .as("the server has not looked yet")
                .isEqualTo(Result.APPLIED);

        assertThat(applier.check(status(3, "no"), 14, 14)).isEqualTo(Result.REFUSED);

        assertThat(file).hasContent("good");
        assertThat(applier.check(status(3, null), 15, 13 + 10_000_000_000L)).isEqualTo(Result.NOTHING);
        applier.check(status(3, null), 16, 14 + 10_000_000_000L);
        assertThat(file).as("tried again").hasContent("bad");
    }

    @Test
    void shouldReportLateOnce_whenTheServerDoesNotTakeIt() throws IOException {
        Written applier = applier();
        applier.offer(file("one", 3), 0);
        assertThat(applier.check(status(1, null), 999, 999)).isEqualTo(Result.NOTHING);
        assertThat(applier.check(status(1, null), 1_000, 1_000)).isEqualTo(Result.LATE);
        assertThat(applier.check(status(1, null), 1_001, 1_001)).isEqualTo(Result.NOTHING);
        assertThat(applier.check(status(3, null), 1_002, 1_002)).isEqualTo(Result.APPLIED);
    }

    @Test
    void shouldBeAsBefore_whenAFileCouldNotBeWritten() {
        RoleFileApplier<Rendering> applier = new RoleFileApplier<>(Duration.ofNanos(1_000));
        applier.offer(file("good", 3), 10);
        applier.check(status(3, null), 11, 11);

        assertThat(applier.offer(file("next", 4), 12)).contains(file("next", 4));
        applier.notWritten();

        assertThat(applier.stamp()).isEqualTo(3);
        assertThat(applier.isPending()).isFalse();
        assertThat(applier.offer(file("next", 4), 13)).as("tried again").contains(file("next", 4));
    }

    /** Found by seed 658 of the simulator: an active proxy handed over the file of the app that it had been before. */
    @Test
    void shouldGoBackToNoFileOfAnotherRole_whenTwoInARowAreRefused() throws IOException {
        Written applier = applier();
        applier.offer(new Rendering(1, "proxy", "shop", "proxy", "", "", List.of(), LetGo.NONE), 10);
        ServerStatus proxy = new ServerStatus("proxy", "shop", 1, null, 1_000, 0, 0, 0, null, 0, 0, 0, null);
        assertThat(applier.check(proxy, 20, 20)).isEqualTo(Result.APPLIED);
        applier.offer(file("app", 2), 30);
        assertThat(applier.check(status(2, null), 40, 40)).isEqualTo(Result.APPLIED);
        applier.offer(file("newer", 3), 50);
        assertThat(applier.check(status(2, "no file 3"), 60, 60)).isEqualTo(Result.REFUSED);
        assertThat(file).hasContent("app");

        assertThat(applier.check(status(2, "no file 4"), 70, 70)).isEqualTo(Result.REFUSED);

        assertThat(file).hasContent("app");
    }

    /** As when an administrator has emptied the generated file: each refusal names the stamp that was refused. */
    @Test
    void shouldWriteSeldom_whenWhateverIsWrittenIsRefused() throws IOException {
        Written applier = applier();
        applier.offer(file("one", 1), 0);
        applier.check(status(1, null), 1, 2);
        applier.offer(file("two", 2), 3);
        applier.check(status(2, null), 4, 5);
        long nowNanos = 10;
        long endNanos = Duration.ofSeconds(20).toNanos();
        int written = 0;
        @Nullable String refusal = null;
        while (nowNanos < endNanos) {
            long before = applier.writes();
            applier.offer(file("three", 3), nowNanos);
            applier.check(status(2, refusal), nowNanos + 1, nowNanos + 1);
            written += (int) (applier.writes() - before);
            refusal = "stamp " + applier.newest() + ": not a file of retier";
            nowNanos += Duration.ofMillis(100).toNanos();
        }

        assertThat(written)
                .as("the file and what was put back, and both again after ten seconds")
                .isBetween(3, 4);
    }
}
