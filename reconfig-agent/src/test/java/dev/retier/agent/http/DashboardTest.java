package dev.retier.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.config.HostPort;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DashboardTest {
    private static final Path FOLDER = Path.of("src/main/resources/dev/retier/agent/http/page");

    /** Of uplot 1.6.32 as npm has it: dist/uPlot.iife.min.js, dist/uPlot.min.css, LICENSE. */
    private static final Map<String, String> UPLOT = Map.of(
            "uPlot.iife.min.js", "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
            "uPlot.min.css", "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
            "LICENSE", "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd");

    private final HttpClient client = HttpClient.newHttpClient();
    private AdminEndpoint server;

    @BeforeEach
    void start() throws IOException {
        server = new AdminEndpoint(
                new HostPort("127.0.0.1", 0), AdminLimits.usual(), Optional.empty(), new Dashboard(new Paths()));
        server.start();
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private HttpResponse<byte[]> ask(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static Set<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(FOLDER)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> FOLDER.relativize(file).toString())
                    .filter(name -> !name.endsWith("LICENSE"))
                    .collect(Collectors.toSet());
        }
    }

    private static Path file(String path) {
        return FOLDER.resolve(path.equals("/") ? "index.html" : path.substring("/page/".length()));
    }

    @Test
    void shouldServeEveryFileOfThePage_asItIs() throws Exception {
        for (String file : files()) {
            String path = file.equals("index.html") ? "/" : "/page/" + file;
            HttpResponse<byte[]> answer = ask("GET", path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.body()).as(path).isEqualTo(Files.readAllBytes(file(path)));
            assertThat(header(answer, "Content-Encoding")).as(path).isEmpty();
            assertThat(header(answer, "Content-Security-Policy"))
                    .startsWith("default-src 'self';")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
        }
        assertThat(header(ask("GET", "/"), "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(ask("GET", "/page/page.js"), "Content-Type")).startsWith("text/javascript");
        assertThat(header(ask("GET", "/page/page.css"), "Content-Type")).startsWith("text/css");
    }

    @Test
    void shouldCompress_whenThatIsAccepted() throws Exception {
        HttpResponse<byte[]> answer = ask("GET", "/page/uplot/uPlot.iife.min.js", "Accept-Encoding", "br, gzip;q=0.5");
        assertThat(header(answer, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(answer, "Vary")).isEqualTo("Accept-Encoding");
        assertThat(answer.body()).hasSizeLessThan(25_000);
        try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            assertThat(plain.readAllBytes()).isEqualTo(Files.readAllBytes(FOLDER.resolve("uplot/uPlot.iife.min.js")));
        }
        assertThat(header(ask("GET", "/", "Accept-Encoding", "br, gzip;q=0"), "Content-Encoding"))
                .isEmpty();
    }

    @Test
    void shouldBeAskedForAgainEachTime_andSayNotModified() throws Exception {
        for (String[] accepted : List.of(new String[0], new String[] {"Accept-Encoding", "gzip"})) {
            HttpResponse<byte[]> first = ask("GET", "/page/page.js", accepted);
            assertThat(header(first, "Cache-Control")).isEqualTo("no-cache");
            String tag = header(first, "ETag");
            String[] known = Stream.concat(Stream.of(accepted), Stream.of("If-None-Match", "\"old\", " + tag))
                    .toArray(String[]::new);
            HttpResponse<byte[]> again = ask("GET", "/page/page.js", known);
            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(header(again, "ETag")).isEqualTo(tag);
            assertThat(ask("GET", "/page/dom.js", known).statusCode()).isEqualTo(200);
        }
        assertThat(header(ask("GET", "/"), "ETag"))
                .isNotEqualTo(header(ask("GET", "/", "Accept-Encoding", "gzip"), "ETag"));
    }

    @Test
    void shouldSayOnlyTheHead_whenAskedForThat() throws Exception {
        HttpResponse<byte[]> head = ask("HEAD", "/");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(header(head, "Content-Length")).isEqualTo("" + Files.size(file("/")));
    }

    @Test
    void shouldHaveNothingElse() throws Exception {
        List<String> none = List.of(
                "/page",
                "/page/",
                "/page/none.js",
                "/page/uplot/LICENSE",
                "/page/../openapi.yaml",
                "/page/%2e%2e/openapi.yaml",
                "/page/..%2fopenapi.yaml",
                "/index.html",
                "/page/Dashboard.class",
                "//");
        for (String path : none) {
            assertThat(ask("GET", path).statusCode()).as(path).isEqualTo(404);
        }
        assertThat(ask("POST", "/").statusCode()).isEqualTo(405);
        assertThat(ask("DELETE", "/page/page.js").statusCode()).isEqualTo(405);
    }

    /** So that the page works whatever path a proxy puts before it, and asks nobody else for anything. */
    @Test
    void shouldNameOnlyItsOwnFiles_relativeToItself() throws Exception {
        String page = Files.readString(file("/"));
        Set<String> named = Pattern.compile("(?:src|href)=\"([^#\"]+)\"")
                .matcher(page)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        assertThat(named)
                .contains("page/page.js", "page/page.css")
                .allSatisfy(name -> assertThat(name.startsWith("v1/") || Files.exists(FOLDER.resolveSibling(name)))
                        .as(name)
                        .isTrue());
        for (String name : files()) {
            String text = Files.readString(FOLDER.resolve(name), StandardCharsets.UTF_8);
            if (!name.startsWith("uplot/")) {
                assertThat(text)
                        .as(name)
                        .doesNotContainPattern("innerHTML|outerHTML|insertAdjacentHTML|document\\.write");
                assertThat(text).as(name).doesNotContainPattern("['\"`(]/v1|['\"`]/page|\\bstyle=|@import|eval\\(");
                assertThat(text.replace("http://www.w3.org/2000/svg", ""))
                        .as(name)
                        .doesNotContainPattern("https?://");
            }
        }
    }

    @Test
    void shouldHaveThePublishedFilesOfUplot() throws Exception {
        for (Map.Entry<String, String> each : UPLOT.entrySet()) {
            byte[] bytes = Files.readAllBytes(FOLDER.resolve("uplot").resolve(each.getKey()));
            assertThat(HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)))
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
        }
    }
}
