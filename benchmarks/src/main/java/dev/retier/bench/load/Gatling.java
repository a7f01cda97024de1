package dev.retier.bench.load;

import dev.retier.bench.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Gatling, which Maven fetches from Maven Central when it is to be measured, into the build's own folder: the product
 * does not depend on it.
 */
final class Gatling {
    private static final String VERSION = "3.15.1";
    private static final String POM = """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>dev.retier.bench</groupId><artifactId>gatling</artifactId><version>1</version>
              <dependencies>
                <dependency>
                  <groupId>io.gatling.highcharts</groupId><artifactId>gatling-charts-highcharts</artifactId>
                  <version>%1$s</version>
                </dependency>
                <dependency>
                  <groupId>io.gatling</groupId><artifactId>gatling-http-java</artifactId><version>%1$s</version>
                </dependency>
              </dependencies>
            </project>
            """.formatted(VERSION);
    /** Without it Gatling writes several lines per request. */
    private static final String LOGGING = """
            <configuration><root level="WARN"/></configuration>
            """;

    private static final List<String> SIMULATIONS = List.of("KeepAlive", "OpenModel");
    private static final long FETCH_MINUTES = 10;

    private final Path folder;

    private Gatling(Path folder) {
        this.folder = folder;
    }

    /** Fetches and compiles what is not there yet; empty, after saying why, when that does not work. */
    static Optional<Gatling> fetch(Path folder) throws IOException, InterruptedException {
        Gatling gatling = new Gatling(Files.createDirectories(folder));
        Path classes = folder.resolve("classes");
        if (Files.exists(classes.resolve("logback.xml"))) {
            return Optional.of(gatling);
        }
        Progress.tell("fetching Gatling " + VERSION + " with Maven ...");
        Files.writeString(folder.resolve("pom.xml"), POM);
        List<String> compile = new ArrayList<>(
                List.of(javaTool("javac"), "-d", classes.toString(), "-cp", folder.resolve("lib") + "/*"));
        for (String simulation : SIMULATIONS) {
            compile.add(source(folder, simulation).toString());
        }
        boolean ready = run(
                        folder,
                        List.of(
                                "mvn",
                                "-B",
                                "-q",
                                "-f",
                                folder.resolve("pom.xml").toString(),
                                "dependency:copy-dependencies",
                                "-DoutputDirectory=" + folder.resolve("lib")))
                && run(folder, compile);
        if (ready) {
            Files.writeString(classes.resolve("logback.xml"), LOGGING);
        }
        return ready ? Optional.of(gatling) : Optional.empty();
    }

    private static Path source(Path folder, String simulation) throws IOException {
        try (InputStream in = Gatling.class.getResourceAsStream("/gatling/" + simulation + ".java.txt")) {
            if (in == null) {
                throw new IOException("the simulation " + simulation + " is not on the class path");
            }
            return Files.writeString(
                    folder.resolve(simulation + ".java"), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Loads {@code url} with so many users in a closed loop for {@code seconds}. */
    List<String> command(String url, int users, int seconds) {
        List<String> command = machine(List.of("-Durl=" + url, "-Dusers=" + users, "-Dseconds=" + seconds));
        command.addAll(List.of(
                "-s", "KeepAlive", "-nr", "-rf", folder.resolve("results").toString()));
        return command;
    }

    /** Loads {@code url} by its open model, after a warm-up at the same rate; its report is in {@code results}. */
    List<String> openModel(String url, int rate, int warmUpSeconds, int seconds, Path results) {
        List<String> command = machine(List.of(
                "-Durl=" + url,
                "-Drate=" + rate,
                "-DwarmUp=" + warmUpSeconds,
                "-Dseconds=" + seconds,
                "-Dgatling.charting.indicators.percentile2=90"));
        command.addAll(List.of("-s", "OpenModel", "-rf", results.toString()));
        return command;
    }

    private List<String> machine(List<String> properties) {
        List<String> command = new ArrayList<>(List.of(
                javaTool("java"),
                "-Xmx512m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(properties);
        command.addAll(List.of("-cp", folder.resolve("classes") + ":" + folder.resolve("lib") + "/*"));
        command.add("io.gatling.app.Gatling");
        return command;
    }

    private static boolean run(Path folder, List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolve("fetch.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean good = process.waitFor(FETCH_MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
        if (!good) {
            process.destroy();
            Progress.tell("left out: Gatling, as this failed: " + String.join(" ", command) + " (see " + log + ")");
        }
        return good;
    }

    private static String javaTool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }
}
