package dev.retier.bench.volumes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * fio, which does one kind of thing at random places for a while.
 *
 * @param bytes of the volume or file
 * @param time of one sample; a quarter as long before it is not counted
 */
record Fio(long bytes, Duration time) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final double MILLIS = 1e3;

    /**
     * What it does.
     *
     * @param isRead whether it reads, else it writes
     * @param blockBytes of each request
     * @param depth how many are under way
     * @param isFlushed whether each write is followed by a flush
     */
    record Job(boolean isRead, int blockBytes, int depth, boolean isFlushed) {}

    /** Requests per second to an NBD server. */
    double perSecondOverNbd(String uri, Job job) throws IOException, InterruptedException {
        List<String> target = new ArrayList<>(List.of("--ioengine=nbd", "--uri=" + uri));
        if (job.isFlushed) {
            target.add("--fsync=1");
        }
        return perSecond(target, job);
    }

    /** Requests per second to a file of this machine, by calls of the kernel. */
    double perSecondInFile(Path file, Job job) throws IOException, InterruptedException {
        List<String> target = new ArrayList<>(List.of("--ioengine=pvsync", "--filename=" + file));
        if (job.isFlushed) {
            target.add("--fdatasync=1");
        }
        return perSecond(target, job);
    }

    private double perSecond(List<String> target, Job job) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "fio",
                "--name=retier",
                "--rw=" + (job.isRead ? "randread" : "randwrite"),
                "--bs=" + job.blockBytes,
                "--iodepth=" + job.depth,
                "--size=" + bytes,
                "--norandommap",
                "--randrepeat=0",
                "--time_based",
                "--runtime=" + seconds(time.toMillis()),
                "--ramp_time=" + seconds(time.toMillis() / 4),
                "--output-format=json"));
        command.addAll(target);
        Process fio = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(fio.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int begin = output.indexOf("\n{");
        if (!fio.waitFor(10, TimeUnit.SECONDS) || fio.exitValue() != 0 || (begin < 0 && !output.startsWith("{"))) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        JsonNode done =
                JSON.readTree(output.substring(Math.max(begin, 0))).path("jobs").path(0);
        return done.path(job.isRead ? "read" : "write").path("iops").asDouble();
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.2fs", millis / MILLIS);
    }
}
