package dev.retier.cli.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceCommandTest {
    private static final String LINE = "h - - [01/Aug/1995:00:00:%02d -0400] \"GET /%s HTTP/1.0\" 200 5\n";

    @TempDir
    private Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static String sample(String name) {
        return "../traces/samples/" + name;
    }

    @Test
    void shouldPrintWhatChecklogPrints_whenGivenALogOfTheWorldCup() throws IOException {
        String checklog = Files.readString(Path.of(sample("worldcup.checklog")));

        assertThat(CommandRun.of("trace", "info", "--checklog", sample("worldcup.log.gz"))
                        .out())
                .isEqualTo(checklog);
        assertThat(CommandRun.of("trace", "info", sample("worldcup.log.gz")).out())
                .startsWith(checklog)
                .contains("Zipf slope", "burstiness");
    }

    @Test
    void shouldWriteWhatRecreateWrites_whenGivenALogOfTheWorldCupAndItsMapping() throws IOException {
        Path out = folder.resolve("out.clf");

        CommandRun run = CommandRun.of(
                "trace",
                "convert",
                "--to",
                "clf",
                "--mapping",
                sample("worldcup.mappings.gz"),
                sample("worldcup.log.gz"),
                "--out",
                out.toString());

        assertThat(run.err()).isEqualTo("retier: 1000 requests written to " + out + System.lineSeparator());
        assertThat(Files.readAllBytes(out)).isEqualTo(Files.readAllBytes(Path.of(sample("worldcup.clf"))));
    }

    @Test
    void shouldSayWhatALogIsLike_inEveryForm() throws IOException {
        Path log = write("access.log", LINE.formatted(1, "a") + LINE.formatted(3, "b.cgi") + LINE.formatted(3, "a"));

        assertThat(CommandRun.of("trace", "info", log.toString()).out())
                .containsPattern("requests +requests +3\n")
                .containsPattern("dynamic +requests +1\n")
                .containsPattern("peak +requests in a second +2\n");
        assertThat(CommandRun.of("trace", "info", "-o", "csv", log.toString()).out())
                .contains("requests,requests,3");
        assertThat(CommandRun.of("trace", "info", "-o", "json", log.toString()).out())
                .contains("\"measure\" : \"objects\"");
    }

    @Test
    void shouldRefuse_whenAFileIsNoTrace() throws IOException {
        Path noise = folder.resolve("noise");
        byte[] bytes = new byte[40_000];
        new SplittableRandom(5).nextBytes(bytes);
        Files.write(noise, bytes);
        Path bad = write("bad.log", LINE.formatted(1, "a") + "nonsense\n".repeat(5));
        Path out = Files.writeString(folder.resolve("out.csv"), "what was there before");
        for (Path file : List.of(noise, write("empty", ""), write("letters", "a".repeat(50_000)), bad)) {
            for (String command : List.of("info", "convert")) {
                CommandRun run = command.equals("info")
                        ? CommandRun.of("trace", command, file.toString())
                        : CommandRun.of("trace", command, file.toString(), "--out", out.toString());
                assertThat(run.code()).as("%s %s", command, file).isEqualTo(1);
                assertThat(run.err())
                        .startsWith("retier: trace " + file + ": ")
                        .contains("name")
                        .hasLineCount(1);
                assertThat(run.out()).isEmpty();
            }
        }
        assertThat(out).hasContent("what was there before");
        assertThat(folder).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void shouldKeepAllMethodsAndFilesOfOthers_whenATraceIsConverted() throws IOException {
        Path log = write(
                "access.log",
                LINE.formatted(1, "a")
                        + LINE.formatted(2, "b").replace("GET", "POST")
                        + LINE.formatted(3, "c").replace("GET", "CONNECT"));
        Path out = folder.resolve("out.csv");
        Path part = write("out.csv.part", "a file of the user's");

        CommandRun run = CommandRun.of("trace", "convert", "--anonymise", log.toString(), "--out", out.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(out).content().contains(",GET,", ",POST,");
        assertThat(run.err()).contains("left out: 0 that make no sense, 1 whose method is CONNECT or unknown");
        assertThat(part).hasContent("a file of the user's");
    }

    @Test
    void shouldReadFilesInNaturalOrder_whenAPatternIsGiven() throws IOException {
        write("log_10", LINE.formatted(9, "last"));
        write("log_9", LINE.formatted(5, "first"));
        Path out = folder.resolve("out.csv");

        assertThat(CommandRun.of("trace", "convert", folder + "/log_*", "--out", out.toString())
                        .code())
                .isZero();

        assertThat(Files.readAllLines(out)).hasSize(3);
        assertThat(Files.readAllLines(out).get(1)).startsWith("0,").endsWith(",/first");
        assertThat(Files.readAllLines(out).get(2)).startsWith("4000000000,").endsWith(",/last");
    }

    @Test
    void shouldCountAndShowWhatIsBad_whenATraceIsChecked() throws IOException {
        Path log = write("access.log", LINE.formatted(1, "a") + "nonsense \u001b[2J\n" + LINE.formatted(2, "b"));

        CommandRun run = CommandRun.of("trace", "check", log.toString());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .containsPattern("bad +entries +1\n")
                .contains("line 2: ")
                .doesNotContain("\u001b");
        assertThat(CommandRun.of(
                                "trace",
                                "check",
                                write("good", LINE.formatted(1, "a")).toString())
                        .code())
                .isZero();
    }

    @Test
    void shouldBeginWithTheBurstThatIsAskedFor() throws IOException {
        assertThat(lines("--make bursts --burst 3 --bursts 3"))
                .extracting(line -> line.contains("/dynamic"))
                .containsExactly(false, false, false, true, true, true, false, false, false);
        assertThat(lines("--make bursts --burst 3 --bursts 3 --first-burst dynamic"))
                .extracting(line -> line.contains("/dynamic"))
                .containsExactly(true, true, true, false, false, false, true, true, true);
    }

    private List<String> lines(String options) throws IOException {
        return new String(made(options, "bursts.csv"), java.nio.charset.StandardCharsets.US_ASCII)
                .lines()
                .filter(line -> line.contains("/static") || line.contains("/dynamic"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--make single --requests 100",
                "--make bursts --burst 50 --bursts 2",
                "--make mix --requests 100 --mix 0.3 --zipf 1.1 --objects 10 --static-bytes 949:1.5",
                "--make mix --requests 100 --arrivals poisson:50",
                "--make mix --requests 100 --arrivals on-off:100:10:1:2",
                "--make two-sites --requests 200 --first-share 0.5 --part second",
                "--make priority-bursts --burst 50 --bursts 4 --part first",
            })
    void shouldMakeTheSameBytes_whenAskedTwice(String options) throws IOException {
        byte[] first = made(options + " --seed 7", "one.csv");

        assertThat(made(options + " --seed 7", "two.csv")).isEqualTo(first);
        assertThat(made(options + " --seed 8", "three.csv")).isNotEqualTo(first);
        assertThat(new String(first, java.nio.charset.StandardCharsets.US_ASCII)
                        .lines()
                        .count())
                .isBetween(70L, 130L);
    }

    @Test
    void shouldSplitOneTraceIntoTwoSites_whenBurstsHavePriorities() throws IOException {
        Path high = folder.resolve("high.csv");
        Path low = folder.resolve("low.csv");

        CommandRun.of(("trace make --make priority-bursts --burst 10 --bursts 4 --out " + high + " --second-out " + low)
                .split(" "));

        assertThat(segments(high)).containsExactly("0", "2");
        assertThat(segments(low)).containsExactly("1", "3");
    }

    @Test
    void shouldFollowACountSeries_whenOneIsGiven() throws IOException {
        Path series = write("counts.csv", "minute,count\n1,3\n2,0\n3,2\n");

        byte[] made = made("--make mix --requests 1000 --arrivals series:" + series, "made.csv");

        assertThat(new String(made, java.nio.charset.StandardCharsets.US_ASCII)
                        .lines()
                        .count())
                .isEqualTo(1 + 5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "trace                                        | 64 | say what to do",
                "trace info /no/such/file                     | 1  | /no/such/file",
                "trace info /no/such*                         | 64 | no file fits",
                "trace check -                                | 1  | name it",
                "trace make --arrivals sometimes              | 64 | poisson:RATE",
                "trace make --arrivals poisson:x              | 64 | 'x' is no number; write poisson:RATE",
                "trace make --static-bytes 9:y                | 64 | 'y' is no number; write bytes",
                "trace make --make mix --second-out x         | 64 | two sites",
                "trace make --static-bytes many               | 64 | MEDIAN:SIGMA",
                "trace make --burst 0                         | 64 | at least 1",
            })
    void shouldNameTheRemedy_whenTheCommandLineIsWrong(String command, int code, String expected) {
        CommandRun run = CommandRun.of(command.split(" +"));

        assertThat(run.err())
                .contains(expected)
                .startsWith("retier: ")
                .doesNotContain("\tat ", "For input string", "Exception", "overflow", "Cannot ");
        assertThat(run.code()).isEqualTo(code);
    }

    private byte[] made(String options, String name) throws IOException {
        Path out = folder.resolve(name);
        CommandRun run = CommandRun.of(("trace make " + options + " --out " + out).split(" "));
        assertThat(run.code()).as(run.err()).isZero();
        return Files.readAllBytes(out);
    }

    private static List<String> segments(Path csv) throws IOException {
        return Files.readAllLines(csv).stream()
                .skip(1)
                .map(line -> line.split(",", -1)[6])
                .distinct()
                .toList();
    }
}
