package dev.retier.bench.volumes;

import dev.retier.report.Table;

/** What the measurements of seed 000 said, and which rows here are about the same. Stateless. */
final class SeedFigures {
    private SeedFigures() {}

    /** One row for each of its figures of requests, up to 8. */
    static Table table() {
        return new Table("figure", "seed_000", "here")
                .row(
                        "3",
                        "DSA adds 15 to 50 us to raw VI; cDSA up to 15 % better than kDSA, up to 30 % than wDSA",
                        "A7 by size: cDSA beside the verbs alone, wDSA, kDSA")
                .row(
                        "4",
                        "of an 8 KiB read the server's part is 9 %; wDSA takes three times cDSA's processor time",
                        "-")
                .row("5", "8 KiB cached: the time grows slowly up to 4 under way, then linearly", "A7 by depth")
                .row("6", "90 MB/s with one 128 KiB read under way; 110 MB/s, all there is, with four of 8 KiB", "A7")
                .row(
                        "7, 8",
                        "no cache: within 3 % of the local disk's time up to 64 KiB reads; equal throughput from two"
                                + " reads, eight writes under way",
                        "B4 beside the local file");
    }

    /** The same of those that are about databases. */
    static Table ofDatabases() {
        return new Table("figure", "seed_000", "here")
                .row(
                        "9, 12",
                        "transactions: batched deregistration +7 to 15 %, batched interrupts +2 to 14 %, fewer locks"
                                + " +7 to 24 %",
                        "requests per second, by the other command: D1; D2: wake-ups by request")
                .row(
                        "10",
                        "large: cDSA 18 % above the local disks, kDSA equal, wDSA 22 % below kDSA",
                        "C2, C3: kDSA beside the local file system; C4: wDSA beside kDSA")
                .row("11, 14", "where the processor's time goes: 50 % to the database with cDSA, below 40 % else", "-")
                .row(
                        "13",
                        "mid-size: cDSA 3 % above 176 local disks with 60 and a cache that 40 to 45 % of reads hit",
                        "D3: kDSA with a cache beside a local disk as slow as the server's; hits");
    }
}
