package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.retier.agent.server.ProcessorAccount.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real control groups of whichever versions this machine has: what a process has used that is none of the server's
 * children, but in its group, counts, and the group's quota is what it may use. Needs Linux and root.
 */
class ControlGroupsIT {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String NAME = "retier-test-" + ProcessHandle.current().pid();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final double BURNT_SECONDS = 0.2;

    @TempDir
    @Nullable
    Path folder;

    private final List<Path> groups = new ArrayList<>();

    @Test
    void shouldCountTheGroupOfVersion2() throws Exception {
        Path root = Files.exists(ROOT.resolve("cgroup.controllers")) ? ROOT : ROOT.resolve("unified");
        assumeTrue(Files.exists(root.resolve("cgroup.controllers")), "version 2 is not mounted");
        boolean isControlled = Arrays.asList(Files.readString(root.resolve("cgroup.controllers"))
                        .strip()
                        .split(" ", -1))
                .contains("cpu");
        Path group = make(root);
        if (isControlled) {
            Files.writeString(root.resolve("cgroup.subtree_control"), "+cpu");
            Files.writeString(group.resolve("cpu.max"), "50000 100000");
        }
        long process = start(group);
        Usage used = awaitUse(process);
        double counted = Double.parseDouble(Files.readString(group.resolve("cpu.stat"))
                        .lines()
                        .findFirst()
                        .orElseThrow()
                        .replace("usage_usec ", ""))
                / 1e6;
        assertThat(used.seconds()).isCloseTo(counted, within(1.0)).isLessThanOrEqualTo(counted);
        if (isControlled) {
            assertThat(used.processors()).isEqualTo(0.5);
            ProcessorAccount account = new ProcessorAccount(Processes.OF_SYSTEM);
            await().atMost(PATIENCE).until(() -> account.usage(process).isExhausted());
        }
    }

    @Test
    void shouldCountTheGroupOfVersion1() throws Exception {
        assumeTrue(Files.exists(ROOT.resolve("cpuacct/cpuacct.usage")), "version 1 is not mounted");
        boolean isTogether = Files.isSameFile(ROOT.resolve("cpu"), ROOT.resolve("cpuacct"));
        Path accounting = make(ROOT.resolve("cpuacct"));
        Path quota = isTogether ? accounting : make(ROOT.resolve("cpu"));
        Files.writeString(quota.resolve("cpu.cfs_quota_us"), "50000");
        Path inner = Files.createDirectory(quota.resolve("inner"));
        groups.add(inner);
        long process = start(isTogether ? inner : accounting, inner);
        Usage used = awaitUse(process);
        double counted = Double.parseDouble(
                        Files.readString(accounting.resolve("cpuacct.usage")).strip())
                / 1e9;
        assertThat(used.seconds()).isCloseTo(counted, within(1.0)).isLessThanOrEqualTo(counted);
        assertThat(used.processors()).as("of the group around its own").isEqualTo(0.5);
        ProcessorAccount account = new ProcessorAccount(Processes.OF_SYSTEM);
        await().atMost(PATIENCE).until(() -> account.usage(process).isExhausted());
        Files.writeString(quota.resolve("cpu.cfs_quota_us"), "25000");
        await().atMost(PATIENCE).until(() -> account.usage(process).processors() == 0.25);
        Files.writeString(quota.resolve("cpu.cfs_quota_us"), "-1");
        int all = Runtime.getRuntime().availableProcessors();
        await("no quota").atMost(PATIENCE).until(() -> account.usage(process).processors() == all);
        await().atMost(PATIENCE).until(() -> !account.usage(process).isExhausted());
    }

    private Path make(Path hierarchy) {
        assumeTrue("root".equals(System.getProperty("user.name")), "control groups need root");
        try {
            Path group = Files.createDirectory(hierarchy.resolve(NAME));
            groups.add(group);
            return group;
        } catch (IOException e) {
            return abort("no control group can be made: " + e);
        }
    }

    /** A parent that does nothing, and one beside it that burns processor time and is no child of it. */
    private long start(Path... joined) throws Exception {
        Path home = Objects.requireNonNull(folder);
        Path pidFile = home.resolve("pid");
        StringBuilder script = new StringBuilder();
        for (Path group : joined) {
            script.append("echo $$ > ").append(group).append("/cgroup.procs && ");
        }
        script.append("{ sh -c '(while :; do :; done) & exit'; echo $$ > ")
                .append(pidFile)
                .append("; exec sleep 600; }");
        new ProcessBuilder("setsid", "sh", "-c", script.toString())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("log").toFile())
                .start();
        await().atMost(PATIENCE).until(() -> Files.exists(pidFile) && Files.size(pidFile) > 0);
        return Long.parseLong(Files.readString(pidFile).strip());
    }

    private Usage awaitUse(long parent) {
        ProcessorAccount account = new ProcessorAccount(Processes.OF_SYSTEM);
        return await().atMost(PATIENCE).until(() -> account.usage(parent), used -> used.seconds() > BURNT_SECONDS);
    }

    @AfterEach
    void removeGroups() throws Exception {
        for (Path group : groups.reversed()) {
            for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
            await().atMost(PATIENCE)
                    .until(() -> Files.readString(group.resolve("cgroup.procs")).isEmpty());
            Files.delete(group);
        }
    }
}
