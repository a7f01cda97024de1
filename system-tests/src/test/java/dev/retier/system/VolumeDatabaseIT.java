package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.retier.testsupport.Repeats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PostgreSQL on a volume, through the death of the server and of the process that has it mounted. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class VolumeDatabaseIT extends VolumeProcesses {
    private static final int CLIENTS = 6;

    @Test
    void shouldLoseNoCommit_whenServerOrMountIsKilledUnderPgbench() throws Exception {
        requireMounts();
        Postgres postgres = Postgres.in(folder());
        Path here = Files.createDirectory(folder().resolve("here"));
        Path data = here.resolve("data");
        serve();
        runWell("create", volume("create", mounted, "--size", "2g"));
        start("mount", "is mounted on", volume("mount", mounted, here.toString(), "--mkfs"));
        postgres.make(data);
        start("postgres", Postgres.READY, postgres.command(data));
        postgres.fill(CLIENTS);

        List<Postgres.Told> told = new ArrayList<>();
        int kills = Repeats.of(1);
        for (int run = 1; run <= kills; run++) {
            told.addAll(serverIsKilled(postgres, run));
        }
        postgres.requireBank(told);
        told.addAll(mountIsKilled(postgres, kills + 1, here));
        postgres.requireBank(told);
        Postgres.kill(process("postgres"));
        runWell("unmount", unmount("here"));
    }

    private List<Postgres.Told> serverIsKilled(Postgres postgres, int run) throws Exception {
        Process bank = begin("bank", postgres.bank(run, CLIENTS, Duration.ofSeconds(5)));
        awaitCommits(postgres, run);
        kill("server");
        long killedNanos = System.nanoTime();
        serve();
        Duration started = Duration.ofNanos(System.nanoTime() - killedNanos);
        assertThat(bank.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(bank.exitValue()).as(() -> output("bank")).isZero();
        List<Postgres.Told> told = postgres.told(run);
        Duration pause =
                told.stream().map(Postgres.Told::took).max(Duration::compareTo).orElseThrow();
        System.out.println("pgbench through kill -9 of the server: " + told.size() + " commits, a pause of "
                + pause.toMillis() + " ms, of which the server took " + started.toMillis() + " ms to start");
        return told;
    }

    private List<Postgres.Told> mountIsKilled(Postgres postgres, int run, Path here) throws Exception {
        Process bank = begin("bank", postgres.bank(run, CLIENTS, PATIENCE));
        awaitCommits(postgres, run);
        kill("mount");
        long killedNanos = System.nanoTime();
        Postgres.kill(process("postgres"));
        start("mount", "is mounted on", volume("mount", mounted, here.toString(), "--force"));
        start("postgres", Postgres.READY, postgres.command(here.resolve("data")));
        Duration away = Duration.ofNanos(System.nanoTime() - killedNanos);
        assertThat(bank.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        List<Postgres.Told> told = postgres.told(run);
        System.out.println("pgbench until kill -9 of the mount: " + told.size()
                + " commits, then the database back after " + away.toMillis() + " ms");
        return told;
    }

    /** The bank's clients are well under way. */
    private static void awaitCommits(Postgres postgres, int run) {
        await().atMost(PATIENCE).until(() -> isUnderWay(postgres, run));
    }

    private static boolean isUnderWay(Postgres postgres, int run) throws IOException, InterruptedException {
        return !postgres.query("SELECT 1 FROM pgbench_history WHERE filler LIKE '" + run + "/%/10 %' LIMIT 1")
                .isEmpty();
    }
}
