package dev.retier.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.retier.cli.CommandRun;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.traces.Trace;
import dev.retier.traces.file.ReadOptions;
import dev.retier.traces.file.TraceFiles;
import dev.retier.traces.text.CsvFormat;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class LoadCommandTest {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            byte[] body = "hello".getBytes(StandardCharsets.US_ASCII);
            boolean missing = exchange.getRequestURI().getPath().equals("/missing");
            exchange.sendResponseHeaders(missing ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.close();
    }

    private String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void shouldLoadAUrlAndWriteAllFiles() throws IOException {
        CommandRun run = CommandRun.of(
                ("load http://%s/index.html -c 4 --requests 200 --warm-up 100ms --json %s/r.json --hlog %s/r.hlog --intervals %s/r.csv"
                                + " --report %s/r.html --log-requests %s/r.jsonl")
                        .formatted(address(), folder, folder, folder, folder, folder)
                        .split(" "));

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).containsPattern("answered +requests +200\n").containsPattern("failed +requests +0\n");
        LoadResult result =
                ResultJson.read("r", Files.readString(folder.resolve("r.json"))).getFirst();
        assertThat(result.totals().answered()).isEqualTo(200);
        assertThat(result.trace()).startsWith("/index.html");
        assertThat(run.err()).contains("warming up for 0.1 s");
        assertThat(Files.readAllLines(folder.resolve("r.jsonl")))
                .hasSize(200)
                .allMatch(line -> line.contains("\"outcome\":\"GOOD\"") && line.endsWith("\"url\":\"/index.html\"}"));
        assertThat(folder.resolve("r.hlog")).content().contains("Tag=shop,");
        assertThat(folder.resolve("r.csv")).content().startsWith("site,start_ms");
        assertThat(folder.resolve("r.html")).content().contains("aria-label=\"Throughput\"");
    }

    @Test
    void shouldSendAFileAsItIs_whenItIsTooLongToBeFilled() throws IOException {
        byte[] content = new byte[9 * 1024 * 1024 + 7];
        new SplittableRandom(1).nextBytes(content);
        Path file = Files.write(folder.resolve("upload"), content);
        List<String> uploads = new CopyOnWriteArrayList<>();
        server.createContext("/up", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            uploads.add(exchange.getRequestHeaders().getFirst("Content-Length") + " " + Arrays.equals(body, content));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });

        CommandRun run = CommandRun.of(("load http://%s/up --body @%s --body-type application/octet-stream -c 2"
                        + " --requests 6 --warm-up 0s -o json")
                .formatted(address(), file)
                .split(" "));

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(ResultJson.read("out", run.out()).getFirst().totals().answered())
                .isEqualTo(6);
        assertThat(uploads).hasSize(6).containsOnly(content.length + " true");
    }

    @Test
    void shouldExitWithSeven_whenAThresholdIsCrossed() {
        CommandRun run = CommandRun.of(("load http://" + address()
                        + "/missing -c 2 --requests 20 --warm-up 0s --fail-if failed>0 --fail-if rate<0")
                .split(" "));

        assertThat(run.code()).isEqualTo(7);
        assertThat(run.err()).contains("--fail-if 'failed>0' holds: 20.0").doesNotContain("rate<0");
    }

    @Test
    void shouldSendAtARate_whenTheLoopIsOpen() {
        CommandRun run = CommandRun.of(
                ("load http://" + address() + " --make mix --rate 200 -d 1s --warm-up 0s -o json").split(" "));

        LoadResult result = ResultJson.read("out", run.out()).getFirst();
        assertThat(result.totals().sent()).isBetween(100L, 220L);
        assertThat(result.lateness().count()).isEqualTo(result.totals().sent());
    }

    @Test
    void shouldAddAndCompare_whenGeneratorsRanTogether() throws IOException {
        for (String name : List.of("one", "two")) {
            CommandRun.of("load http://%s/x -c 2 --requests 50 --warm-up 0s --json %s/%s.json"
                    .formatted(address(), folder, name)
                    .split(" "));
        }

        CommandRun merged = CommandRun.of("load", "merge", folder + "/one.json", folder + "/two.json");
        CommandRun compared = CommandRun.of("load", "compare", folder + "/one.json", folder + "/two.json", "-o", "csv");

        assertThat(merged.out()).containsPattern("answered +requests +100\n");
        assertThat(compared.out()).startsWith("measure,unit,one,two").contains("answered,requests,50,50");
    }

    @Test
    void shouldLoadSeveralSites_whenAScenarioSaysSo() throws IOException {
        Path scenario = Files.writeString(folder.resolve("two.yaml"), """
                # both
                clients: 2
                requests: 30
                target: TARGET
                sites:
                  - site: shop
                    guarantee: 1
                    make: mix
                  - site: news
                    priority: 2
                    path: /n
                    clients: 1
                    connections: new
                """.replace("TARGET", address()));

        CommandRun run = CommandRun.of(
                "load",
                "--scenario",
                scenario.toString(),
                "--requests",
                "40",
                "--sessions",
                "--warm-up",
                "0s",
                "-o",
                "json");

        assertThat(run.code()).as(run.err()).isZero();
        List<LoadResult> results = ResultJson.read("out", run.out());
        assertThat(results).extracting(LoadResult::site).containsExactly("shop", "news");
        assertThat(results).extracting(LoadResult::clients).containsExactly(2, 1);
        assertThat(results).extracting(result -> result.totals().answered()).containsExactly(40L, 40L);
        assertThat(results.getFirst().guarantee()).isNotNull();
    }

    @Test
    void shouldNameEveryProblemWithItsLine_whenAScenarioIsWrong() throws IOException {
        Path scenario = Files.writeString(folder.resolve("bad.yaml"), """
                colour: blue
                clients: many
                sites:
                  - site: shop
                    rate: fast
                    speeed: 2
                  - priority: 1
                    name: shop
                """);

        CommandRun run = CommandRun.of("load", "--scenario", scenario.toString());

        assertThat(run.code()).isEqualTo(78);
        assertThat(run.err())
                .contains("bad.yaml:1: colour: unknown key", "bad.yaml:2: clients:", "'many'")
                .contains(
                        "bad.yaml:5: sites[0].rate: ", "bad.yaml:6: sites[0].speeed: unknown key; did you mean speed?")
                .contains("bad.yaml:7: sites[1].site: missing")
                .contains("bad.yaml:8: sites[1].name: unknown key; did you mean site?");
    }

    @Test
    @Timeout(30)
    void shouldEndInTime_whenANamedPipeIsSilent() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        CommandRun run = CommandRun.of("load http://%s/ --trace %s --format clf -d 300ms --warm-up 0s"
                .formatted(address(), pipe)
                .split(" "));

        assertThat(run.err()).contains("shop: nothing was sent");
        assertThat(run.code()).isEqualTo(1);
        assertThat(CommandRun.of("load http://%s/ --trace %s"
                                .formatted(address(), pipe)
                                .split(" "))
                        .err())
                .contains("can be read once only, as it is a pipe")
                .contains("--format");
    }

    @Test
    void shouldPrintTheResultAndWriteTheOtherFiles_whenOneCannotBeWritten() {
        CommandRun run =
                CommandRun.of("load http://%s/x -c 1 --requests 3 --warm-up 0s --json /dev/full --hlog %s/r.hlog"
                        .formatted(address(), folder)
                        .split(" "));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("--json /dev/full: cannot be written (No space left on device); name another");
        assertThat(run.out()).containsPattern("answered +requests +3\n");
        assertThat(folder.resolve("r.hlog")).isNotEmptyFile();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "load                                             | 64 | where to?",
                "load http://127.0.0.1:1 --agent http://h:1       | 64 | exclude each other",
                "load http://127.0.0.1:1 --rate 5 --speed 2       | 64 | exclude each other",
                "load http://127.0.0.1:1 --rate 5:1s,x            | 64 | 100:30s,500:30s,1000",
                "load http://127.0.0.1:1 --body @/dev/zero        | 64 | --body @/dev/zero: is no regular file",
                "load http://[::1]:1 -c 1 --requests 2 --warm-up 0s | 1 | CONNECT_REFUSED (Connection refused); nothing",
                "load http://127.0.0.1:1 --rate abc               | 64 | rate 'abc': 'abc' is no number; write a rate",
                "load http://127.0.0.1:1 --rate 0x1p3             | 64 | '0x1p3' is no number",
                "load http://127.0.0.1:1 -X PURGE                 | 64 | use one of GET, HEAD, POST, PUT, DELETE, TRACE",
                "load http://127.0.0.1:1 -X connect               | 64 | 'connect' cannot be sent",
                "load http://127.0.0.1:1 --priority 0             | 64 | --priority 0: 1 is the highest",
                "load http://127.0.0.1:1 --make mix --zipf -1     | 64 | exponent -1.0 is not within 0..10",
                "load http://127.0.0.1:1 --speed NaN              | 64 | 'NaN' is no number",
                "load http://127.0.0.1:1 --burst 4611686018427387904 | 64 | 4 bursts of 4611686018427387904 requests",
                "load http://127.0.0.1:1 --trace - --format clf --peak 9 | 64 | write the trace to a file first",
                "load https://127.0.0.1:1 --cacert /no/such.pem   | 1  | cannot be read (no such file or folder)",
                "load https://127.0.0.1:1 --cert /no/c --key /no/k | 1 | key /no/c: cannot be read",
                "load http://127.0.0.1:1 --rate 1e12              | 64 | not above 0 and up to 10000000/s",
                "load http://127.0.0.1:1 -c 1 --requests 2 --warm-up 0s | 1 | 2 requests failed, CONNECT_REFUSED",
                "load http://127.0.0.1:1 -c 1 --requests 2 --warm-up 0s | 1 | nothing listens there: check the address",
                "load http://127.0.0.1:1 -c 1 --requests 2 --warm-up 0s | 1 | shop: nothing was answered well",
                "load http://no-such-host.invalid --warm-up 0s    | 1  | no address is known of no-such-host.invalid:80",
                "load 127.0.0.1:1                                 | 64 | '127.0.0.1:1' is no http://host[:port]/path",
                "load ftp://127.0.0.1:1                           | 64 | no http://",
                "load http://127.0.0.1:1 --fail-if fast           | 64 | p99>50ms",
                "load http://127.0.0.1:1 --report /no/such/x.html | 1  | cannot be written",
                "load http://127.0.0.1:1 --start-at noon          | 64 | 2026-01-31T12:00:00Z",
                "load http://127.0.0.1:1 --start-at 2020-01-01T00:00:00Z | 1 | give a later one",
                "load http://127.0.0.1:1 --trace /no/such         | 1  | /no/such",
                "load http://127.0.0.1:1 -c 0                     | 64 | clients 0",
                "load merge /no/such.json                         | 1  | cannot be read (no such file or folder)",
                "load --scenario /no/such.yaml                    | 78 | cannot be read (no such file or folder)",
            })
    void shouldNameTheRemedy_whenTheCommandLineIsWrong(String command, int code, String expected) {
        CommandRun run = CommandRun.of(command.split(" +"));

        assertThat(run.err())
                .contains(expected)
                .doesNotContain("\tat ", "For input string", "Exception", "overflow", "Cannot ");
        assertThat(run.code()).isEqualTo(code);
    }

    @Test
    void shouldRefuseABody_whenItIsLongerThanCanBeSent() throws IOException {
        Path file = folder.resolve("huge");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 31);
        }

        CommandRun run = CommandRun.of("load", "http://" + address() + "/up", "--body", "@" + file, "--requests", "1");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("is longer than 2 GiB; give less of it");
    }

    @Test
    void shouldLookForThePeakAmongWhatIsSent_whenRequestsAreLimited() throws IOException {
        List<String> lines = Stream.concat(
                        Stream.of(CsvFormat.HEADING),
                        Stream.of(0, 150, 900, 1100, 2000, 2300, 2700, 3000, 3100, 3200, 3300, 3400)
                                .map(millis -> millis + "000000,1,GET,STATIC,-1,0,0,/a"))
                .toList();
        Trace all = TraceFiles.of(List.of(Files.write(folder.resolve("all.csv"), lines)), ReadOptions.AS_LOGGED);
        Trace six = TraceFiles.of(
                List.of(Files.write(folder.resolve("six.csv"), lines.subList(0, 7))), ReadOptions.AS_LOGGED);
        PaceOptions pace = CommandLine.populateCommand(new PaceOptions(), "--peak", "5");

        assertThat(pace.pacing(all, 6, null, false))
                .isEqualTo(pace.pacing(six, 0, null, false))
                .isNotEqualTo(pace.pacing(all, 0, null, false));
    }
}
