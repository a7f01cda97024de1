package dev.retier.agent.real;

import static org.awaitility.Awaitility.await;

import dev.retier.testsupport.Daemons;
import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Debian's PHP-FPM at a socket in a folder, for applications behind web servers. Ended with its children. */
final class PhpFpm implements AutoCloseable {
    /** Answers with what it was told of the request; {@code @NODE@} is by the folder it stands in. */
    private static final String APPLICATION = """
            <?php
            header("X-Answered-By: @NODE@");
            for ($until = microtime(true) + (float) ($_GET["busy"] ?? 0); microtime(true) < $until;) {
            }
            echo "this is @NODE@ by PHP: ", $_SERVER["REQUEST_METHOD"], " ", $_SERVER["REQUEST_URI"],
              " https=", $_SERVER["HTTPS"] ?? "", " proto=", $_SERVER["HTTP_X_FORWARDED_PROTO"] ?? "",
              " host=", $_SERVER["HTTP_HOST"], " bytes=", strlen(file_get_contents("php://input"));
            """;

    private final Path folder;

    private PhpFpm(Path folder) {
        this.folder = folder;
    }

    /** In that folder, which all may enter. */
    static PhpFpm start(Path folder) throws IOException, InterruptedException {
        Path program = ExternalTool.find("php-fpm8.2");
        Files.createDirectories(folder);
        Path config = Files.writeString(folder.resolve("fpm.conf"), """
                [global]
                pid = %1$s/fpm.pid
                error_log = %1$s/fpm.log
                [www]
                user = www-data
                group = www-data
                listen = %1$s/fpm.sock
                listen.mode = 0666
                pm = static
                pm.max_children = 4
                """.formatted(folder));
        PhpFpm started = new PhpFpm(folder);
        Path log = folder.resolve("start.log");
        Process process = new ProcessBuilder(program.toString(), "-n", "-D", "-y", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("php-fpm: " + Files.readString(log));
        }
        await().atMost(Duration.ofSeconds(20))
                .until(() -> Files.exists(started.socket()) && Files.exists(started.pidFile()));
        return started;
    }

    Path socket() {
        return folder.resolve("fpm.sock");
    }

    Path pidFile() {
        return folder.resolve("fpm.pid");
    }

    /** Writes the application into a folder of documents. */
    static void write(Path documents, String node) throws IOException {
        Files.writeString(documents.resolve("app.php"), APPLICATION.replace("@NODE@", node));
    }

    @Override
    public void close() {
        Daemons.kill(Daemons.of(pidFile()));
    }
}
