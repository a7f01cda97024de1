package dev.retier.testsupport;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/** Opens pages in real headless Chromium; a test that uses it is skipped, visibly, where there is none. */
public final class Chromium {
    private static final long LONGEST_SECONDS = 60;
    private static final Pattern URL_IN_LOG = Pattern.compile("\"(?:url|host)\":\"([^\"]+)\"");

    /** What the browser itself asks for, whatever the page: its own pages, its time, updates, and accounts. */
    private static final Pattern OWN = Pattern.compile("file:|data:|chrome|about:|devtools:|(https?://)?~notfound"
            + "|(https?://)?[a-z0-9.-]+\\.(google|googleapis)\\.com");

    private final Path executable;
    private final Path folder;
    private int runs;

    /** Ready to open pages; {@code folder} gets its profile and what it writes. */
    public Chromium(Path folder) {
        this.executable = ExternalTool.find("chromium");
        this.folder = folder;
    }

    /**
     * How a page is looked at.
     *
     * @param width of the window in pixels
     * @param height of the window in pixels
     * @param dark whether the reader prefers dark colours
     */
    public record Window(int width, int height, boolean dark) {
        /** A common screen. */
        public static final Window SCREEN = new Window(1000, 1600, false);
    }

    /** What {@code html} looks like. */
    public BufferedImage screenshot(String html, Window window) throws IOException, InterruptedException {
        Path picture = folder.resolve("page-" + runs + ".png");
        run(
                html,
                List.of(
                        "--window-size=" + window.width() + "," + window.height(),
                        "--blink-settings=preferredColorScheme=" + (window.dark() ? 0 : 1),
                        "--screenshot=" + picture));
        return ImageIO.read(picture.toFile());
    }

    /** The document that {@code html} has become, written out again. */
    public String document(String html) throws IOException, InterruptedException {
        return run(html, List.of("--dump-dom"));
    }

    /** All addresses that opening {@code html} asked the network for: none for a page that stands on its own. */
    public List<String> requests(String html) throws IOException, InterruptedException {
        Path log = folder.resolve("net-" + runs + ".json");
        run(html, List.of("--log-net-log=" + log, "--dump-dom"));
        List<String> found = new ArrayList<>();
        Matcher urls = URL_IN_LOG.matcher(Files.readString(log));
        while (urls.find()) {
            if (!OWN.matcher(urls.group(1)).lookingAt()) {
                found.add(urls.group(1));
            }
        }
        return found;
    }

    private String run(String html, List<String> options) throws IOException, InterruptedException {
        int number = runs++;
        Path file = Files.writeString(folder.resolve("page-" + number + ".html"), html);
        Path out = folder.resolve("out-" + number);
        Path log = folder.resolve("chromium-" + number + ".log");
        List<String> all = new ArrayList<>(options);
        all.add("--user-data-dir=" + folder.resolve("profile"));
        List<String> command = command(all, file.toUri().toString());
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("chromium did not end well: " + Files.readString(log));
            }
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out);
    }

    /** A browser that stays, with an empty page; close it. Its {@code options} are those of Chromium's command line. */
    public DevTools open(String... options) throws IOException, InterruptedException {
        Path profile = folder.resolve("profile-" + runs++);
        Path log = folder.resolve("chromium-" + runs + ".log");
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of("--remote-debugging-port=0", "--user-data-dir=" + profile));
        List<String> command = command(all, "about:blank");
        Process process = new ProcessBuilder(command)
                .redirectOutput(log.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            return DevTools.of(process, profile);
        } catch (IOException | InterruptedException | RuntimeException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    private List<String> command(List<String> options, String page) {
        List<String> command = new ArrayList<>(List.of(
                executable.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--hide-scrollbars",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                // The browser's own requests find no host, so nothing of a test leaves the machine.
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"));
        command.addAll(options);
        command.add(page);
        return command;
    }
}
