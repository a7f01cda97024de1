package dev.retier.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.command.PauseWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that is a plain file takes nothing, like a full disk. */
class SmallFilesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final PauseWord PAUSED = PauseWord.NONE.next(true);

    @TempDir
    @org.jspecify.annotations.Nullable
    Path scratch;

    private Path folder = Path.of("");
    private SmallFiles files = new SmallFiles(folder, 0);

    @BeforeEach
    void fill() throws IOException {
        folder = Objects.requireNonNull(scratch).resolve("node-1");
        Files.writeString(folder, "in the way");
        files = new SmallFiles(folder, 0);
    }

    private void free() throws IOException {
        Files.delete(folder);
        Files.createDirectory(folder);
    }

    @Test
    void shouldSayAtOnce_whenNothingCanBeKept() throws IOException {
        files.retry(0);
        assertThat(files.problem()).contains("cannot be kept");

        free();
        files.retry(5 * SECOND);
        assertThat(files.problem()).isNull();
    }

    @Test
    void shouldKeepThePauseLater_whenItIsInForceAndCannotBeKept() throws IOException {
        assertThat(files.keep(PAUSED, false, true, 0)).isNotNull();
        assertThat(files.problem()).contains("pauses cannot be kept");
        files.retry(6 * SECOND);
        assertThat(files.problem()).as("still full").isNotNull();

        free();
        files.retry(7 * SECOND);
        assertThat(files.problem()).as("not yet tried again").isNotNull();
        files.retry(12 * SECOND);

        assertThat(files.problem()).isNull();
        assertThat(PauseFile.read(folder)).isEqualTo(new PauseFile(PAUSED, false));
    }

    @Test
    void shouldKeepWhatIsInForce_whenAnOperatorsPauseWasRefused() throws IOException {
        assertThat(files.keep(PAUSED, true, false, 0)).isNotNull();
        assertThat(files.problem()).isNotNull();

        free();
        files.retry(5 * SECOND);

        assertThat(files.problem()).isNull();
        assertThat(PauseFile.read(folder)).isEqualTo(new PauseFile(PauseWord.NONE, false));
    }

    @Test
    void shouldRaiseTheNumberOfTheNextStartLater_whenItCannotNow() throws IOException {
        free();
        Files.writeString(folder.resolve("boot-number"), "5");
        Path inTheWay = Files.createDirectories(folder.resolve(".boot-number.new/full"));
        files.retry(0);
        assertThat(files.problem()).isNull();
        assertThatThrownBy(() -> files.outgrow(70_000, 0)).isInstanceOf(IOException.class);
        assertThat(files.problem()).contains("number of the next start");

        assertThat(files.keep(PauseWord.NONE, false, true, SECOND)).isNull();
        assertThat(files.problem()).as("the number is still missing").isNotNull();
        Files.delete(inTheWay);
        files.retry(6 * SECOND);

        assertThat(files.problem()).isNull();
        assertThat(folder.resolve("boot-number")).content().startsWith("70000");
    }
}
