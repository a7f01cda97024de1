package dev.retier.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.retier.dist.Machine.Outcome;
import dev.retier.testsupport.ExternalTool;
import dev.retier.testsupport.Readme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The packages on a machine without Java. */
@Timeout(300)
class InstalledIT {
    /** Three agents and their servers from the package, as its user; waits until all three are up. */
    private static final String CELL = """
            echo node-3 >/proc/sys/kernel/hostname
            retier secret new >/dev/null
            examples=/usr/share/doc/retier/examples/example
            sed -e 's|^secret-env: .*|secret-file: /etc/retier/secret|' -e 's|example-run|/var/lib/retier|' \
                $examples/cluster.yaml >/etc/retier/cluster.yaml
            cd /var/lib/retier
            as_retier="setpriv --reuid retier --regid retier --init-groups"
            $as_retier mkdir node-1 node-2 node-3
            for n in 1 2 3; do
                $as_retier retier agent --config /etc/retier/cluster.yaml --node node-$n 2>>/var/log/agents >/dev/null &
                eval agent$n=$!
            done
            until [ "$(ls node-*/role.json 2>/dev/null | wc -l)" = 3 ]; do sleep 0.2; done
            for n in 1 2 3; do
                sed 's|../../example-run|/var/lib/retier|' $examples/node-$n.json >node-$n.json
                $as_retier retier web-node --config /var/lib/retier/node-$n.json 2>>/var/log/agents >/dev/null &
            done
            until [ "$(retier status --config /etc/retier/cluster.yaml -o csv | grep -c ,up,)" = 3 ]; do sleep 0.5; done
            """;

    @TempDir
    private static Path installed;

    private static Machine with;

    @TempDir
    private Path folder;

