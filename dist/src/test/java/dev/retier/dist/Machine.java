package dev.retier.dist;

import dev.retier.testsupport.ExternalTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * This Debian without its Java, in namespaces of its own: what is installed or started there is nowhere else.
 * Changes to files stay in a folder, from one script to the next; processes end with their script. Needs root.
 *
 * @param changes where changed files go
 */
record Machine(Path changes) {
    private static final long MINUTES = 4;

    /** What runs in the new namespaces: the machine's own files under those that have changed, no Java, no systemd. */
    private static final String ENTER = """
            set -e
            ip link set lo up
            mount -t overlay overlay -o "lowerdir=/,upperdir=$CHANGES/files,workdir=$CHANGES/work" "$CHANGES/root"
            mount -t proc proc "$CHANGES/root/proc"
            mount --bind /dev "$CHANGES/root/dev"
            mount -t tmpfs tmpfs "$CHANGES/root/run"
            mount -t tmpfs tmpfs "$CHANGES/root/tmp"
            mount -t tmpfs tmpfs "$CHANGES/root/usr/lib/jvm"
            mount -t tmpfs tmpfs "$CHANGES/root/mnt"
            cp "$PACKAGES"/*.deb "$CHANGES/script" "$CHANGES/root/mnt"
            exec chroot "$CHANGES/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C sh -e /mnt/script
            """;

    /** What a script said and how it ended. */
    record Outcome(int code, String out, String err) {}

    /** One that begins as this one is, and leaves this one as it is. */
    Machine copy(Path folder) throws IOException, InterruptedException {
        Process copying = new ProcessBuilder(
                        "cp", "-a", changes.resolve("files").toString(), folder.toString())
                .inheritIO()
                .start();
        if (copying.waitFor() != 0) {
            throw new IOException(changes + " cannot be copied");
        }
        return new Machine(folder);
    }

    /** Runs lines of a POSIX shell as root, the packages in {@code /mnt}; the first that fails ends it. */
    Outcome run(String script) throws InterruptedException {
        try {
            for (String folder : List.of("files", "work", "root")) {
                Files.createDirectories(changes.resolve(folder));
            }
            Files.writeString(changes.resolve("script"), "PATH=/usr/sbin:/usr/bin:/sbin:/bin\n" + script);
            Path out = changes.resolve("out");
            Path err = changes.resolve("err");
            ProcessBuilder builder = new ProcessBuilder(
                            ExternalTool.find("unshare").toString(),
                            "--mount",
                            "--net",
                            "--pid",
                            "--fork",
                            "--kill-child",
                            "--uts",
                            "sh",
                            "-c",
                            ENTER)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("CHANGES", changes.toString());
            builder.environment()
                    .put("PACKAGES", Path.of("target").toAbsolutePath().toString());
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("not done in time: " + script + read(out) + read(err));
            }
            return new Outcome(process.exitValue(), read(out), read(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
