package dev.retier.bench.state;

import dev.retier.bench.CarrierOption;
import dev.retier.bench.Measures;
import dev.retier.bench.QuietRounds;
import dev.retier.bench.ResultOptions;
import dev.retier.bench.Results;
import dev.retier.fabric.MemoryAccess;
import dev.retier.fabric.OneSided;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.Registration;
import dev.retier.fabric.RemotePlace;
import dev.retier.fabric.regions.Region;
import dev.retier.report.Table;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench regions}: writes to memory that has a name beside writes to memory that has a key alone (E13). */
@Command(
        name = "regions",
        description = "Write to named regions and to raw registered memory, alternately, on the same connection.")
@SuppressWarnings("FutureReturnValueIgnored") // every write gives its place in the window back
@Measures(modules = {"verbs", "soft-iwarp", "link", "fabric"})
public final class RegionsBench implements Callable<Integer> {
    private static final int WINDOW = 16;
    private static final int[] SIZES = {64, 1024};
    private static final long MIB = 1L << 20;
    private static final double NANOS_PER_MICRO = 1000;
    /** Enough for the compiler, and for what was just made to come to rest. */
    private static final int WARM_UP_PAIRS = 8;

    private static final double LOWER_QUARTER = 0.25;
    private static final String WHAT = "Two nodes in one process. Raw: an RDMA write of registered memory to an address"
            + " and key, and a read behind it that says that it is in place, on the connection that the regions use,"
            + " to as many and as large registrations. Named: Region.writeAsync, which does the same with its checks,"
            + " its copy and its deadline. " + WINDOW + " writes are under way at once, each to a random region and"
            + " place. A pair is so many raw writes and as many named ones, in alternating order, so that whatever else"
            + " slows the machine for longer slows both; the quotient is taken pair by pair. Given are the medians, the"
            + " quartiles of the quotients (q1, q3), and between what the median of endlessly many pairs lies with 95 %"
            + " certainty (low, high).";

    @Option(names = "--pairs", paramLabel = "N", description = "Pairs per figure (default: ${DEFAULT-VALUE}).")
    private int pairs = 61;

    @Option(names = "--writes", paramLabel = "N", description = "Writes per half a pair (default: ${DEFAULT-VALUE}).")
    private int writes = 5000;

    @Option(
            names = "--regions",
            split = ",",
            paramLabel = "N",
            description = "Numbers of regions of 1 KiB (default: 1,1000,100000).")
    private List<Integer> numbers = List.of(1, 1000, 100_000);

    @Option(
            names = "--mib",
            split = ",",
            paramLabel = "MIB",
            description = "Sizes of one region in MiB (default: 1,64,1024).")
    private List<Integer> sizesMib = List.of(1, 64, 1024);

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Mixin
    private CarrierOption carrier = new CarrierOption();

    @Mixin
    private ResultOptions options = new ResultOptions();

    /** Where rows go, and how the rounds behind them are run. */
    private record Sheet(QuietRounds rounds, Table table) {}

    private interface Writing {
        void write(int count) throws InterruptedException;
    }

    /**
     * {@inheritDoc}
     *
     * @throws Exception if the nodes cannot listen, or the results cannot be kept
     */
    @Override
    public Integer call() throws Exception {
        if (pairs < 1 || writes < 1) {
            throw new ParameterException(spec.commandLine(), "--pairs and --writes must be above 0");
        }
        Results results = options.begin(
                carrier.record("regions"),
                "Named regions beside raw verbs, over " + carrier.sentence(),
                "./retier bench regions" + carrier.words());
        Sheet sheet = new Sheet(results.rounds(), table());
        try (RegionPair pair = new RegionPair(carrier)) {
            measure(pair, List.of(pair.region("warm-up", 1024)), new Sheet(new QuietRounds(Duration.ZERO), table()));
            List<Region> regions = new ArrayList<>();
            for (int number : numbers) {
                for (int i = regions.size(); i < number; i++) {
                    regions.add(pair.region("r/" + i, 1024));
                }
                measure(pair, regions, sheet);
            }
            for (int mib : sizesMib) {
                measure(pair, List.of(pair.region("s/" + mib, mib * MIB)), sheet);
            }
        }
        results.note(WHAT).table("writes", sheet.table());
        options.end(results);
        return 0;
    }

