package dev.retier.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
                  <groupId>io.gatling</groupId><artifactId>gatling-app</artifactId><version>%1$s</version>
                </dependency>
                <dependency>
                  <groupId>io.gatling</groupId><artifactId>gatling-http-java</artifactId><version>%1$s</version>
                </dependency>
              </dependencies>
            </project>
            """.formatted(VERSION);
    private static final long FETCH_MINUTES = 10;

    private final Path folder;

    private Gatling(Path folder) {
        this.folder = folder;
    }

    /** Fetches and compiles what is not there yet; empty, after saying why, when that does not work. */
    static Optional<Gatling> fetch(Path folder) throws IOException, InterruptedException {
        Gatling gatling = new Gatling(Files.createDirectories(folder));
        Path compiled = folder.resolve("classes/KeepAlive.class");
        if (Files.exists(compiled)) {
            return Optional.of(gatling);
        }
        IO.println("fetching Gatling " + VERSION + " with Maven ...");
        Files.writeString(folder.resolve("pom.xml"), POM);
        Path source = folder.resolve("KeepAlive.java");
        try (InputStream in = Gatling.class.getResourceAsStream("/gatling/KeepAlive.java.txt")) {
            if (in == null) {
                throw new IOException("the simulation is not on the class path");
            }
            Files.writeString(source, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        boolean ready = run(
                        folder,
                        "mvn",
                        "-B",
                        "-q",
                        "-f",
                        folder.resolve("pom.xml").toString(),
                        "dependency:copy-dependencies",
                        "-DoutputDirectory=" + folder.resolve("lib"))
                && run(
                        folder,
                        javaTool("javac"),
                        "-d",
                        folder.resolve("classes").toString(),
                        "-cp",
                        folder.resolve("lib") + "/*",
                        source.toString());
        return ready ? Optional.of(gatling) : Optional.empty();
    }

    /** Loads {@code url} with 50 users for {@code seconds}. */
    List<String> command(String url, int users, int seconds) {
        return List.of(
                javaTool("java"),
                "-Xmx512m",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Durl=" + url,
                "-Dusers=" + users,
                "-Dseconds=" + seconds,
                "-cp",
                folder.resolve("classes") + ":" + folder.resolve("lib") + "/*",
                "io.gatling.app.Gatling",
                "-s",
                "KeepAlive",
                "-nr",
                "-rf",
                folder.resolve("results").toString());
    }

    private static boolean run(Path folder, String... command) throws IOException, InterruptedException {
        Path log = folder.resolve("fetch.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean good = process.waitFor(FETCH_MINUTES, TimeUnit.MINUTES) && process.exitValue() == 0;
        if (!good) {
            process.destroy();
            IO.println("left out: Gatling, as this failed: " + String.join(" ", command) + " (see " + log + ")");
        }
        return good;
    }

    private static String javaTool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }
}