    @BeforeAll
    static void install() throws InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "a machine in namespaces needs root");
        List.of("unshare", "dpkg", "ip", "setpriv").forEach(ExternalTool::find);
        with = new Machine(installed);
        Outcome outcome = with.run("dpkg -i /mnt/retier_*.deb");
        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.err()).as("no complaint of the scripts").doesNotContain("retier: ");
    }

    private Outcome run(String script) throws IOException, InterruptedException {
        return with.copy(Files.createTempDirectory(folder, "machine")).run(script);
    }

    @Test
    void shouldHaveEveryCommandWithoutJava() throws IOException, InterruptedException {
        Outcome outcome = run("""
                ! command -v java && [ -z "$(ls /usr/lib/jvm)" ]
                for command in $(retier --help | sed -n 's/^  \\([a-z][a-z-]*\\)  .*/\\1/p'); do
                    retier $command --help >/tmp/help || { echo "$command failed"; exit 1; }
                    [ -s /tmp/help ]
                    echo $command
                done
                code=0
                retier load http://127.0.0.1:1 2>&1 || code=$?
                echo $code
                """);

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out().lines())
                .contains("agent", "edge", "status", "drain", "validate", "secret", "web-node", "load", "64")
                .anyMatch(line -> line.contains("load is in the package retier-tools"));
    }

    @Test
    void shouldNameAllThatIsInIt_inTheBillOfMaterials() throws IOException, InterruptedException {
        Outcome outcome = run("""
                find /usr/lib/retier/lib -name '*.jar' -printf '%f\\n'
                echo ---
                sed -n 's/^JAVA_VERSION="\\(.*\\)"$/\\1/p' /usr/lib/retier/runtime/release
                echo ---
                gunzip -c /usr/share/doc/retier/sbom.json.gz
                """);

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        String[] parts = outcome.out().split("---\n", 3);
        List<String> named = JsonMapper.shared()
                .readTree(parts[2])
                .path("components")
                .valueStream()
                .map(part -> part.path("name").asString() + "-"
                        + part.path("version").asString())
                .toList();
        assertThat(parts[0].lines())
                .hasSizeGreaterThan(10)
                .allMatch(file ->
                        named.stream().anyMatch(name -> file.matches(Pattern.quote(name) + "(-[a-z0-9_-]+)?\\.jar")));
        assertThat(named)
                .anyMatch(name -> name.startsWith("openjdk-" + parts[1].strip()))
                .anyMatch(name -> name.startsWith("uplot-1."));
    }

    @Test
    void shouldServeAndStay_whenItsNodeIsInService() throws IOException, InterruptedException {
        Outcome outcome = run(CELL + """
                retier status --config /etc/retier/cluster.yaml --node node-3
                echo ---
                code=0
                dpkg --remove retier 2>&1 || code=$?
                echo "removed with $code"
                retier version >/dev/null
                until retier drain node-3 --config /etc/retier/cluster.yaml --force; do sleep 1; done
                dpkg --purge retier 2>&1
                ls -d /etc/retier /var/lib/retier /usr/lib/retier /var/cache/retier 2>&1 || true
                """);

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("node-3 is in service as shop/app: nothing is removed")
                .contains("drain it first: retier drain node-3", "RETIER_FORCE_REMOVE=yes")
                .contains("removed with 1")
                .contains("Purging configuration files for retier")
                .contains(
                        "cannot access '/etc/retier'",
                        "cannot access '/var/lib/retier'",
                        "cannot access '/usr/lib/retier'",
                        "cannot access '/var/cache/retier'");
    }

    /** What a reader of README.md does who has the packages and no clone. */
    @Test
    void shouldRunTheParts_asReadmePrintsThem() throws IOException, InterruptedException {
        List<String> blocks = Readme.commands(Path.of(".."), "Running the parts");
        Outcome outcome = run("dpkg -i /mnt/retier-tools_*.deb >/dev/null\nmkdir /tmp/try\ncd /tmp/try\n"
                + "cat >lines <<'END'\nset -e\n"
                + blocks.get(1)
                + blocks.get(0)
                + "wait || true\nEND\nbash lines\nls load.html example-run/journal\n");

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out())
                .contains("node-1", "node-2", "node-3", "shop/proxy", "shop/app", "load.html")
                .containsPattern("answered +requests +[1-9][0-9]*\n")
                .containsPattern("failed +requests +0\n");
    }

    @Test
    void shouldGo_whenTheAgentIsDead() throws IOException, InterruptedException {
        Outcome outcome = run(CELL + """
                kill -9 $agent3
                dpkg --remove retier 2>&1
                [ -e /etc/retier/cluster.yaml ]
                [ ! -e /usr/bin/retier ]
                """);

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
    }

    @Test
    void shouldGo_whenItIsForced() throws IOException, InterruptedException {
        Outcome outcome = run(CELL + "RETIER_FORCE_REMOVE=yes dpkg --remove retier 2>&1\n[ ! -e /usr/bin/retier ]\n");

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
    }

    @Test
    void shouldKeepWhatAServerIncludes_whenItIsPurged() throws IOException, InterruptedException {
        Outcome outcome = run("""
                mkdir -p /etc/apache2/conf-enabled /etc/retier/httpd
                echo '# members' >/etc/retier/httpd/retier.conf
                echo 'Include /etc/retier/httpd/retier.conf' >/etc/apache2/conf-enabled/retier.conf
                dpkg --purge retier 2>&1
                cat /etc/retier/httpd/retier.conf
                """);

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).contains("/etc/apache2/conf-enabled/retier.conf", "# members");
    }

    /** Debian's own httpd with a site, as README has it set up. */
    @Test
    void shouldGiveTheServerItsFilesBack_whenItIsPurged() throws IOException, InterruptedException {
        ExternalTool.find("apache2");
        Outcome outcome = run("""
                mkdir -p /run/lock /var/www/shop/static /etc/systemd/system/multi-user.target.wants
                echo proof >/var/www/shop/static/retier-proof
                printf '<VirtualHost *:80>\n ServerName shop.example\n ServerAlias www.shop.example\n %s\n%s\n' \
                    'DocumentRoot /var/www/shop' '</VirtualHost>' >/etc/apache2/sites-available/shop.conf
                a2ensite shop >/dev/null
                retier secret new >/dev/null
                sed 's/192.0.2.1:/127.0.0.1:/' \
                    /usr/share/doc/retier/examples/cluster-debian.yaml >/etc/retier/cluster.yaml
                echo RETIER_NODE=web-1 >>/etc/default/retier
                apachectl start
                cp -a /etc/apache2 /tmp/before
                retier install httpd --config /etc/retier/cluster.yaml --node web-1
                if diff -r /tmp/before /etc/apache2; then exit 1; fi
                ln -s /lib/systemd/system/retier-edge@.service \
                    /etc/systemd/system/multi-user.target.wants/retier-edge@front.service
                dpkg --purge retier 2>&1
                diff -r /tmp/before /etc/apache2
                ls /etc/systemd/system/multi-user.target.wants
                apachectl -t
                ls -d /etc/retier 2>&1 || true
                """);

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).contains("cannot access '/etc/retier'").doesNotContain("retier-edge@front.service");
    }

    /** What the agent's README has an administrator do on the machine of an edge, with Debian's own HAProxy. */
    @Test
    void shouldSteerDebiansHaproxy_whenAnEdgeIsSetUpByHand() throws IOException, InterruptedException {
        ExternalTool.find("haproxy");
        Outcome outcome = run(CELL.replace("cd /var/lib/retier\n", """
                usermod -aG haproxy retier
                systemd-tmpfiles --create haproxy.conf
                cat >>/etc/retier/cluster.yaml <<'END'
                edges:
                  - name: front
                    site: shop
                    kind: haproxy
                    address: 127.0.0.1:8000
                    file: /etc/retier/haproxy/retier.cfg
                    config: /etc/haproxy/haproxy.cfg
                    pid-file: /run/haproxy.pid
                    socket: /run/haproxy/admin.sock
                    program: /usr/sbin/haproxy
                    reload: [/bin/false]
                END
                cd /var/lib/retier
                """) + """
                setpriv --reuid retier --regid retier --init-groups \\
                    retier edge --config /etc/retier/cluster.yaml --edge front 2>/var/log/edge >/dev/null &
                sed -n '/^frontend/,$p' /usr/share/doc/retier/examples/haproxy/edge.cfg >>/etc/haproxy/haproxy.cfg
                until [ -s /etc/retier/haproxy/retier.cfg ]; do sleep 0.2; done
                haproxy -W -f /etc/haproxy/haproxy.cfg -f /etc/retier/haproxy/retier.cfg -p /run/haproxy.pid &
                tries=0
                until retier status --config /etc/retier/cluster.yaml | grep 'edge front of .* runs stamp [1-9]'; do
                    tries=$((tries + 1))
                    [ $tries -lt 60 ] || { cat /var/log/edge; exit 1; }
                    sleep 0.5
                done
                curl -s -o /dev/null -w 'answered %{http_code}\\n' http://127.0.0.1:8000/static/1
                """);

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).contains("answered 200");
    }

    @Test
    void shouldPrintNothingButJson_whenTheCacheIsMissingOrStale() throws IOException, InterruptedException {
        Outcome fresh = run("[ -s /var/cache/retier/retier.aot ]; retier version -o json");
        Outcome missing = run("rm /var/cache/retier/retier.aot; retier version -o json");
        Outcome stale = run("touch /usr/lib/retier/retier.jar; retier version -o json");
        Outcome broken = run("""
                cd /var/cache/retier
                head -c 100000 retier.aot >part
                mv part retier.aot
                retier validate /usr/share/doc/retier/examples/cluster.yaml -o json
                """);

        assertThat(List.of(fresh, missing, stale, broken)).allSatisfy(outcome -> {
            assertThat(outcome.code()).as(outcome.err()).isZero();
            assertThat(JsonMapper.shared().readTree(outcome.out()).isArray()).isTrue();
        });
        assertThat(missing.err()).isEmpty();
    }

    @Test
    void shouldSetUpTheMachineAsItSays() throws IOException, InterruptedException {
        Outcome outcome = run("""
                stat -c '%n %a %U %G' /etc/retier /etc/retier/haproxy /etc/retier/nginx /var/lib/retier \
                    /var/cache/retier
                grep ^Runtime /lib/systemd/system/retier-edge@.service
                getent passwd retier
                retier secret new
                stat -c '%n %a %U %G' /etc/retier/secret
                (cd /usr/share/doc/retier/examples && stat -c '%n %a' prometheus/rules.yml grafana/retier.json)
                man -w retier
                systemd-analyze verify retier-agent.service retier-edge@front.service \
                    retier-volume-server.service retier-volume@accounts.service
                bash -c '. /usr/share/bash-completion/completions/retier; complete -p retier'
                dpkg -i /mnt/retier-tools_*.deb >/dev/null
                retier load --help | head -1
                retier trace make --make mix --requests 3 --out /tmp/three.csv 2>&1 && wc -l </tmp/three.csv
                """);

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out())
                .contains(
                        "/etc/retier 755 root retier",
                        "/etc/retier/haproxy 755 retier retier",
                        "/etc/retier/nginx 755 retier retier",
                        "RuntimeDirectory=retier",
                        "RuntimeDirectoryPreserve=yes",
                        "/var/lib/retier 750 retier retier",
                        "/etc/retier/secret 640 root retier",
                        "prometheus/rules.yml 644",
                        "grafana/retier.json 644")
                .contains("/usr/share/man/man1/retier.1.gz", "complete", "Usage: retier load");
        assertThat(outcome.err()).as("systemd-analyze has nothing to say").isEmpty();
    }

    @Test
    void shouldRunAsFilesAlone_whenTheTarballIsUnpacked() throws IOException, InterruptedException {
        Path tarball;
        try (var files = Files.list(Path.of("target"))) {
            tarball = files.filter(file -> file.toString().endsWith(".tar.xz"))
                    .findFirst()
                    .orElseThrow();
        }
        Path home = Files.createDirectories(folder.resolve("a folder with blanks"));
        assertThat(new ProcessBuilder("tar", "-xJf", tarball.toAbsolutePath().toString(), "--strip-components=1")
                        .directory(home.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();

        ProcessBuilder retier =
                new ProcessBuilder(home.resolve("bin/retier").toString(), "load", "--help").redirectErrorStream(true);
        retier.environment().clear();
        retier.environment().put("PATH", "/usr/bin:/bin");
        Process process = retier.start();

        assertThat(new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                .startsWith("Usage: retier load");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void shouldGiveLintianNothingToSay_besidesWhatTheOverridesState() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/lintian")), "lintian is not installed");
        Outcome outcome = run("lintian --allow-root --fail-on error,warning /mnt/*.deb");

        assertThat(outcome.code()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).isEmpty();
    }
}
