package dev.retier.system.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All exchanges, soft-iwarp at both ends, which are processes of their own. */
@Timeout(120)
class ExchangesIT {
    private static final String LISTENING = "listening on 127.0.0.1:";

    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    private Process start(String end, String port, List<String> options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Exchange.class.getName(),
                end,
                "--address",
                "127.0.0.1",
                "--port",
                port,
                "--patience",
                "30"));
        command.addAll(options);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        processes.add(process);
        return process;
    }

    private static String port(BufferedReader server) throws IOException {
        StringBuilder before = new StringBuilder();
        for (String line = server.readLine(); line != null; line = server.readLine()) {
            if (line.startsWith(LISTENING)) {
                return line.substring(LISTENING.length());
            }
            before.append(line).append('\n');
        }
        throw new IllegalStateException("the server ended: " + before);
    }

    private static void assertRight(Process process, BufferedReader reader) throws Exception {
        String output = String.join("\n", reader.lines().toList());
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }

    @Test
    void shouldFindAllRight_whenBothEndsAreSoftIwarp() throws Exception {
        List<String> options =
                List.of("--what", String.join(",", Exchange.NAMES), "--count", "300", "--most", "70000", "--seed", "7");
        Process server = start("server", "0", options);
        try (BufferedReader told = server.inputReader()) {
            Process client = start("client", port(told), options);
            try (BufferedReader answers = client.inputReader()) {
                assertRight(client, answers);
            }
            assertRight(server, told);
        }
    }

    @Test
    void shouldBeLinearizable_whenThreeProcessesChangeOneWord() throws Exception {
        List<String> options = List.of("--what", "words", "--changes", "3000");
        Process server = start("server", "0", options);
        List<String> logs = new ArrayList<>();
        try (BufferedReader told = server.inputReader()) {
            String port = port(told);
            List<Process> clients = new ArrayList<>();
            for (int client = 1; client <= 3; client++) {
                logs.add(folder.resolve("log-" + client).toString());
                List<String> own = List.of("--client", Integer.toString(client), "--log", logs.getLast());
                clients.add(start(
                        "client",
                        port,
                        Stream.concat(options.stream(), own.stream()).toList()));
            }
            for (Process client : clients) {
                try (BufferedReader answers = client.inputReader()) {
                    assertRight(client, answers);
                }
            }
            assertRight(server, told);
        }
        List<String> check = new ArrayList<>(List.of("check"));
        check.addAll(logs);
        assertThat(run(check.toArray(String[]::new))).contains("history: linearizable, 3000 changes");
    }

    @Test
    void shouldSayWhatIsWrong_whenOptionIsUnknown() {
        assertThat(run("client", "--adress", "127.0.0.1")).contains("FAILED the exchange: unknown option --adress");
    }

    /** What it prints, after its exit code. */
    private static String run(String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int code = Exchange.run(new PrintStream(bytes, true, StandardCharsets.UTF_8), arguments);
        return code + "\n" + bytes.toString(StandardCharsets.UTF_8);
    }
}
