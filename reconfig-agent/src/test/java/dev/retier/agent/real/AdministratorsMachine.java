package dev.retier.agent.real;

import static dev.retier.agent.fixture.Clusters.APP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.config.ServerControl;
import dev.retier.agent.doctor.Doctor;
import dev.retier.agent.files.ClusterLines;
import dev.retier.agent.files.ConfigFile;
import dev.retier.agent.real.RealInstance.Options;
import dev.retier.agent.server.HttpFetch;
import dev.retier.config.HostPort;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine with httpd as administrators have it, and a cluster file about it: a default virtual host that is not the
 * site's, the site by its name at two ports, one of them with TLS. It is healthy, and can be broken.
 */
final class AdministratorsMachine implements AutoCloseable {
    private static final String PASSWORD = "changeit";
    private static List<String> site = List.of();

    private final Path folder;
    private final RealInstance httpd;
    private final Path clusterFile;
    private final List<ServerSocket> sockets = new ArrayList<>();
    private String ownPid = "";
    private final HostPort agent = Ports.free();
    private final HostPort peerAgent = Ports.free();
    private final HostPort peerServer = Ports.free();

    /** Does something to a machine. */
    interface Change {
        void make(AdministratorsMachine machine) throws IOException;
    }

    AdministratorsMachine(Path folder) throws IOException {
        this.folder = folder;
        this.httpd = RealInstance.httpd(folder, Options.USUAL);
        this.clusterFile = folder.resolve("cluster.yaml");
        writeKey();
        Files.writeString(folder.resolve("secret"), "a secret of this test, which is long enough");
        Files.setPosixFilePermissions(folder.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
        Files.createDirectories(folder.resolve("journal/node-1"));
        Files.writeString(clusterFile, cluster());
        HostPort address = httpd.server().address();
        HostPort second = Ports.free();
        edit(
                "(?s)<VirtualHost \\*:\\d+>(.*?)</VirtualHost>",
                Matcher.quoteReplacement("Listen " + second
                                + "\nLoadModule ssl_module modules/mod_ssl.so\n" + "<VirtualHost *:" + address.port()
                                + ">\n  DocumentRoot \"" + folder + "/default\"\n</VirtualHost>\n<VirtualHost *:"
                                + address.port()
                                + ">\n  ServerName shop.example")
                        + "$1</VirtualHost>\n"
                        + Matcher.quoteReplacement("<VirtualHost *:"
                                + second.port() + ">\n  ServerName shop.example:" + second.port()
                                + "\n  DocumentRoot \"" + folder
                                + "/www\"\n  SSLEngine on\n  SSLCertificateFile \"" + file("site.crt")
                                + "\"\n  SSLCertificateKeyFile \"" + file("site.key") + "\"\n  IncludeOptional \""
                                + httpd.server().roleFile() + "\"\n</VirtualHost>"));
    }

    private String cluster() {
        ServerConfig server = httpd.server();
        ServerControl control = server.controlled();
        return """
                name: test
                secret-file: FOLDER/secret
                journal-directory: FOLDER/journal
                sites:
                  - {id: 1, name: shop, hosts: [shop.example]}
                nodes:
                  - id: 1
                    name: node-1
                    rdma: 127.0.0.1:9001
                    agent: AGENT
                    role: shop/app
                    server:
                      kind: httpd
                      address: ADDRESS
                      admin: ADMIN
                      role-file: FOLDER/retier.conf
                      config: CONFIG
                      pid-file: PID
                      program: PROGRAM
                  - id: 2
                    name: node-2
                    rdma: 127.0.0.1:9002
                    agent: PEER
                    role: shop/proxy
                    server: {kind: web-node, address: "WEB", admin: "127.0.0.1:9004", role-file: /r2}
                witnesses: [node-1]
                """.replace("FOLDER", folder.toString())
                .replace("AGENT", agent.toString())
                .replace("ADDRESS", server.address().toString())
                .replace("ADMIN", server.admin().toString())
                .replace("CONFIG", control.config().toString())
                .replace("PID", control.pidFile().toString())
                .replace("PROGRAM", control.commands().program())
                .replace("WEB", peerServer.toString())
                .replace("PEER", peerAgent.toString());
    }

    /** By the JDK's own tool, whose form httpd does not read. */
    private void writeKey() throws IOException {
        synchronized (AdministratorsMachine.class) {
            if (site.isEmpty()) {
                site = key();
            }
        }
        write("site.key", site.getFirst());
        write("site.crt", site.getLast());
    }

    /** As PEM, with its certificate: they take the longest of a machine to make. */
    private List<String> key() throws IOException {
        Path store = folder.resolve("site.p12");
        try {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-keyalg",
                            "EC",
                            "-alias",
                            "site",
                            "-dname",
                            "CN=shop.example",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            PASSWORD)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool: " + said);
            }
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            return List.of(
                    pem(
                            "PRIVATE KEY",
                            keys.getKey("site", PASSWORD.toCharArray()).getEncoded()),
                    pem("CERTIFICATE", keys.getCertificate("site").getEncoded()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static String pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }

    ClusterConfig config() {
        return ConfigFile.read(clusterFile);
    }

    Doctor doctor() {
        ClusterConfig config = config();
        return new Doctor(config, config.node(new NodeId(1)), ClusterLines.of(clusterFile));
    }

    /** With the file that its agent would have written. */
    void start() {
        ClusterConfig config = config();
        RealNodes.writeFirst(config, 1, RealNodes.file(config, 1, APP, 2, List.of()));
        httpd.start();
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    HostPort admin() {
        return httpd.server().admin();
    }

    void write(String name, String text) throws IOException {
        Files.writeString(file(name), text);
    }

    void delete(String name) throws IOException {
        Files.delete(file(name));
    }

    /** In httpd's file. */
    void edit(String pattern, String replacement) throws IOException {
        edit(httpd.config(), pattern, replacement);
    }

    /** In httpd's file, lines that begin so. */
    void drop(String begin) throws IOException {
        edit("(?m)^" + Pattern.quote(begin) + ".*\n", "");
    }

    /** In the cluster file. */
    void editCluster(String pattern, String replacement) throws IOException {
        edit(clusterFile, pattern, replacement);
    }

    private static void edit(Path file, String pattern, String replacement) throws IOException {
        String before = Files.readString(file);
        String after = before.replaceAll(pattern, replacement);
        if (after.equals(before)) {
            throw new IllegalArgumentException(pattern + " is not in " + file);
        }
        Files.writeString(file, after);
    }

    /** While it is broken, the file must not be what tells whom to end. */
    void nameAnotherProcess() throws IOException {
        Path file = httpd.server().controlled().pidFile();
        ownPid = Files.readString(file);
        Files.writeString(file, ProcessHandle.current().pid() + "\n");
    }

    /** As an administrator does, until none of its pages says any more which file it answers by. */
    void reloadWithoutFile() {
        httpd.reload();
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            try (HttpFetch fetch = new HttpFetch(admin())) {
                return !fetch.get("/.retier/status?auto", Duration.ofSeconds(5))
                        .headers()
                        .containsKey("x-retier-epoch");
            }
        });
    }

    void stop() {
        httpd.close();
    }

    /** Another program has a port at which httpd is to listen from now on. */
    void takePort() throws IOException {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        sockets.add(socket);
        edit("(?m)^Listen " + Pattern.quote(admin().toString()) + "$", "$0\nListen 127.0.0.1:" + socket.getLocalPort());
    }

    /** Workers that are root's, as those of an httpd that somebody else than root has started, read all. */
    void hideStamp() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "the workers are another user's only under root");
        Files.setPosixFilePermissions(file("retier.conf.stamp"), PosixFilePermissions.fromString("rw-------"));
    }

    /** One that takes most of its time. */
    void slowChecker() throws IOException {
        editCluster(
                "( *)program: (.*)",
                "$1program: $2\n$1check: [/bin/sh, -c, 'sleep 0.4; exec $2 -t -D RETIER_STAGED -f \"\\$0\" \"\\$@\"',"
                        + " '{config}']\n$1check-deadline: 600ms");
    }

    void restructure() throws IOException {
        edit(file("retier.conf"), "structure [0-9a-f]{8}, role", "structure 00000000, role");
    }

    /** Its nodes are others; one that goes there needs the virtual host. */
    void addSiteWithoutInclude() throws IOException {
        editCluster("(hosts: \\[shop.example\\]\\})", "$1\n  - {id: 2, name: news, hosts: [news.example]}");
        edit(
                "(?s)\\z",
                Matcher.quoteReplacement("<VirtualHost *:"
                        + httpd.server().address().port() + ">\n  ServerName news.example\n  DocumentRoot \"" + folder
                        + "/www\"\n</VirtualHost>\n"));
    }

    void addNode() throws IOException {
        editCluster("(?m)^witnesses:", """
                  - id: 3
                    name: node-3
                    rdma: 127.0.0.1:9005
                    agent: 127.0.0.1:9006
                    role: shop/app
                    server: {kind: web-node, address: "127.0.0.1:9007", admin: "127.0.0.1:9008", role-file: /r3}
                witnesses:""");
    }

    void addEdge() throws IOException {
        editCluster("(?m)^witnesses:", """
                edges:
                  - name: front
                    site: shop
                    kind: haproxy
                    address: 127.0.0.1:1
                    file: /e/retier.cfg
                    config: /e/edge.cfg
                    pid-file: /e/pid
                    socket: /e/sock
                witnesses:""");
    }

    void exposeStatus() throws IOException {
        edit("(ServerName shop.example\n)", """
                $1  <Location "/.retier/status">
                    SetHandler server-status
                    Require all granted
                  </Location>
                """);
    }

    /** One whose clock is that many days ahead. */
    void addPeerOfAnotherTime(int seconds) throws IOException {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.now().plusSeconds(seconds).atZone(ZoneOffset.UTC));
        answer(peerAgent, "Date: " + date + "\r\nContent-Length: 2\r\n\r\nok");
    }

    void addDifferingPeer() throws IOException {
        String body = "{\"node\":\"node-1\",\"nodes\":[{\"node\":\"node-2\",\"config_differs\":true}]}";
        answer(agent, "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** Both agents run; how each reads the memory of the other. */
    void addUnseenPeer(String here, String there) throws IOException {
        answerStatus(agent, "node-1", "node-2", here);
        answerStatus(peerAgent, "node-2", "node-1", there);
    }

    private void answerStatus(HostPort address, String name, String other, String reading) throws IOException {
        String body =
                "{\"node\":\"" + name + "\",\"nodes\":[{\"node\":\"" + other + "\",\"reading\":\"" + reading + "\"}]}";
        answer(address, "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** The folder of a test is its user's alone, as made. */
    void exposeSecret() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(file("secret"), PosixFilePermissions.fromString("rw-r--r--"));
    }

    /** The server of the peer is up, as its agent says, and answers questions of this machine with that; 0: nothing. */
    void addPeerServer(int status) throws IOException {
        answerStatus(peerAgent, "node-2", "node-2", "self\",\"server\":\"up");
        if (status > 0) {
            answer(peerServer, status, "Content-Length: 0\r\n\r\n");
        }
    }

    private void answer(HostPort address, String rest) throws IOException {
        answer(address, 200, rest);
    }

    /** One program for every question that comes. */
    private void answer(HostPort address, int status, String rest) throws IOException {
        ServerSocket server = new ServerSocket(address.port(), 10, InetAddress.getLoopbackAddress());
        sockets.add(server);
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    byte[] _ = client.getInputStream().readNBytes(16);
                    client.getOutputStream()
                            .write(("HTTP/1.1 " + status + " OK\r\nConnection: close\r\n" + rest)
                                    .getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    assertThat(e).as("the test is over, or the client has gone").isNotNull();
                }
            }
        });
    }

    @Override
    public void close() throws IOException {
        if (!ownPid.isEmpty()) {
            Files.writeString(httpd.server().controlled().pidFile(), ownPid);
        }
        httpd.close();
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }
}
