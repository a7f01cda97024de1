package dev.retier.undertow.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.balance.AppLoad;
import dev.retier.balance.Loads;
import dev.retier.balance.LoadsPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LoadsFollowerTest {
    private static final long STALENESS_NANOS = 1_000_000_000;
    private static final long REOPEN_NANOS = 1_000_000_000;

    private final List<String> heard = new ArrayList<>();
    private Path file;
    private LoadsFollower follower;
    private long nowNanos = -5;

    @BeforeEach
    void prepare(@TempDir Path folder) {
        file = folder.resolve("role.json.loads");
        follower = new LoadsFollower(
                "node-1",
                folder.resolve("role.json"),
                new LoadsFollower.Listener() {
                    @Override
                    public void told(Loads loads) {
                        heard.add("told " + loads.number());
                    }

                    @Override
                    public void lost() {
                        heard.add("lost");
                    }
                },
                nowNanos);
    }

    private static byte[] page(long number) {
        List<AppLoad> apps = List.of(new AppLoad("app-1", (int) number, 0.5, 100, 1000));
        return LoadsPage.emit(new Loads(number, 200_000_000, STALENESS_NANOS, apps))
                .array();
    }

    /** In place, as the agent does it. */
    private void write(byte[] bytes) throws IOException {
        Files.write(file, bytes);
    }

    private void pollAfter(long nanos) {
        nowNanos += nanos;
        follower.poll(nowNanos);
    }

    private void tellTwo() throws IOException {
        write(page(1));
        pollAfter(0);
        write(page(2));
        pollAfter(10);
        assertThat(heard).containsExactly("told 2");
        heard.clear();
    }

    @Test
    void shouldTellEachLookOnce_onceTheNumberHasChanged() throws IOException {
        tellTwo();
        pollAfter(10);
        write(page(3));
        pollAfter(10);
        assertThat(heard).containsExactly("told 3");
    }

    @Test
    void shouldTellNothing_whenTheFileIsLeftFromAnAgentThatIsGone() throws IOException {
        write(page(1));
        pollAfter(0);
        pollAfter(REOPEN_NANOS);
        pollAfter(REOPEN_NANOS);
        assertThat(heard).isEmpty();
    }

    @Test
    void shouldLoseTheLoads_whenNothingNewComesForTheirStaleness() throws IOException {
        tellTwo();
        pollAfter(STALENESS_NANOS - 1);
        assertThat(heard).isEmpty();
        pollAfter(1);
        assertThat(heard).containsExactly("lost");
        pollAfter(REOPEN_NANOS);
        assertThat(heard).as("said once, and the old number tells nothing").containsExactly("lost");
        write(page(3));
        pollAfter(10);
        assertThat(heard).containsExactly("lost", "told 3");
    }

    @Test
    void shouldKeepWhatItHas_whenTheFileIsTorn() throws IOException {
        tellTwo();
        byte[] torn = page(3);
        System.arraycopy(page(4), 64, torn, 64, 96);
        write(torn);
        pollAfter(10);
        assertThat(heard).isEmpty();
        write(page(4));
        pollAfter(10);
        assertThat(heard).containsExactly("told 4");
    }

    @Test
    void shouldLoseTheLoads_whenTheFileIsShortOrOfAnotherVersion() throws IOException {
        tellTwo();
        write(Arrays.copyOf(page(3), 1000));
        pollAfter(10);
        assertThat(heard).containsExactly("lost");
        byte[] other = page(3);
        other[4] = 9;
        write(other);
        pollAfter(REOPEN_NANOS);
        assertThat(heard).containsExactly("lost");
        write(page(4));
        pollAfter(10);
        assertThat(heard).containsExactly("lost", "told 4");
    }

    @Test
    void shouldFollowAnotherFileOfTheSameName_onceItIsThere() throws IOException {
        pollAfter(0);
        assertThat(heard).isEmpty();
        write(page(1));
        pollAfter(REOPEN_NANOS);
        write(page(2));
        pollAfter(10);
        Files.delete(file);
        write(page(7));
        pollAfter(STALENESS_NANOS);
        pollAfter(REOPEN_NANOS);
        assertThat(heard).containsExactly("told 2", "lost", "told 7");
    }

    /** To open a pipe would wait for whoever writes into it, and hold up all else that is polled. */
    @Test
    @Timeout(20)
    void shouldGoOn_whenAPipeIsInItsPlace() throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        pollAfter(REOPEN_NANOS);
        assertThat(heard).isEmpty();

        Files.delete(file);
        write(page(1));
        pollAfter(REOPEN_NANOS);
        write(page(2));
        pollAfter(1);
        assertThat(heard).containsExactly("told 2");
    }
}
