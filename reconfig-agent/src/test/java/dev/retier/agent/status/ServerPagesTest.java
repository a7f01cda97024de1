package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ServerPagesTest {
    private static final String HTTPD = """
            127.0.0.1
            ServerVersion: Apache/2.4.71 (Debian)
            ServerMPM: event
            RestartTime: Monday, 01-Jan-2024 00:00:00 UTC
            ParentServerConfigGeneration: 3
            ServerUptimeSeconds: 61
            Total Accesses: 120
            BusyWorkers: 4
            IdleWorkers: 46
            Scoreboard: __W_%s
            """.formatted(".".repeat(96));
    private static final String STUB = """
            Active connections: 3\s
            server accepts handled requests
             8 8 25\s
            Reading: 0 Writing: 2 Waiting: 1\s
            """;
    private static final String INFO = """
            Name: HAProxy
            Pid: 4711
            Uptime_sec: 9
            Idle_pct: 75
            Maxconn: 100
            """;
    private static final String STAT = """
            # pxname,svname,qcur,scur,slim,req_tot
            web,FRONTEND,,3,100,40
            other,FRONTEND,,0,100,2
            apps,node-2,0,2,,
            apps,BACKEND,1,2,10,40
            """;

    @Test
    void shouldReadHttpd_withoutItsOwnRequest() {
        assertThat(ServerPages.httpd(HTTPD))
                .contains(new ServerPage(120, 3, 0.03, 61, "event", "Monday, 01-Jan-2024 00:00:00 UTC/3"));
    }

    @Test
    void shouldReadNginx_withoutItsOwnRequest() {
        assertThat(ServerPages.nginx(STUB, OptionalInt.empty())).contains(new ServerPage(25, 1, 0, 25, "", ""));
    }

    @Test
    void shouldCountConnections_ofWhichNginxCannotCloseAny() {
        String full = STUB.replace("Reading: 0 Writing: 2 Waiting: 1", "Reading: 4 Writing: 25 Waiting: 3");
        assertThat(ServerPages.nginx(full, OptionalInt.of(32)).orElseThrow().busyShare())
                .isEqualTo(28 / 32.0);
        String idle = STUB.replace("Writing: 2 Waiting: 1", "Writing: 1 Waiting: 31");
        assertThat(ServerPages.nginx(idle, OptionalInt.of(32)).orElseThrow().busyShare())
                .isZero();
    }

    @Test
    void shouldKnowHowManyConnectionsNginxMayHave() {
        String main = "worker_processes 2;\n# worker_connections 9;\nevents { worker_connections 768; }";
        String limits = "Max open files            1024                 524288               files     \n";
        assertThat(NginxConfig.connections(main, limits, 8)).hasValue(1536);
        assertThat(NginxConfig.connections(main.replace("768", "4096"), limits, 8))
                .hasValue(2048);
        assertThat(NginxConfig.connections(main.replace("768", "4096"), "", 8)).hasValue(8192);
        assertThat(NginxConfig.connections(main.replace("2;", "auto;"), limits, 8))
                .hasValue(6144);
        assertThat(NginxConfig.connections("worker_rlimit_nofile 500;" + main, limits, 8))
                .hasValue(1000);
        assertThat(NginxConfig.connections("events { include events.conf; }", limits, 8))
                .as("another file may say it")
                .isEmpty();
    }

    @Test
    void shouldCallAServerFull_onceClientsWaitAtTwoLooksInARow() {
        AcceptQueue queue = new AcceptQueue(0);
        assertThat(isFull(queue, 3)).as("a burst that is taken in at once").isFalse();
        assertThat(isFull(queue, 0)).isFalse();
        assertThat(isFull(queue, 1)).isFalse();
        assertThat(isFull(queue, 2)).isTrue();
        assertThat(queue.isFull()).as("until somebody looks").isTrue();
        assertThat(isFull(queue, 0)).isFalse();
    }

    private static boolean isFull(AcceptQueue queue, long waiting) {
        queue.looked(waiting, 0);
        return queue.isFull();
    }

    @Test
    void shouldSeldomWalkTheTable_whileNobodyWaits() {
        long second = 1_000_000_000L;
        AcceptQueue queue = new AcceptQueue(0);
        assertThat(queue.isDue(false, 0)).as("the first look").isTrue();
        queue.looked(0, 0);
        assertThat(queue.isDue(false, second)).isFalse();
        assertThat(queue.isDue(true, second)).as("the page is late").isTrue();
        assertThat(queue.isDue(false, 2 * second)).isTrue();
        queue.looked(1, 2 * second);
        assertThat(queue.isDue(true, 2 * second)).isFalse();
        assertThat(queue.isDue(false, 2 * second + second / 2))
                .as("somebody waits")
                .isTrue();
    }

    @Test
    void shouldCountTheProcessorsOfTheMachine() {
        assertThat(NginxConfig.processors("0-3,8\n")).isEqualTo(5);
        assertThat(NginxConfig.processors("0\n")).isEqualTo(1);
        assertThat(NginxConfig.processors("")).isZero();
    }

    @Test
    void shouldTellNoLoad_whenWhatTheServerCanHoldIsUnknown() {
        String none = HTTPD.replace("BusyWorkers: 4", "BusyWorkers: 0")
                .replace("IdleWorkers: 46", "IdleWorkers: 0")
                .replaceFirst("Scoreboard: .*", "");
        assertThat(ServerPages.httpd(none)).isEmpty();
        assertThat(ServerPages.haproxy(INFO.replace("Maxconn: 100", ""), STAT)).isEmpty();
        assertThat(ServerPages.haproxy(INFO.replace("100", "0"), STAT)).isEmpty();
        assertThat(ServerPages.haproxy(INFO, STAT.replace("slim", "other"))).isEmpty();
    }

    @Test
    void shouldCountRequests_againstWhatHaproxyLetsIn() {
        String full = STAT.replace("apps,BACKEND,1,2", "apps,BACKEND,40,50");
        assertThat(ServerPages.haproxy(INFO, full).orElseThrow().busyShare()).isEqualTo(0.9);
        assertThat(ServerPages.haproxy(INFO, full.replace(",100,", ",50,"))
                        .orElseThrow()
                        .busyShare())
                .as("both front ends together may have as many as the process")
                .isEqualTo(0.9);
        assertThat(ServerPages.haproxy(INFO, full.replace(",100,", ",45,"))
                        .orElseThrow()
                        .busyShare())
                .isEqualTo(1);
    }

    @Test
    void shouldReadHaproxy_overAllItsFrontendsAndBackEnds() {
        assertThat(ServerPages.haproxy(INFO, STAT)).contains(new ServerPage(42, 3, 0.25, 9, "", "4711"));
    }

    @Test
    void shouldReadNothing_whenAPageIsNone() {
        assertThat(ServerPages.httpd("<html>welcome</html>")).isEmpty();
        assertThat(ServerPages.httpd(HTTPD.replace("BusyWorkers: 4", "BusyWorkers: -4")))
                .isEmpty();
        assertThat(ServerPages.httpd(HTTPD.replace("BusyWorkers: 4", "BusyWorkers: 99999999999")))
                .isEmpty();
        assertThat(ServerPages.nginx("Active connections: many", OptionalInt.of(9)))
                .isEmpty();
        assertThat(ServerPages.haproxy("Permission denied", STAT)).isEmpty();
        assertThat(ServerPages.haproxy(INFO, "Permission denied")).isEmpty();
    }

    @Test
    void shouldTellAPageThatStandsStill() {
        PageWatch watch = new PageWatch(Duration.ofNanos(10));
        ServerPage page = new ServerPage(1, 0, 0, 5, "", "");
        assertThat(watch.isStill(page, 100)).isFalse();
        assertThat(watch.isStill(page, 109)).isFalse();
        assertThat(watch.isStill(page, 110)).isTrue();
        assertThat(watch.isStill(new ServerPage(1, 0, 0, 6, "", ""), 111)).isFalse();
    }

    @Test
    void shouldReadTheBalancerPage_forTheBalancerAskedFor() {
        String row = "<td><a href=\"/x?b=%s&amp;w=http://%s&amp;nonce=f3fe820a-91cd\">http://%s</a></td>"
                + "<td>node-2</td><td></td><td>%s</td><td>0</td><td>%s</td><td>0</td>\n";
        String html = row.formatted("retier-apps", "a:1", "a:1", "1.00", "Init Ok ")
                + row.formatted("retier-apps", "b:1", "b:1", "2.50", "Init Dis ")
                + row.formatted("retier-apps", "c:1", "c:1", "100.00", "Init Err ")
                + row.formatted("retier-apps", "%5b::1%5d", "[::1]", "1.00", "Init Ok ")
                + row.formatted("other", "d:1", "d:1", "1.00", "Init Ok ");
        assertThat(BalancerPage.parse(html, "retier-apps"))
                .contains(new BalancerPage(
                        "f3fe820a-91cd",
                        Map.of(
                                "http://a:1",
                                new BalancerPage.Setting(true, 100),
                                "http://b:1",
                                new BalancerPage.Setting(false, 250),
                                "http://c:1",
                                new BalancerPage.Setting(true, 10_000),
                                "http://[::1]",
                                new BalancerPage.Setting(true, 100))));
        assertThat(BalancerPage.parse(html, "none")).isEmpty();
    }

    @Test
    void shouldReadHowServersAreSet_ofHaproxy() {
        String text = """
                1
                # be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state srv_uweight
                3 apps 1 node-2 127.0.0.1 0 1 100
                3 apps 2 node-3 127.0.0.1 2 4 256
                3 apps 3 node-4 127.0.0.1 0 5 100
                """;
        assertThat(HaproxyServers.parse(text))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "node-2",
                        new HaproxyServers.Setting(false, 100),
                        "node-3",
                        new HaproxyServers.Setting(true, 256),
                        "node-4",
                        new HaproxyServers.Setting(false, 100)));
        assertThat(HaproxyServers.parse("No such backend.")).isEmpty();
    }

    @Test
    void shouldSeeWhatHttpdWouldListenAt() {
        String dump = """
                Included configuration files:
                  (*) /etc/apache2/apache2.conf
                    (25) /etc/apache2/ports.conf
                ServerRoot: "/etc/apache2"
                Define: RETIER_PROXY
                Loaded Modules:
                 core_module (static)
                 mpm_event_module (shared)
                """;
        assertThat(HttpdConfig.files(dump)).containsExactly("/etc/apache2/apache2.conf", "/etc/apache2/ports.conf");
        assertThat(HttpdConfig.mpm(dump)).isEqualTo("event");
        String ports = """
                Listen 80
                listen 127.0.0.1:8100
                Listen [::1]:8101 https
                # Listen 1
                <IfModule ssl_module>
                  Listen 443
                </IfModule>
                <IfModule !ssl_module>
                  Listen 444
                </IfModule>
                <IfDefine RETIER_PROXY>
                  Listen 445
                </IfDefine>
                <IfDefine !RETIER_PROXY>
                  Listen 446
                </IfDefine>
                """;
        assertThat(HttpdConfig.ports(ports, dump)).containsExactly(80, 8100, 8101, 444, 445);
    }

    @Test
    void shouldReadHowManyAreInAServerOfUnknownKind_whateverElseItsPageSays() {
        assertThat(ServerPages.other("{\"in_flight\": 3, \"version\": \"9\"}", 12, 5))
                .contains(new ServerPage(ServerPage.UNCOUNTED, 3, 0.25, 5, "", ""));
        assertThat(ServerPages.other("{\"in_flight\": 30}", 12, 5).orElseThrow().busyShare())
                .isEqualTo(1);
        assertThat(ServerPages.other("{\"in_flight\": 30}", 0, 5).orElseThrow().busyShare())
                .as("nobody knows how many it can have")
                .isZero();
        for (String none : List.of(
                "", "busy", "{}", "[]", "3", "{\"in_flight\": -1}", "{\"in_flight\": 1.5}", "{\"in_flight\": \"3\"}")) {
            assertThat(ServerPages.other(none, 12, 5)).as(none).isEmpty();
        }
    }
}
