package dev.retier.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.retier.dist.Machine.Outcome;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the package's script refuses to take away, by what systemd and the commands say; neither is there. */
@Timeout(60)
class RemovalIT {
    /** A machine with systemd where nothing runs, until a file says something else. */
    private static final String TOLD = """
            rm -rf /etc/retier /etc/default/retier
            mkdir -p /run/systemd/system /tmp/told
            touch /tmp/mounts /tmp/done
            cat >/tmp/told/systemctl <<'END'
            #!/bin/sh
            case "$*" in
                '--plain --no-legend --state=active list-units retier-volume@*.service') cat /tmp/mounts ;;
                '--quiet is-active retier-volume-server.service') [ -e /tmp/serves ] ;;
                '--quiet is-active '*) exit 3 ;;
                *) echo "systemctl $*" >>/tmp/done ;;
            esac
            END
            cat >/tmp/told/deb-systemd-invoke <<'END'
            #!/bin/sh
            exec systemctl "$@"
            END
            cat >/tmp/told/retier <<'END'
            #!/bin/sh
            case "$*" in
                'volume list --config /etc/retier/pool.yaml -o csv') cat /tmp/list ;;
                'volume show '*' --config /etc/retier/pool.yaml -o csv') cat /tmp/show-$3 ;;
                *) exit 64 ;;
            esac
            END
            chmod +x /tmp/told/*
            """;

    /** Of two volumes, one with a snapshot, that nobody has. */
    private static final String SERVES = """
            touch /tmp/serves
            cat >/tmp/list <<'END'
            name,snapshot,bytes,allocated_bytes,attached_by,epoch,server
            accounts,,1048576,65536,,4,127.0.0.1:7100
            accounts,before,1048576,65536,,0,127.0.0.1:7100
            logs,,1048576,65536,,2,127.0.0.1:7100
            END
            for name in accounts logs; do
                echo name,snapshot,bytes,allocated_bytes,attached_by,epoch,since,read_by,number >/tmp/show-$name
                echo $name,,1048576,65536,,4,,,7 >>/tmp/show-$name
            done
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void require() {
        assumeTrue("root".equals(System.getProperty("user.name")), "a machine in namespaces needs root");
        List.of("unshare", "ip").forEach(ExternalTool::find);
    }

    /** As dpkg does it, with {@code environment}; then what was done by systemctl. */
    private Outcome remove(String situation, String environment) throws IOException, InterruptedException {
        String script = "cat >/tmp/prerm <<'PRERM'\n" + Files.readString(Path.of("src/deb/retier/prerm")) + "PRERM\n";
        Outcome outcome = new Machine(folder)
                .run(script + TOLD + situation + "code=0\nPATH=/tmp/told:$PATH " + environment
                        + " sh /tmp/prerm remove 2>&1 || code=$?\necho \"ended with $code\"\ncat /tmp/done\n");
        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        return outcome;
    }

    private void requireRefused(String situation, String... why) throws IOException, InterruptedException {
        Outcome outcome = remove(situation, "");
        assertThat(outcome.out())
                .contains(why)
                .contains("RETIER_FORCE_REMOVE=yes", "ended with 1")
                .doesNotContain("systemctl --system stop", "systemctl stop retier-agent");
        requireDone(remove(situation, "RETIER_FORCE_REMOVE=yes"));
    }

    /** Mounts before the server whose volumes they may be of. */
    private static void requireDone(Outcome outcome) {
        assertThat(outcome.out().lines())
                .containsExactly(
                        "ended with 0",
                        "systemctl stop retier-agent.service",
                        "systemctl --system stop retier-edge@*.service",
                        "systemctl --system stop retier-volume@*.service",
                        "systemctl --system stop retier-volume-server.service");
    }

    @Test
    void shouldGo_whenNobodyUsesVolumes() throws IOException, InterruptedException {
        requireDone(remove("", ""));
        requireDone(remove(SERVES, ""));
    }

    @Test
    void shouldStay_whileVolumesAreMounted() throws IOException, InterruptedException {
        requireRefused(
                """
                cat >/tmp/mounts <<'END'
                retier-volume@accounts.service loaded active running retier volume accounts
                retier-volume@logs.service     loaded active running retier volume logs
                END
                """,
                "volumes are mounted by retier-volume@accounts.service retier-volume@logs.service",
                "systemctl stop retier-volume@accounts.service retier-volume@logs.service");
    }

    @Test
    void shouldStay_whileAVolumeOfItsServerIsWritten() throws IOException, InterruptedException {
        requireRefused(
                SERVES + "sed -i 's/^logs,,1048576,65536,,/logs,,1048576,65536,db-1 (process 12),/' /tmp/list\n",
                "the volume server of this machine has attached volumes: logs\n",
                "systemctl stop retier-volume-server");
    }

    @Test
    void shouldStay_whileAVolumeOfItsServerIsRead() throws IOException, InterruptedException {
        requireRefused(
                SERVES + "sed -i 's/^\\(accounts,.*\\),,7/\\1,db-2 (process 3),7/' /tmp/show-accounts\n",
                "the volume server of this machine has attached volumes: accounts\n");
    }

    @Test
    void shouldStay_whenNobodyCanTellWhoUsesVolumes() throws IOException, InterruptedException {
        requireRefused(SERVES + "rm /tmp/list\n", "its volumes could not be listed", "stop it first");
        requireRefused(SERVES + "rm /tmp/show-logs\n", "who reads its volume logs could not be told", "stop it first");
    }
}
