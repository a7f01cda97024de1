package dev.retier.iwarp.trace;

/**
 * How much a trace may write. What comes after that is not recorded; the connections go on.
 *
 * @param bytesPerConnection bytes of one file at most
 * @param bytesInAll bytes of all files of one process at most
 */
public record PcapLimits(long bytesPerConnection, long bytesInAll) {
    /** Refuses limits that leave no room for a connection's first packets. */
    public PcapLimits {
        if (bytesPerConnection < PcapFile.LEAST_BYTES || bytesInAll < bytesPerConnection) {
            throw new IllegalArgumentException("a trace of " + bytesPerConnection + " bytes per connection and "
                    + bytesInAll + " in all: use at least " + PcapFile.LEAST_BYTES
                    + " per connection, and no less in all");
        }
    }

    /** 64 MiB per connection, 1 GiB in all. */
    public static PcapLimits defaults() {
        return new PcapLimits(64L << 20, 1L << 30);
    }
}
