package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.install.Installation;
import dev.retier.agent.status.Finding;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor says of Debian's nginx to an agent that is not root. */
class NginxRightsIT {
    private static final String AS_NOBODY = "[/usr/bin/setpriv, --reuid=65534, --regid=65534, --clear-groups,"
            + " /usr/sbin/nginx, -t, -q, -c, '{config}']";

    @TempDir
    private Path folder = Path.of("");

    private List<Finding> findings(String check) throws Exception {
        try (DebianNginx nginx = DebianNginx.in(folder, "[proxy]")) {
            HostPort app = new HostPort("127.0.0.1", 9_005);
            Installation installation = nginx.installation("shop.example");
            installation.install(installation.plan(), null);
            nginx.start();
            nginx.checkBy(check);
            ClusterConfig cluster = nginx.cluster(app, "shop.example");
            return new Doctor(cluster, cluster.node(new NodeId(1)), ClusterLines.none()).findings();
        }
    }

    @Test
    void shouldNameTheFile_whenTheCheckerMayNotOpenIt() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "another user is taken by root alone");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));

        List<Finding> bad = findings(AS_NOBODY).stream()
                .filter(finding -> finding.check().equals("check"))
                .toList();

        assertThat(bad).hasSize(1);
        assertThat(bad.getFirst().detail()).endsWith("may not open " + folder + "/run/nginx.pid");
        assertThat(bad.getFirst().remedy()).contains("check: [/usr/bin/true]", "systemctl, reload, nginx");
        assertThat(bad.getFirst().toString()).doesNotContain("retier-check-");
    }

    @Test
    void shouldMakeNoCopy_whenTheReloadIsTheCheck() throws Exception {
        List<Finding> findings =
                findings("[/bin/sh, -c, 'test -z \"$(ls -A " + folder + "/nginx | grep retier-check)\"']");

        assertThat(findings)
                .filteredOn(finding -> List.of("check", "server-blocks").contains(finding.check()))
                .isNotEmpty()
                .noneMatch(Finding::isBad);
    }
}
