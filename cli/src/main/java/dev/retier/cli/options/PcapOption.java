package dev.retier.cli.options;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Records what the nodes say to each other by RDMA, for Wireshark and tshark. */
public final class PcapOption {
    private static final long MEBIBYTE = 1 << 20;

    @Option(
            names = "--pcap",
            paramLabel = "DIR",
            description = "Record every RDMA connection in a pcap file of its own there, 64 MiB each at most; a"
                    + " connection within this process gives two files. Open them with Wireshark or tshark.")
    private @Nullable Path directory;

    @Option(
            names = "--pcap-mib",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Bytes of all these files at most, in MiB; then recording ends and the connections go on"
                    + " (default: ${DEFAULT-VALUE}).")
    private long mebibytes;

    /** Before the first connection: the transport reads its settings when it is first used. */
    public void apply() {
        Path wanted = directory;
        if (wanted == null) {
            return;
        }
        if (mebibytes < 1 || mebibytes > Long.MAX_VALUE / MEBIBYTE) {
            throw new CommandFailure(ExitCode.USAGE, "--pcap-mib " + mebibytes + ": use 1 or more");
        }
        try {
            Files.createDirectories(wanted);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, "--pcap " + wanted + ": cannot be made: " + e.getMessage(), e);
        }
        System.setProperty("retier.iwarp.trace", wanted.toString());
        System.setProperty("retier.iwarp.trace-bytes", String.valueOf(mebibytes * MEBIBYTE));
    }
}
