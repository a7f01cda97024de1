package dev.retier.bench;

import dev.retier.report.Table;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What a figure depends on besides the code.
 *
 * @param processor its name as the kernel tells it, or the architecture
 * @param cores that this process may use
 * @param memoryMebibytes of the machine
 * @param kernel name and release
 * @param java version and virtual machine
 * @param commit of the checkout, with {@code +} if files differ from it, or {@code unknown}
 * @param loadAverage of the last minute before the run, negative if the system does not tell
 */
record MachineFacts(
        String processor,
        int cores,
        long memoryMebibytes,
        String kernel,
        String java,
        String commit,
        double loadAverage) {

    /** Looks them up now. What cannot be found out is said to be unknown, never guessed. */
    static MachineFacts read() {
        var system = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return new MachineFacts(
                processorName(system.getArch()),
                system.getAvailableProcessors(),
                system.getTotalMemorySize() >> 20,
                system.getName() + " " + system.getVersion(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                checkedOutCommit(),
                system.getSystemLoadAverage());
    }

    /** One row per fact; {@code interference} says what others took of the processors. */
    Table table(String interference) {
        return new Table("fact", "value")
                .row("processor", processor)
                .row("cores", String.valueOf(cores))
                .row("memory", memoryMebibytes + " MiB")
                .row("kernel", kernel)
                .row("java", java)
                .row("commit", commit)
                .row("load average before", String.format(Locale.ROOT, "%.2f", loadAverage))
                .row("processors taken meanwhile", interference);
    }

    private static String processorName(String architecture) {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(architecture);
        } catch (IOException e) {
            return architecture; // not Linux
        }
    }

    private static String checkedOutCommit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--abbrev=10", "--exclude=*", "--dirty=+")
                    .redirectErrorStream(true)
                    .start();
            git.getOutputStream().close();
            String answer = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return git.waitFor(10, TimeUnit.SECONDS) && git.exitValue() == 0 ? answer.strip() : "unknown";
        } catch (IOException e) {
            return "unknown"; // no git here
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
