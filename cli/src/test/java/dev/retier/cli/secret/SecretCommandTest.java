package dev.retier.cli.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.retier.cli.CommandRun;
import dev.retier.link.SecretSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretCommandTest {
    @TempDir
    private Path folder;

    @Test
    void shouldMakeAFileThatAgentsAccept_whenThereIsNone() throws IOException {
        Path file = folder.resolve("secret");

        CommandRun run = CommandRun.of("secret", "new", file.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThatCode(() -> SecretSource.fromFile(file)).doesNotThrowAnyException();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(run.out() + run.err()).contains("copy it").doesNotContain(secretIn(file));
    }

    @Test
    void shouldLeaveTheFile_whenThereIsOne() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "the secret of a running cell\n");

        CommandRun run = CommandRun.of("secret", "new", file.toString());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains(file + " is there already and stays");
        assertThat(file).hasContent("the secret of a running cell\n");
    }

    @Test
    void shouldLeaveWhatALinkNames_whenTheFileIsALink() throws IOException {
        Path elsewhere = folder.resolve("elsewhere");
        Path link = Files.createSymbolicLink(folder.resolve("secret"), elsewhere);

        assertThat(CommandRun.of("secret", "new", link.toString()).code()).isEqualTo(1);

        assertThat(elsewhere).doesNotExist();
    }

    @Test
    void shouldNameTheFolder_whenItIsMissing() {
        CommandRun run = CommandRun.of("secret", "new", folder + "/none/secret");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("no such file or folder").contains("its folder must be writable");
    }

    @Test
    void shouldPrintAnotherEachTime_whenStandardOutputIsAskedFor() {
        CommandRun one = CommandRun.of("secret", "new", "-");
        CommandRun other = CommandRun.of("secret", "new", "-");

        assertThat(one.out().strip()).hasSize(44).isNotEqualTo(other.out().strip());
    }

    private static String secretIn(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
