package dev.retier.cli.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.retier.cli.CommandRun;
import dev.retier.link.SecretSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
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

    private Path made(String name) {
        Path file = folder.resolve(name);
        assertThat(CommandRun.of("secret", "new", file.toString()).code()).isZero();
        return file;
    }

    @Test
    void shouldReplaceTheSecretInThreeSteps_whenItIsRotated() throws IOException {
        Path file = made("secret");
        Path next = made("next");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        String old = secretIn(file);
        String fresh = secretIn(next);
        List<String> all =
                List.of("--add=" + next + "|" + old + "\n" + fresh, "--swap|" + fresh + "\n" + old, "--drop|" + fresh);
        for (String step : all) {
            CommandRun run = CommandRun.of("secret", "rotate", step.split("\\|", -1)[0], file.toString());

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(file).hasContent(step.split("\\|", -1)[1] + "\n");
            assertThat(run.out()).doesNotContain(old, fresh);
            assertThatCode(() -> SecretSource.fromFile(file)).doesNotThrowAnyException();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void shouldChangeNothing_whenAStepIsNotDue() throws IOException {
        Path file = made("secret");
        String one = Files.readString(file);
        refuses(file, "has one secret alone: --add comes first", "--swap");
        refuses(file, "has one secret alone: nothing is to be taken away", "--drop");
        refuses(file, "has the secret that is in", "--add", file.toString());
        refuses(file, "none", "--add", folder + "/none");
        assertThat(CommandRun.of("secret", "rotate", file.toString()).code()).isEqualTo(64);
        assertThat(file).hasContent(one);

        Files.writeString(file, one + secretIn(made("next")));
        String two = Files.readString(file);
        refuses(file, "has two secrets already", "--add", folder + "/next");
        refuses(made("third"), "secret has two secrets: name a file", "--add", file.toString());
        assertThat(file).hasContent(two);
    }

    private static void refuses(Path file, String why, String... step) {
        List<String> line = new ArrayList<>(List.of("secret", "rotate"));
        line.addAll(List.of(step));
        line.add(file.toString());
        CommandRun run = CommandRun.of(line.toArray(String[]::new));
        assertThat(run.code()).as(run.out()).isEqualTo(1);
        assertThat(run.err()).contains(why);
    }

    private static String secretIn(Path file) throws IOException {
        return Files.readString(file).strip();
    }
}
