package dev.retier.cli.trace.options;

import dev.retier.cli.options.HelpHeading;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.made.BodySizes;
import dev.retier.traces.made.BurstPlan;
import dev.retier.traces.made.Catalogue;
import dev.retier.traces.made.GeneratedTrace;
import dev.retier.traces.made.TwoSites;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A trace made to order. */
@HelpHeading("What is asked for: a made trace")
public final class MadeTraceOptions {
    private static final int BURSTS = 4;
    private static final double EVEN = 0.5;

    @Option(
            names = "--make",
            paramLabel = "KIND",
            description = {
                "A made trace: single (one object), bursts (static and dynamic bursts in turn), mix,"
                        + " priority-bursts (bursts for a site of high and one of low priority in turn), two-sites"
                        + " (a mix for two sites); the last two have two parts, see --part (default: bursts)."
            })
    private @Nullable MadeKind kind;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description =
                    "How many requests to make (default: 16384, or --bursts times --burst); of a recorded trace, the"
                            + " first N.")
    private @Nullable Long requests;

    @Option(
            names = "--burst",
            paramLabel = "N",
            defaultValue = "4096",
            description = "Requests in a burst (default: ${DEFAULT-VALUE}).")
    private long burst;

    @Option(
            names = "--bursts",
            paramLabel = "N",
            description = "How many bursts (default: " + BURSTS + ", or as many as --requests needs).")
    private @Nullable Integer bursts;

    @Option(
            names = "--first-burst",
            paramLabel = "CLASS",
            defaultValue = "static",
            description = "bursts: what the first one asks for, static or dynamic" + " (default: ${DEFAULT-VALUE}).")
    private RequestClass firstBurst = RequestClass.STATIC;

    @Option(
            names = "--mix",
            paramLabel = "SHARE",
            description = "Each request is dynamic with this probability, 0 to 1 (default: 0.5); without --make it"
                    + " means --make mix.")
    private @Nullable Double mix;

    @Option(
            names = "--first-share",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description = "two-sites: share of the first site, 0 to 1 (default: ${DEFAULT-VALUE}).")
    private double firstShare;

    @Option(
            names = "--part",
            description = "priority-bursts, two-sites: which site's requests, ${COMPLETION-CANDIDATES}"
                    + " (default: ${DEFAULT-VALUE}).",
            defaultValue = "first")
    private Part part = Part.FIRST;

    @Option(
            names = "--zipf",
            paramLabel = "EXPONENT",
            defaultValue = "0.8",
            description = "Popularity of the objects: 0 all alike (default: ${DEFAULT-VALUE}, as web sites have).")
    private double zipf;

    @Option(
            names = "--objects",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Objects per class (default: ${DEFAULT-VALUE}).")
    private int objects;

    @Option(
            names = "--static-bytes",
            paramLabel = "SIZE",
            defaultValue = "4096",
            converter = BodySizesConverter.class,
            description = "Length of static bodies: N, or MEDIAN:SIGMA[:CAP] for a log-normal one, such as 949:1.5"
                    + " (default: ${DEFAULT-VALUE}).")
    private BodySizes staticBytes = Catalogue.DEFAULT.staticSizes();

    @Option(
            names = "--dynamic-bytes",
            paramLabel = "SIZE",
            defaultValue = "1024",
            converter = BodySizesConverter.class,
            description = "Length of dynamic bodies (default: ${DEFAULT-VALUE}).")
    private BodySizes dynamicBytes = Catalogue.DEFAULT.dynamicSizes();

    @Option(
            names = "--arrivals",
            paramLabel = "HOW",
            converter = ArrivalsConverter.class,
            description = {
                "When the made requests come, in trace time: poisson:RATE, on-off:RATE:RATE:SECONDS:SECONDS (busy and"
                        + " quiet rate, mean length of each state), or series:FILE[:SECONDS[:SCALE]] with a count for"
                        + " each period (60 s) in its last column (default: evenly, 1000/s)."
            })
    private @Nullable NamedArrivals arrivals;

    @Mixin
    private SeedOption seed = new SeedOption();

    /** What can be made. */
    enum MadeKind {
        SINGLE,
        BURSTS,
        MIX,
        PRIORITY_BURSTS,
        TWO_SITES;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /** A site of two. */
    enum Part {
        FIRST,
        SECOND;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Whether a made trace is asked for. */
    public boolean isNamed() {
        return kind != null || mix != null;
    }

    /** Of what is random in it. */
    public long seed() {
        return seed.seed();
    }

    /** How many requests to make. */
    long requests() {
        long count = bursts == null ? BURSTS : bursts;
        if (requests == null && count > 0 && burst > Long.MAX_VALUE / count) {
            throw new IllegalArgumentException(count + " bursts of " + burst + " requests are too many");
        }
        return requests == null ? burst * count : requests;
    }

    /** How many requests of a recorded trace to send; 0: all. */
    public long limit() {
        return requests == null ? 0 : requests;
    }

    /** The trace, or the wanted part of it; {@link IllegalArgumentException} for options that do not fit. */
    public Trace trace() {
        return part == Part.FIRST ? parts().getFirst() : parts().getLast();
    }

    /** The trace, or its two parts. */
    public List<Trace> parts() {
        if (requests != null && bursts != null) {
            throw new IllegalArgumentException("--requests and --bursts exclude each other; give one of them");
        }
        Catalogue catalogue = new Catalogue(objects, zipf, staticBytes, dynamicBytes);
        double share = mix == null ? EVEN : mix;
        List<Trace> made = switch (chosen()) {
            case SINGLE -> List.of(GeneratedTrace.single(requests(), object(), seed()));
            case BURSTS ->
                List.of(GeneratedTrace.alternating(new BurstPlan(burst, requests(), firstBurst), catalogue, seed()));
            case MIX -> List.of(GeneratedTrace.mixed(requests(), share, catalogue, seed()));
            case PRIORITY_BURSTS ->
                TwoSites.bursts(new BurstPlan(burst, requests(), RequestClass.STATIC), share, catalogue, seed());
            case TWO_SITES -> TwoSites.mixed(requests(), new TwoSites.Shares(firstShare, share), catalogue, seed());
        };
        NamedArrivals when = arrivals;
        return when == null
                ? made
                : made.stream()
                        .map(trace -> GeneratedTrace.arriving(when.read(), trace, seed()))
                        .toList();
    }

    private MadeKind chosen() {
        if (kind == null) {
            return mix == null ? MadeKind.BURSTS : MadeKind.MIX;
        }
        return kind;
    }

    private GeneratedTrace.RequestedObject object() {
        long bytes = staticBytes.sizeBytes(0);
        return new GeneratedTrace.RequestedObject("/static/o0?size=" + bytes, RequestClass.STATIC, bytes);
    }
}
