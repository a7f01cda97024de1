package dev.retier.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.cli.Main;
import dev.retier.load.measure.Totals;
import dev.retier.load.report.EndReason;
import dev.retier.load.report.LoadResult;
import dev.retier.load.report.ResultJson;
import dev.retier.webnode.SettingsFile;
import dev.retier.webnode.WebNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code retier load} as a process with the launcher's own options, interrupted in the middle of a run. */
@Timeout(90)
class LoadSignalIT {
    /** What a process that SIGINT ended returns: 128 and the number of the signal. */
    private static final int INTERRUPTED = 130;

    /** A line of a run under way, with answers. */
    private static final Pattern PROGRESS = Pattern.compile("shop +\\d+\\.\\d s .* [1-9]\\d*/s .*");

    private static final Pattern CUT =
            Pattern.compile("-XX:CompileCommand=dontinline,(?<type>[\\w.]+)::(?<method>\\w+)");

    @TempDir
    private Path folder;

    @Test
    void shouldReportWhatThereIsAndLoseNothing_whenInterrupted() throws Exception {
        Path settings = folder.resolve("node.json");
        Files.writeString(folder.resolve("role.json"), "{\"epoch\": 1, \"role\": \"app\", \"site\": \"shop\"}");
        Files.writeString(settings, """
                {"node": "node-1", "listen": "127.0.0.1:0", "admin": "127.0.0.1:0", "role-file": "%s",
                 "capacity-units-per-second": 5000}""".formatted(folder.resolve("role.json")));
        try (WebNode node = WebNode.start(SettingsFile.load(settings))) {
            Process load = start("127.0.0.1:" + node.address().getPort());
            try {
                List<String> shown = interruptInMidRun(load);

                assertThat(load.waitFor(30, TimeUnit.SECONDS)).isTrue();
                assertThat(load.exitValue()).as(String.join("\n", shown)).isEqualTo(INTERRUPTED);
            } finally {
                load.destroyForcibly();
            }
        }

        LoadResult result = ResultJson.read("load", Files.readString(folder.resolve("load.json")))
                .getFirst();
        assertThat(result.end()).isEqualTo(EndReason.STOPPED);
        Totals totals = result.totals();
        assertThat(totals.answered()).isPositive();
        assertThat(totals.sent()).isEqualTo(totals.answered() + totals.failed() + totals.dropped());
        assertThat(folder.resolve("load.html")).content().contains("aria-label=\"Throughput\"", "</html>");
        assertThat(folder.resolve("load.hlog")).content().contains("Tag=shop,");
    }

    @Test
    void shouldCutTheCompilersWorkAtMethodsThatExist() throws Exception {
        Matcher cut = CUT.matcher(launchersOptions());
        int cuts = 0;
        while (cut.find()) {
            cuts++;
            assertThat(Class.forName(cut.group("type")).getDeclaredMethods())
                    .extracting(Method::getName)
                    .contains(cut.group("method"));
        }
        assertThat(cuts).isPositive();
    }

    /** Interrupts {@code load} once it has shown answers; returns all that it showed. */
    private static List<String> interruptInMidRun(Process load) throws IOException, InterruptedException {
        List<String> shown = new ArrayList<>();
        boolean interrupted = false;
        try (BufferedReader lines = load.errorReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                shown.add(line);
                if (!interrupted && PROGRESS.matcher(line).matches()) {
                    interrupted = true;
                    String pid = String.valueOf(load.pid());
                    assertThat(new ProcessBuilder("kill", "-INT", pid).start().waitFor())
                            .isZero();
                }
            }
        }
        assertThat(interrupted).as(String.join("\n", shown)).isTrue();
        return shown;
    }

    private Process start(String target) throws IOException {
        // Who runs the tests in the background of a shell lets them, and all below them, ignore SIGINT.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options("BASE_OPTIONS"));
        command.addAll(options("LOAD_OPTIONS"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "load"));
        command.addAll(List.of("--target", target, "--make", "mix", "-c", "8", "-d", "60s"));
        command.addAll(List.of("--report", folder.resolve("load.html").toString()));
        command.addAll(List.of("--json", folder.resolve("load.json").toString()));
        command.addAll(List.of("--hlog", folder.resolve("load.hlog").toString()));
        return new ProcessBuilder(command)
                .redirectOutput(folder.resolve("load.out").toFile())
                .start();
    }

    /** A list of options as the launcher has it. */
    private static List<String> options(String name) throws IOException {
        Matcher list = Pattern.compile("(?m)^" + name + "=\"([^\"]*)\"").matcher(launchersOptions());
        assertThat(list.find()).as(name).isTrue();
        return List.of(list.group(1).replace("\\\n", "").strip().split(" +", -1));
    }

    private static String launchersOptions() throws IOException {
        return Files.readString(Path.of("").toAbsolutePath().getParent().resolve("dist/src/lib/java-options"));
    }
}
