package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.retier.agent.server.ProcessorAccount.Usage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelperAccountsTest {
    private static final Offset<Double> A_TICK = within(0.001);
    private static final long SERVER = 7;

    @TempDir
    private Path folder = Path.of("");

    private void process(long pid, long ticks) throws IOException {
        Path own = Files.createDirectories(folder.resolve("proc/" + pid));
        Files.writeString(
                own.resolve("stat"), pid + " (php-fpm) S 1 1 1 0 -1 0 0 0 0 0 " + ticks + " 0 0 0 20 0 1 0 " + pid);
        Files.writeString(own.resolve("cgroup"), "0::/\n");
    }

    private void name(String pid) throws IOException {
        Files.writeString(folder.resolve("fpm.pid"), pid + "\n");
    }

    @Test
    void shouldAddWhatHelpersUse_alsoWhenOneIsStartedAgain() throws IOException {
        process(SERVER, 100);
        Processes processes = new Processes(folder.resolve("proc"));
        Usage server = new Usage(1, 0.5, false);
        try (ProcessorAccount account = new ProcessorAccount(processes);
                HelperAccounts helpers = new HelperAccounts(List.of(folder.resolve("fpm.pid")), processes, 0)) {
            assertThat(helpers.with(server, account, SERVER))
                    .as("it does not run yet")
                    .isEqualTo(server);
            process(100, 200);
            name("100");
            assertThat(helpers.with(server, account, SERVER).seconds()).isCloseTo(1, A_TICK);
            process(100, 250);
            assertThat(helpers.with(server, account, SERVER).seconds()).isCloseTo(1.5, A_TICK);
            name("");
            assertThat(helpers.with(server, account, SERVER).seconds()).isCloseTo(1.5, A_TICK);
            name("100");
            assertThat(helpers.with(server, account, SERVER).seconds())
                    .as("the same process, whose file was being written")
                    .isCloseTo(1.5, A_TICK);
            name("999");
            assertThat(helpers.with(server, account, SERVER).seconds())
                    .as("it is gone, and what it used is not")
                    .isCloseTo(1.5, A_TICK);
            process(200, 10);
            name("200");
            helpers.with(server, account, SERVER);
            process(200, 60);
            Usage again = helpers.with(server, account, SERVER);
            assertThat(again.seconds()).as("it was started again").isCloseTo(2, A_TICK);
            assertThat(again.processors()).as("those of the whole machine").isGreaterThanOrEqualTo(1);
        }
    }
}
