package dev.retier.undertow.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.config.ConfigException;
import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.status.NodeCounters;
import dev.retier.undertow.status.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RoleFollowerTest {
    private final List<Long> applied = new ArrayList<>();
    private final NodeCounters counters = new NodeCounters(List.of("all"));

    private Path folder;
    private Path file;
    private RoleFollower follower;
    private boolean isFailing;

    @BeforeEach
    void prepare(@TempDir Path temporary) throws IOException {
        folder = temporary;
        file = folder.resolve("role.json");
        follower = follower();
        replace(spare(5));
    }

    @Test
    void shouldApplyTheFirstFileAndEachNewerOne() throws IOException {
        follower.start();
        follower.poll();
        replace(spare(6));
        follower.poll();
        follower.poll();
        assertThat(applied).containsExactly(5L, 6L);
    }

    @Test
    void shouldRefuseToStart_whenTheFileIsMissingOrBroken() throws IOException {
        Files.delete(file);
        assertThatThrownBy(follower::start)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("role.json: cannot be read")
                .hasMessageContaining("start the agent");
        replace("{");
        assertThatThrownBy(follower::start).isInstanceOf(ConfigException.class);
        assertThat(applied).isEmpty();
    }

    @Test
    void shouldTryAgain_whenAFileCannotBeApplied() throws IOException {
        follower.start();
        replace(spare(6));
        isFailing = true;
        assertThatThrownBy(follower::poll).hasMessage("no worker yet");
        isFailing = false;
        for (int i = 0; i < 250; i++) {
            follower.poll();
        }
        assertThat(applied).containsExactly(5L, 6L);
    }

    @Test
    void shouldApplyOtherContentOfTheSameEpoch() throws IOException {
        follower.start();
        replace("{\"epoch\": 5, \"role\": \"app\", \"site\": \"shop\"}");
        follower.poll();
        assertThat(applied).containsExactly(5L, 5L);
    }

    @Test
    void shouldRefuseOnceAndKeepWhatIsInForce_whenTheEpochIsOlder() throws IOException {
        follower.start();
        replace(spare(4));
        for (int i = 0; i < 250; i++) {
            follower.poll();
        }
        assertThat(applied).containsExactly(5L);
        assertThat(follower.lastRefusal()).contains("4 is older than 5");
        assertThat(counters.get(Tally.ROLE_FILES_REFUSED)).isEqualTo(1);
    }

    @Test
    void shouldRefuseAndRecover_whenTheFileIsBrokenForAWhile() throws IOException {
        follower.start();
        replace("{\"epoch\": ");
        follower.poll();
        assertThat(follower.lastRefusal()).contains("not valid JSON");
        replace(spare(5));
        follower.poll();
        assertThat(follower.lastRefusal()).isNull();
        Files.delete(file);
        follower.poll();
        follower.poll();
        assertThat(follower.lastRefusal()).contains("cannot be read");
        replace(spare(7));
        follower.poll();
        assertThat(follower.lastRefusal()).isNull();
        assertThat(applied).containsExactly(5L, 7L);
        assertThat(counters.get(Tally.ROLE_FILES_REFUSED)).isEqualTo(2);
    }

    @Test
    void shouldRefuse_whenTheNodeWouldBeItsOwnApp() throws IOException {
        follower.start();
        replace("""
                {"epoch": 6, "role": "proxy", "site": "shop", "apps": [{"node": "me", "address": "127.0.0.1:1"}]}""");
        follower.poll();
        assertThat(follower.lastRefusal()).contains("apps[0].node: me cannot be its own app node");
    }

    @Test
    void shouldRefuse_whenAFolderLiesInItsPlace() throws IOException {
        follower.start();
        Files.delete(file);
        Files.createDirectory(file);
        follower.poll();
        assertThat(follower.lastRefusal()).contains("not a regular file");
    }

    private RoleFollower follower() {
        return new RoleFollower("me", file, counters, (RoleFile newer, String sha256) -> {
            assertThat(sha256).hasSize(64);
            if (isFailing) {
                throw new IllegalStateException("no worker yet");
            }
            applied.add(newer.epoch());
        });
    }

    private void replace(String content) throws IOException {
        Path staged = folder.resolve("staged");
        Files.writeString(staged, content);
        Files.move(staged, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String spare(long epoch) {
        return "{\"epoch\": " + epoch + ", \"role\": \"spare\"}";
    }
}
