package dev.retier.cli.volume;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.CommandRun;
import dev.retier.cli.ExitCode;
import dev.retier.volume.VolumeName;
import dev.retier.volume.disk.FolderDisk;
import dev.retier.volume.disk.Pool;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private static void refuses(String why, String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.code()).as(run.err()).isEqualTo(64);
        assertThat(run.err()).contains(why);
    }

    @Test
    void shouldSayWhatIsMissing() {
        refuses("say what to do: serve, create", "volume");
        refuses("name the server: --server and --secret-file, or --config", "volume", "list");
        refuses("name the server", "volume", "list", "--server", "127.0.0.1:1");
        refuses("name the server", "volume", "mount", "accounts", folder.toString());
        refuses("--mkfs or --mkfs-over, not both", "volume", "mount", "a", "b", "--mkfs", "--mkfs-over");
        refuses("--server here: write host:port", "volume", "list", "--server", "here", "--secret-file", "s");
        refuses("\"Accounts\" is no name of a volume", "volume", "create", "Accounts", "--size", "1g");
        refuses("--size 0: nothing can be kept in that", "volume", "create", "a", "--size", "0", "--server", "a:1");
        refuses("'1 GB' is no size; write a whole number", "volume", "create", "accounts", "--size", "1 GB");
        refuses(
                "--mirror db-2: a volume has one copy, mirrors are not there yet",
                "volume",
                "create",
                "a",
                "--size",
                "1g",
                "--mirror",
                "db-2",
                "--server",
                "a:1");
        refuses("Missing required option: '--out=FILE'", "volume", "export", "accounts");
        refuses("name the server", "volume", "scrub");
        refuses(
                "--patience says how long the servers of a cluster file are looked for: leave it out",
                "volume",
                "attach",
                "a",
                "--nbd",
                "s",
                "--server",
                "a:1",
                "--patience",
                "1s");
        refuses("--read-only takes it from nobody", "volume", "attach", "a", "--nbd", "s", "--read-only", "--force");
        refuses(
                "there is no user nobody-here on this machine",
                "volume",
                "attach",
                "a",
                "--nbd",
                "s",
                "--socket-owner",
                "nobody-here");
        refuses("'soon' is no duration", "volume", "attach", "a", "--nbd", "s", "--lost-after", "soon");
        refuses("deleting accounts cannot be undone: say --yes", "volume", "delete", "accounts", "--server", "a:1");
    }

    @Test
    void shouldTellWhatIsWrongInTheFile() throws IOException {
        Path file = Files.writeString(folder.resolve("pool.yaml"), "directory: /nowhere\nlisten: 127.0.0.1:7100\n");
        CommandRun run = CommandRun.of("volume", "serve", "--config", file.toString());
        assertThat(run.code()).isEqualTo(78);
        assertThat(run.err()).contains("secret-file: missing; add it");

        Files.writeString(file, "directory: /nowhere\nlisten: 127.0.0.1:7100\nsecret-file: /nowhere/secret\n");
        CommandRun secret = CommandRun.of("volume", "serve", "--config", file.toString());
        assertThat(secret.code()).isEqualTo(78);
        assertThat(secret.err()).contains("/nowhere/secret");

        Path known = Files.writeString(folder.resolve("secret"), "a secret of some length");
        Files.setPosixFilePermissions(known, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(
                file, "directory: /nowhere\nlisten: 127.0.0.1:7100\nsecret-file: " + known + "\ncache-bytes: 1t\n");
        CommandRun memory = CommandRun.of("volume", "serve", "--config", file.toString());
        assertThat(memory.code()).isEqualTo(78);
        assertThat(memory.err()).contains("ask for up to 1049093m bytes, and the machine has");

        long heapMegabytes = Runtime.getRuntime().maxMemory() >> 20;
        Files.writeString(
                file,
                "directory: /nowhere\nlisten: 127.0.0.1:7100\nsecret-file: " + known + "\ncache-bytes: "
                        + (heapMegabytes + 1) + "m\n");
        CommandRun java = CommandRun.of("volume", "serve", "--config", file.toString());
        assertThat(java.code()).isEqualTo(78);
        assertThat(java.err())
                .contains("bytes, and Java may take ")
                .contains("RETIER_JAVA_OPTIONS=-XX:MaxDirectMemorySize=" + (heapMegabytes + 1 + 517) + "m");

        CommandRun missing = CommandRun.of("volume", "serve", "--config", folder + "/none.yaml");
        assertThat(missing.code()).isEqualTo(78);
        assertThat(missing.err()).contains("none.yaml: cannot be read");
    }

    @Test
    void shouldSayWhatIsWrongWithTheFolder_andLeaveNothingInIt() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "a secret of some length");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Path others = Files.createDirectory(folder.resolve("others"));
        Path letters = Files.writeString(others.resolve("letters"), "somebody's");
        CommandRun used = serve(others, secret);
        assertThat(used.code()).isEqualTo(1);
        assertThat(used.err()).contains(others + " has no pool, and something else: [letters]; name an empty folder");
        assertThat(others)
                .isDirectoryContaining(letters::equals)
                .isDirectoryNotContaining(each -> !each.equals(letters));

        CommandRun nowhere = serve(Path.of("/proc/nowhere"), secret);
        assertThat(nowhere.code()).isEqualTo(1);
        assertThat(nowhere.err()).contains("/proc/nowhere: no such file or folder");
        assertThat(PoolFile.reason(new AccessDeniedException("pool/lock")))
                .isEqualTo("pool/lock: permission denied; run it as the user whose pool it is, or give the folder to"
                        + " this user (chown)");
    }

    private CommandRun serve(Path directory, Path secret) throws IOException {
        Path file = Files.writeString(
                folder.resolve("serve.yaml"),
                "directory: " + directory + "\nlisten: 127.0.0.1:7100\nsecret-file: " + secret + "\n");
        return CommandRun.of("volume", "serve", "--config", file.toString());
    }

    @Test
    void shouldAskWhetherItIsMeant_whenSomethingIsGoneThen() {
        refuses(
                "what accounts has since before is gone then, which cannot be undone: say --yes",
                "volume",
                "rollback",
                "accounts",
                "before",
                "--server",
                "a:1");
        refuses(
                "deleting before of accounts cannot be undone",
                "volume",
                "delete",
                "accounts",
                "--snapshot",
                "before",
                "--server",
                "a:1");
    }

    @Test
    void shouldCheckAPool() throws IOException {
        Path pool = Files.createDirectory(folder.resolve("pool"));
        CommandRun none = CommandRun.of("volume", "check", pool.toString());
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.out()).contains("damage").contains("this is no pool");
        CommandRun missing =
                CommandRun.of("volume", "check", folder.resolve("none").toString());
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).contains("is no folder");

        FolderDisk disk = FolderDisk.open(pool);
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool opened = Pool.open(disk, new Pool.Limits(1 << 20, 4 << 20), Runnable::run)) {
            int volume = opened.create(new VolumeName("accounts"), 1 << 20);
            opened.volume(volume, 1).write(5, ByteBuffer.allocate(10_000).put(0, (byte) 1));
            opened.checkpoint();
        }
        CommandRun good = CommandRun.of("volume", "check", pool.toString(), "-o", "json");
        assertThat(good.code()).as(good.err()).isZero();
        assertThat(good.err()).contains("checked 100 %");
        assertThat(good.out()).contains("16 blocks of 1 volumes and snapshots were read");
        byte[] clusters = Files.readAllBytes(pool.resolve("clusters"));
        clusters[5000] ^= 1;
        Files.write(pool.resolve("clusters"), clusters);
        CommandRun bad = CommandRun.of("volume", "check", pool.toString());
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.out()).contains("block 1 is not what was written");
    }

    @Test
    void shouldCutAJournalThatIsBroken_onceItSaidWhatIsLost() throws IOException {
        Path pool = Files.createDirectory(folder.resolve("pool"));
        FolderDisk disk = FolderDisk.open(pool);
        Pool.make(disk, new UUID(1, 2), Geometry.DEFAULT);
        try (Pool opened = Pool.open(disk, new Pool.Limits(1 << 20, 4 << 20), Runnable::run)) {
            int volume = opened.create(new VolumeName("accounts"), 1 << 20);
            opened.checkpoint();
            opened.volume(volume, 1).write(0, ByteBuffer.allocate(8192));
            opened.volume(volume, 1).write(8192, ByteBuffer.allocate(8192));
            opened.flush();
        }
        refuses("--yes is for --cut-journal", "volume", "check", pool.toString(), "--yes");
        CommandRun whole = CommandRun.of("volume", "check", pool.toString(), "--cut-journal", "--yes");
        assertThat(whole.code()).isEqualTo(1);
        assertThat(whole.err()).contains("the journal is not broken");
        Path segment = pool.resolve("journal/000000000002");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[0] ^= 1;
        Files.write(segment, bytes);
        CommandRun bad = CommandRun.of("volume", "check", pool.toString());
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.out()).contains("damage").contains("journal/000000000002 is broken at byte 0");
        CommandRun asked = CommandRun.of("volume", "check", pool.toString(), "--cut-journal");
        assertThat(asked.code()).isEqualTo(ExitCode.REFUSED.code());
        assertThat(asked.out()).contains("2 blocks written, 1 writes");
        assertThat(asked.err()).contains("say --yes");
        assertThat(Files.readAllBytes(segment)).isEqualTo(bytes);
        CommandRun done = CommandRun.of("volume", "check", pool.toString(), "--cut-journal", "--yes");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.err()).contains("journal/000000000002.cut1");
        assertThat(CommandRun.of("volume", "check", pool.toString()).code()).isZero();
    }

    /** Who took a volume by force keeps it; who has it until it ends is waited for. */
    @Test
    void shouldBeStartedAgainByItsUnit_unlessItWasTakenOrIsWrong() throws IOException {
        String unit = Files.readString(Path.of("../conf/systemd/retier-volume@.service"));
        assertThat(unit)
                .contains("Restart=on-failure")
                .contains("RestartPreventExitStatus=" + ExitCode.REFUSED.code() + " " + ExitCode.USAGE.code() + " "
                        + ExitCode.CONFIG.code() + "\n");
    }
}
