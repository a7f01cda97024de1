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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, String> steps = new LinkedHashMap<>();
        steps.put("--add", old + "\n" + fresh);
        steps.put("--swap", fresh + "\n" + old);
        steps.put("--drop", fresh);
        steps.forEach((step, content) -> {
            for (int again = 0; again < 2; again++) {
                CommandRun run = CommandRun.of("secret", "rotate", step, next.toString(), file.toString());

                assertThat(run.code()).as(run.err()).isZero();
                assertThat(file).hasContent(content + "\n");
                assertThat(run.out()).doesNotContain(old, fresh);
                assertThatCode(() -> SecretSource.fromFile(file)).doesNotThrowAnyException();
            }
        });
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void shouldChangeNothing_whenAStepIsNotDue() throws IOException {
        Path file = made("secret");
        String one = Files.readString(file);
        String next = made("next").toString();
        refuses(file, "does not have the secret of " + next + ": --add", "--swap", next);
        refuses(file, "does not have the secret of " + next + ", which is to be left", "--drop", next);
        refuses(file, "has that secret and no other", "--add", file.toString());
        refuses(file, "none", "--add", folder + "/none");
        assertThat(CommandRun.of("secret", "rotate", file.toString()).code()).isEqualTo(64);
        assertThat(file).hasContent(one);

        Files.writeString(file, one + secretIn(folder.resolve("next")));
        String two = Files.readString(file);
        String third = made("third").toString();
        refuses(file, "does not offer the secret of " + next + " yet", "--drop", next);
        refuses(file, "has two secrets, and neither is that of " + third, "--add", third);
        refuses(file, "does not have the secret of " + third, "--swap", third);
        refuses(folder.resolve("third"), "secret has two secrets: name a file", "--add", file.toString());
        assertThat(file).hasContent(two);

        assertThat(CommandRun.of("secret", "rotate", "--swap", next, file.toString())
                        .code())
                .isZero();
        refuses(file, "offers that secret already: go on with --drop", "--add", next);
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
