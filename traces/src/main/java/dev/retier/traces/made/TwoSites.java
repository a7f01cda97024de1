package dev.retier.traces.made;

import dev.retier.traces.ClassRule;
import dev.retier.traces.RequestClass;
import dev.retier.traces.Trace;
import dev.retier.traces.TraceEvent;
import dev.retier.traces.shape.MappedEvents;
import dev.retier.traces.shape.ShapedTrace;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;

/**
 * Traces for two sites that are loaded at the same time, such as one of high and one of low priority: first one made-up
 * trace for both, then each site's part of it, at the times that its requests have in the whole. Stateless.
 */
public final class TwoSites {
    private static final int SITES = 2;

    private TwoSites() {}

    /**
     * Bursts for one site and the other in turn: burst k is segment k, and belongs to the first site when k is even.
     *
     * @param dynamicShare each request is dynamic with this probability, 0..1
     * @return the first site's trace and the second's
     */
    public static List<Trace> bursts(BurstPlan plan, double dynamicShare, Catalogue catalogue, long seed) {
        ClassRule.Share share = new ClassRule.Share(dynamicShare);
        Catalogue.Picker picker = catalogue.picker();
        String name = "bursts of " + plan.requestsPerBurst() + " for two sites, seed " + seed;
        LongFunction<GeneratedTrace.EventMaker> maker = s -> {
            SplittableRandom random = new SplittableRandom(s);
            return index -> {
                int burst = (int) (index / plan.requestsPerBurst());
                RequestClass requestClass = classOf(random, share.objects());
                return TraceEvent.get(
                        plan.offsetNanos(index),
                        random.nextInt(GeneratedTrace.CLIENTS),
                        picker.pick(requestClass, random),
                        burst);
            };
        };
        Trace whole = new GeneratedTrace(name, plan.requests(), seed, maker);
        return parts(whole, event -> event.segment() % SITES);
    }

    /**
     * An even mix: each request is for the first site with a given probability.
     *
     * @param requests of both sites together, from 1
     * @param shares of the requests: of the first site, and of dynamic ones
     * @return the first site's trace and the second's
     */
    public static List<Trace> mixed(long requests, Shares shares, Catalogue catalogue, long seed) {
        Trace mix = GeneratedTrace.mixed(requests, shares.dynamic(), catalogue, seed);
        Trace whole = new ShapedTrace(mix.name() + ", for two sites", mix, in -> {
            SplittableRandom random = new SplittableRandom(~seed);
            return new MappedEvents(in, event -> {
                int site = random.nextDouble() < shares.firstSite() ? 0 : 1;
                return Optional.of(List.of(event.moved(event.offsetNanos(), site)));
            });
        });
        return parts(whole, TraceEvent::segment);
    }

    /**
     * How a mix is made up.
     *
     * @param firstSite share of the first site's requests, 0..1
     * @param dynamic share of dynamic requests, 0..1
     */
    public record Shares(double firstSite, double dynamic) {
        /** Checks the ranges. */
        public Shares {
            if (!(firstSite >= 0 && firstSite <= 1 && dynamic >= 0 && dynamic <= 1)) {
                throw new IllegalArgumentException("shares " + firstSite + " and " + dynamic + " are not within 0..1");
            }
        }
    }

    private static RequestClass classOf(SplittableRandom random, double dynamicShare) {
        return random.nextDouble() < dynamicShare ? RequestClass.DYNAMIC : RequestClass.STATIC;
    }

    private static List<Trace> parts(Trace whole, ToIntFunction<TraceEvent> siteOf) {
        return List.of(part(whole, siteOf, 0), part(whole, siteOf, 1));
    }

    private static Trace part(Trace whole, ToIntFunction<TraceEvent> siteOf, int site) {
        return new ShapedTrace(
                whole.name() + ", " + (site == 0 ? "first" : "second") + " site",
                whole,
                in -> new MappedEvents(
                        in, event -> Optional.of(siteOf.applyAsInt(event) == site ? List.of(event) : List.of())));
    }
}
