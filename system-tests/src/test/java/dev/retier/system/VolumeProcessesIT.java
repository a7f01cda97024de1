package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.testsupport.ExternalTool;
import dev.retier.testsupport.Repeats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code retier volume} as processes of a server and of its clients' machines, with the programs that people use. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class VolumeProcessesIT extends VolumeProcesses {
    /** The second and the fifth promise: what was answered is kept, and what is sent again harms nothing. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldLoseNothing_whenTheServerIsKilledWhileFioWritesAndVerifies() throws Exception {
        String fio = ExternalTool.find("fio").toString();
        serve();
        runWell("create", volume("create", "accounts", "--size", "1g"));
        attach("client");
        Random random = new Random(5);
        int kills = Repeats.of(5);
        for (int round = 0; kills > 0; round++) {
            String name = "fio-" + round;
            Process verifying = begin(
                    name,
                    List.of(
                            fio,
                            "--name=v",
                            "--ioengine=nbd",
                            "--uri=" + uri("client"),
                            "--rw=randwrite",
                            "--bsrange=512-64k",
                            "--size=96m",
                            "--iodepth=16",
                            "--verify=crc32c",
                            "--verify_fatal=1",
                            "--do_verify=1",
                            "--fsync=64",
                            "--randseed=" + round));
            while (kills > 0 && !verifying.waitFor(500 + random.nextInt(1500), TimeUnit.MILLISECONDS)) {
                kill("server");
                kills--;
                serve();
            }
            assertThat(verifying.waitFor(4 * PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(verifying.exitValue()).as(() -> output(name)).isZero();
        }
        process("client").destroy();
        assertThat(process("client").waitFor()).as(() -> output("client")).isEqualTo(143);
    }

    /** The sixth promise: one writer; what comes of the one before is refused. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldFenceTheMachineThatHadIt_andGiveItBackInGoodOrder() throws Exception {
        String io = ExternalTool.find("qemu-io").toString();
        serve();
        runWell("create", volume("create", "accounts", "--size", "64m"));
        attach("one");
        runWell("write", List.of(io, "-f", "raw", "-c", "write -P 17 0 1m", uri("one")));
        assertThat(run(
                        "refused",
                        volume("attach", "accounts", "--nbd", socket("two").toString())))
                .as(() -> output("refused"))
                .isEqualTo(4);
        assertThat(output("refused")).contains("has it attached");
        attach("two", "--force");
        runWell("read", List.of(io, "-f", "raw", "-c", "read -P 17 0 1m", "-c", "write -P 18 0 1m", uri("two")));
        assertThat(process("one").waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("it ends when it is fenced")
                .isTrue();
        assertThat(process("one").exitValue()).as(() -> output("one")).isEqualTo(3);
        assertThat(output("one")).contains("accounts was taken from this machine");
        attach("reader", "--read-only");
        runWell("read only", List.of(io, "-r", "-f", "raw", "-c", "read -P 18 0 1m", uri("reader")));
        runWell("show", volume("show", "accounts", "-o", "csv"));
        assertThat(output("show")).containsPattern("accounts,,67108864,\\d+,.*process \\d+.*,2,.*Z,.*process \\d+");
        process("reader").destroy();
        process("reader").waitFor();
        assertThat(run("unsure", volume("detach", "accounts", "--force"))).isEqualTo(3);
        assertThat(output("unsure")).contains("keeps accounts: say --yes to take it away");
        runWell("detach", volume("detach", "accounts", "--force", "--yes"));
        assertThat(process("two").waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        assertThat(process("two").exitValue()).as(() -> output("two")).isEqualTo(3);
        assertThat(socket("two")).doesNotExist();

        process("server").destroy();
        process("server").waitFor();
        serve();
        attach("three");
        runWell("again", List.of(io, "-f", "raw", "-c", "read -P 18 0 1m", uri("three")));
        runWell("list", volume("list", "-o", "csv"));
        assertThat(output("list")).containsPattern("accounts,,67108864,\\d+,.* \\(process \\d+\\),4");
    }

    /** While the server is away requests wait for a minute, and whoever ends the process does not. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldEndSoon_whenItIsAskedToWhileTheServerIsAway() throws Exception {
        String io = ExternalTool.find("qemu-io").toString();
        serve();
        runWell("create", volume("create", "accounts", "--size", "64m"));
        attach("client");
        runWell("write", List.of(io, "-f", "raw", "-c", "write -P 17 0 1m", uri("client")));
        kill("server");
        process("client").destroy();
        assertThat(process("client").waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process("client").exitValue()).as(() -> output("client")).isEqualTo(1);
        assertThat(output("client")).contains("has not been reached for 3 s");
    }

    /** Where a volume of 256 MiB is, of a server that was started for it. */
    private Path mounted(String... options) throws Exception {
        requireMounts();
        Path here = Files.createDirectory(folder().resolve("here"));
        serve();
        runWell("create", volume("create", mounted, "--size", "256m"));
        List<String> mount = new ArrayList<>(volume("mount", mounted, here.toString(), "--mkfs"));
        mount.addAll(List.of(options));
        start("mount", "is mounted on", mount);
        return here;
    }

    /** What programs wrote is in the kernel's memory until they sync it: the server was never asked to keep it. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldSayThatWhatWasNotSyncedIsLost_whenAMountEndsWhileTheServerIsAway() throws Exception {
        Path here = mounted();
        Files.write(here.resolve("file"), new byte[1 << 20]);
        kill("server");
        assertThat(run("unmount", unmount("here", "--force"))).isEqualTo(1);
        assertThat(process("mount").waitFor()).as(() -> output("mount")).isEqualTo(1);
        for (String who : List.of("mount", "unmount")) {
            assertThat(output(who)).contains("what programs wrote and did not sync is lost");
        }
        assertThat(run("again", unmount("here"))).as("nothing is left").isEqualTo(1);
        assertThat(output("again")).contains("no volume is mounted on");
    }

    /** Programs that never sync hear of nothing else. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldSayWhenItIsUnmounted_thatWritesFailed() throws Exception {
        Path here = mounted("--lost-after", "1s");
        Path file = Files.write(here.resolve("file"), new byte[1 << 20]);
        runWell("sync", List.of("sync", file.toString()));
        kill("server");
        assertThat(run("dd", List.of("dd", "if=/dev/zero", "of=" + file, "count=64", "conv=notrunc,fsync")))
                .isEqualTo(1);
        serve();
        assertThat(run("unmount", unmount("here"))).isEqualTo(1);
        assertThat(output("unmount"))
                .contains("it is unmounted; the mount ended so: ", "what programs wrote and did not sync is lost");
        assertThat(process("mount").waitFor()).as(() -> output("mount")).isEqualTo(143);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBeGivenAFileSystem_byTheCommandThatAttachTellsPeopleToTry() throws Exception {
        requireMounts();
        serve();
        runWell("create", volume("create", "accounts", "--size", "64m"));
        attach("client");
        String command = output("client")
                .lines()
                .filter(line -> line.contains("mkfs.ext4"))
                .findFirst()
                .orElseThrow();
        try {
            runWell("mkfs", List.of("sh", "-c", command));
            runWell(
                    "blkid",
                    List.of("blkid", "--probe", folder().resolve("disk/nbd").toString()));
            assertThat(output("blkid")).contains("TYPE=\"ext4\"");
        } finally {
            run("end", List.of("fusermount3", "-u", folder().resolve("disk").toString()));
        }
    }

    /** A file system on it, through the death of the server, of the machine's own process, and to another folder. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBeMountedAgain_whateverWasKilled() throws Exception {
        requireMounts();
        Path here = Files.createDirectory(folder().resolve("here"));
        Path there = Files.createDirectory(folder().resolve("there"));
        serve();
        String name = mounted;
        runWell("create", volume("create", name, "--size", "256m"));
        assertThat(run("bare", volume("mount", name, here.toString()))).isEqualTo(1);
        assertThat(output("bare")).contains("has no file system: --mkfs makes one");
        start("mount", "is mounted on", volume("mount", name, here.toString(), "--mkfs"));
        byte[] bytes = new byte[8 << 20];
        new Random(1).nextBytes(bytes);
        kill("server");
        Process writing = begin(
                "dd",
                List.of("dd", "if=/dev/urandom", "of=" + here.resolve("random"), "bs=64k", "count=64", "conv=fsync"));
        serve();
        assertThat(writing.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(writing.exitValue()).as(() -> output("dd")).isZero();
        Files.write(here.resolve("file"), bytes);
        runWell("sync", List.of("sync", "-f", here.toString()));
        kill("mount");
        start("mount", "is mounted on", volume("mount", name, there.toString(), "--force"));
        assertThat(Files.readAllBytes(there.resolve("file"))).isEqualTo(bytes);
        assertThat(here).isEmptyDirectory();
        assertThat(run("other", volume("mount", name, here.toString(), "--force")))
                .isEqualTo(3);
        assertThat(output("other")).contains("has it mounted on " + there);
        assertThat(run(
                        "another's",
                        volume(
                                "mount",
                                name,
                                here.toString(),
                                "--server",
                                "localhost:" + address().getPort())))
                .isEqualTo(3);
        assertThat(output("another's"))
                .contains("has a volume of that name of 127.0.0.1:" + address().getPort() + " mounted on " + there)
                .doesNotContain("unmount");
        begin("user", List.of("tail", "-f", there.resolve("file").toString()));
        assertThat(run("busy", unmount("there"))).isEqualTo(3);
        assertThat(output("busy"))
                .contains(" is in use by tail (" + process("user").pid() + "): end that first");
        kill("user");
        runWell("unmount", unmount("there"));
        assertThat(there).isEmptyDirectory();
        assertThat(process("mount").waitFor()).as(() -> output("mount")).isEqualTo(143);
        Path link = Files.createSymbolicLink(folder().resolve("link"), here);
        start("mount", "is mounted on", volume("mount", name, link.toString()));
        assertThat(Files.readAllBytes(here.resolve("file"))).isEqualTo(bytes);
        runWell("unmount", unmount("here"));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldSayWhatIsWrong() throws Exception {
        assertThat(run("away", volume("list", "--patience", "1s"))).isEqualTo(1);
        assertThat(output("away"))
                .contains("has not been reached for 1 s: is it running, with the same pool and the same secret?");
        serve();
        assertThat(run("none", volume("attach", "accounts", "--nbd", socket("a").toString())))
                .isEqualTo(1);
        assertThat(output("none")).contains("there is no volume \"accounts\" here");
        assertThat(run("odd", volume("create", "accounts", "--size", "1000"))).isEqualTo(1);
        assertThat(output("odd")).contains("a volume of 1000 bytes; give it a multiple of 4096");
        assertThat(run("twice", volume("serve"))).isEqualTo(1);
        assertThat(output("twice")).contains("is in use by another volume server");
        Files.writeString(folder().resolve("other"), "another secret, of some length, too");
        Files.setPosixFilePermissions(folder().resolve("other"), PosixFilePermissions.fromString("rw-------"));
        assertThat(run(
                        "stranger",
                        volume(
                                "list",
                                "--patience",
                                "1s",
                                "--secret-file",
                                folder().resolve("other").toString())))
                .isEqualTo(1);
        assertThat(output("server")).contains("does not prove the cluster secret");
    }
}
