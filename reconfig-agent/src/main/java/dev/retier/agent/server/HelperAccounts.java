package dev.retier.agent.server;

import dev.retier.agent.server.ProcessorAccount.Usage;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The processor time of programs that work for a server and are none of its children, such as PHP-FPM, by their pid
 * files. One that does not run uses nothing, and one that was started again goes on where it was. Not thread-safe.
 */
final class HelperAccounts implements AutoCloseable {
    /** A pid file is read so often. */
    private static final long AGAIN_NANOS = 1_000_000_000;

    private final List<Helper> helpers;

    HelperAccounts(List<Path> pidFiles, Processes processes) {
        this(pidFiles, processes, AGAIN_NANOS);
    }

    HelperAccounts(List<Path> pidFiles, Processes processes, long againNanos) {
        this.helpers = pidFiles.stream()
                .map(file -> new Helper(file, processes, againNanos))
                .toList();
    }

    /** What the server has used, and they with it, where its own control group does not count them already. */
    Usage with(Usage server, ProcessorAccount account, long parent) {
        double seconds = server.seconds();
        double processors = server.processors();
        boolean isExhausted = server.isExhausted();
        for (Helper helper : helpers) {
            Optional<Usage> used = helper.usage(account, parent);
            seconds += helper.seconds;
            processors = Math.max(processors, used.map(Usage::processors).orElse(0.0));
            isExhausted |= used.filter(Usage::isExhausted).isPresent();
        }
        return new Usage(seconds, processors, isExhausted);
    }

    /** One of them. */
    private static final class Helper implements AutoCloseable {
        private final Path pidFile;
        private final Processes processes;
        private final ProcessorAccount account;
        private Optional<Long> pid = Optional.empty();
        private final long againNanos;
        private long readAtNanos;
        /** Whether it has not been looked at yet: what it has used before is no load of now. */
        private boolean isNew;
        /** What this process was seen to have used. */
        private double seen;

        /** All that was seen to be used, by whichever processes. */
        private double seconds;

        Helper(Path pidFile, Processes processes, long againNanos) {
            this.pidFile = pidFile;
            this.processes = processes;
            this.account = new ProcessorAccount(processes);
            this.againNanos = againNanos;
            this.readAtNanos = System.nanoTime() - againNanos;
        }

        Optional<Usage> usage(ProcessorAccount server, long parent) {
            long nowNanos = System.nanoTime();
            if (nowNanos - readAtNanos >= againNanos) {
                Optional<Long> now = ServerProcess.named(pidFile).filter(processes::isAlive);
                isNew = !now.equals(pid);
                pid = now;
                readAtNanos = nowNanos;
            }
            Optional<Usage> used = pid.filter(own -> !account.isHidden(own) && !server.isCounting(parent, account, own))
                    .map(account::usage);
            used.ifPresent(now -> {
                seconds += isNew ? 0 : Math.max(0, now.seconds() - seen);
                seen = now.seconds();
                isNew = false;
            });
            return used;
        }

        @Override
        public void close() {
            account.close();
        }
    }

    @Override
    public void close() {
        helpers.forEach(Helper::close);
    }
}
