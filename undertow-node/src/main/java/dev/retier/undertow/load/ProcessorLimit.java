package dev.retier.undertow.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many processors this process may use: the machine's, or what the scarcest quota of its control group and those
 * around it leaves (cgroups(7), versions 1 and 2). The JVM rounds a quota up to whole processors, which would let a
 * node of a tenth of one look idle when it is full. Stateless.
 */
final class ProcessorLimit {
    private static final Path MEMBERSHIP = Path.of("/proc/self/cgroup");
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    /** A line of {@code /proc/self/cgroup} is {@code number:controllers:path}. */
    private static final int FIELDS = 3;

    private final Path membership;
    private final Path mount;

    ProcessorLimit(Path membership, Path mount) {
        this.membership = membership;
        this.mount = mount;
    }

    static ProcessorLimit ofThisProcess() {
        return new ProcessorLimit(MEMBERSHIP, MOUNT);
    }

    /** Above 0; the processors that the JVM sees where there is no quota, or none that can be read. */
    double read() {
        double least = Runtime.getRuntime().availableProcessors();
        for (String line : lines(membership)) {
            String[] fields = line.split(":", FIELDS);
            if (fields.length == FIELDS && fields[1].isEmpty()) {
                least = Math.min(least, scarcest(mount, fields[2], "cpu.max", ""));
            } else if (fields.length == FIELDS
                    && Arrays.asList(fields[1].split(",")).contains("cpu")) {
                Path controller = mount.resolve(fields[1]);
                Path own = Files.isDirectory(controller) ? controller : mount.resolve("cpu");
                least = Math.min(least, scarcest(own, fields[2], "cpu.cfs_quota_us", "cpu.cfs_period_us"));
            }
        }
        return least;
    }

    private static double scarcest(Path root, String group, String quotaFile, String periodFile) {
        double least = Double.MAX_VALUE;
        Path folder = root.resolve(group.substring(Math.min(1, group.length()))).normalize();
        while (folder != null && folder.startsWith(root)) {
            String text = first(folder.resolve(quotaFile))
                    + (periodFile.isEmpty() ? "" : " " + first(folder.resolve(periodFile)));
            least = Math.min(least, processors(text));
            folder = folder.getParent();
        }
        return least;
    }

    /** Of {@code quota period} in microseconds; a quota that is no number above 0 is none. */
    private static double processors(String text) {
        String[] parts = text.strip().split(" ", -1);
        boolean isQuota = parts.length == 2 && Arrays.stream(parts).allMatch(part -> part.matches("[1-9]\\d{0,15}"));
        return isQuota ? Double.parseDouble(parts[0]) / Double.parseDouble(parts[1]) : Double.MAX_VALUE;
    }

    private static String first(Path file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? "" : lines.getFirst();
    }

    private static List<String> lines(@Nullable Path file) {
        try {
            return file == null ? List.of() : Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // no control groups here, or none that this process may see: then no quota is known
        }
    }
}