    private static Table table() {
        return new Table(
                "regions",
                "size_kib",
                "write_bytes",
                "raw_us",
                "named_us",
                "named_over_raw",
                "q1",
                "q3",
                "low",
                "high");
    }

    private void measure(RegionPair pair, List<Region> regions, Sheet sheet) throws Exception {
        long length = regions.getFirst().lengthBytes();
        List<RemotePlace> places = new ArrayList<>();
        for (int i = 0; i < regions.size(); i++) {
            places.add(pair.raw(length));
        }
        PeerLink link = pair.link();
        for (int bytes : SIZES) {
            MemorySegment memory = Arena.ofAuto().allocate(bytes, Long.BYTES);
            SplittableRandom random = new SplittableRandom(bytes);
            try (Registration source = link.register(memory, Set.of(MemoryAccess.LOCAL_WRITE))) {
                List<OneSided.Piece> pieces = List.of(OneSided.Piece.all(source));
                OneSided.Piece sink = new OneSided.Piece(source, 0, Long.BYTES);
                Semaphore free = new Semaphore(WINDOW);
                Writing raw = count -> {
                    for (int i = 0; i < count; i++) {
                        free.acquire();
                        RemotePlace place = places.get(random.nextInt(places.size()));
                        link.place(new OneSided.Write(pieces, place.plus(offset(random, length, bytes))), sink)
                                .thenRun(free::release);
                    }
                };
                List<MemorySegment> from = List.of(memory);
                Writing named = count -> {
                    for (int i = 0; i < count; i++) {
                        free.acquire();
                        regions.get(random.nextInt(regions.size()))
                                .writeAsync(offset(random, length, bytes), from, RegionPair.PATIENCE)
                                .thenRun(free::release);
                    }
                };
                row(sheet, new int[] {regions.size(), (int) (length / 1024), bytes}, List.of(raw, named), free);
            }
        }
    }

    private void row(Sheet sheet, int[] what, List<Writing> both, Semaphore free) throws Exception {
        Pairs measured =
                sheet.rounds().run(0, 1, _ -> compared(both, free)).all().getFirst();
        sheet.table()
                .row(
                        what[0],
                        what[1],
                        what[2],
                        round(measured.base()),
                        round(measured.other()),
                        round(measured.quotient()),
                        round(measured.quantile(LOWER_QUARTER)),
                        round(measured.quantile(1 - LOWER_QUARTER)),
                        round(measured.surelyAbove()),
                        round(measured.surelyBelow()));
    }

    /** All pairs of one figure: a round. */
    private Pairs compared(List<Writing> both, Semaphore free) throws InterruptedException {
        Pairs measured = new Pairs();
        for (int i = -WARM_UP_PAIRS; i < pairs; i++) {
            boolean isRawFirst = i % 2 == 0;
            double one = micros(both.get(isRawFirst ? 0 : 1), free);
            double other = micros(both.get(isRawFirst ? 1 : 0), free);
            if (i >= 0) {
                measured.add(isRawFirst ? one : other, isRawFirst ? other : one);
            }
        }
        return measured;
    }

    private double micros(Writing writing, Semaphore free) throws InterruptedException {
        long begun = System.nanoTime();
        writing.write(writes);
        free.acquire(WINDOW);
        free.release(WINDOW);
        return (System.nanoTime() - begun) / NANOS_PER_MICRO / writes;
    }

    private static long offset(SplittableRandom random, long length, int bytes) {
        return length == bytes ? 0 : random.nextLong((length - bytes) / Long.BYTES + 1) * Long.BYTES;
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
