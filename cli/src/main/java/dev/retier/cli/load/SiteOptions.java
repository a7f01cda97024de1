package dev.retier.cli.load;

import dev.retier.agent.tls.Credentials;
import dev.retier.cli.options.AgentAccessOptions;
import dev.retier.cli.options.DurationConverter;
import dev.retier.cli.options.HelpHeading;
import dev.retier.cli.trace.options.ShapeOptions;
import dev.retier.cli.trace.options.TraceOptions;
import dev.retier.config.HostPort;
import dev.retier.load.drive.LoadPlan;
import dev.retier.load.drive.LoadPlanBuilder;
import dev.retier.load.drive.Streams;
import dev.retier.load.report.Guarantee;
import dev.retier.load.target.Target;
import dev.retier.load.target.source.AgentAccess;
import dev.retier.load.target.source.TargetSource;
import dev.retier.traces.Trace;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Everything about the load on one site; its options are the keys of a scenario's sites. */
@HelpHeading("The site, and where its requests go")
public final class SiteOptions {
    private static final String WS = "ws";
    private static final String WSS = "wss";

    @Option(names = "--site", defaultValue = "shop", description = "The site's name (default: ${DEFAULT-VALUE}).")
    private String site = "shop";

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            description = "A server, with https:// before it for TLS, ws:// or wss:// for WebSockets; repeat for"
                    + " several.")
    private List<String> targets = List.of();

    @Option(
            names = "--targets-file",
            paramLabel = "FILE",
            description = "A target list (JSON), followed as it changes.")
    private @Nullable Path targetsFile;

    @Option(
            names = "--agent",
            paramLabel = "URL",
            description = "An agent or edge whose target list is followed as it changes, and whose tiers are drawn in"
                    + " the report; repeat for several, any one is enough.")
    private List<URI> agents = List.of();

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "Ask for this alone, again and again (as many times as --requests says).")
    private @Nullable String path;

    @Option(
            names = "--guarantee",
            paramLabel = "RATE",
            description =
                    "Requests per second promised to the site; the result says in how many seconds it was kept: open"
                            + " loop, when of the requests due in it as many as promised, or all, were answered well in"
                            + " time; closed loop, when as many were answered in it, or all clients were thinking.")
    private @Nullable Double guarantee;

    @Option(
            names = "--answer-within",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How soon after its due time an answer is in time for --guarantee (default: one --interval,"
                    + " at least 1s).")
    private @Nullable Duration answerWithin;

    @Option(
            names = "--priority",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of the site, 1 is highest; stands beside its guarantee (default: ${DEFAULT-VALUE}).")
    private int priority;

    @Mixin
    private AgentAccessOptions access = new AgentAccessOptions();

    @Mixin
    private TraceOptions trace = new TraceOptions();

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Mixin
    private RequestOptions request = new RequestOptions();

    @Mixin
    private PaceOptions pace = new PaceOptions();

    @Mixin
    private StreamOptions stream = new StreamOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    /** Uses what {@code url} says for the target, and its path unless it is just a slash. */
    void url(URI url) {
        boolean known = List.of("http", "https", WS, WSS).contains(String.valueOf(url.getScheme()));
        if (url.getHost() == null || !known) {
            throw new IllegalArgumentException("'" + url + "' is no http://host[:port]/path");
        }
        targets = List.of(url.getScheme() + "://" + url.getRawAuthority());
        boolean plain = url.getRawPath().isEmpty() || url.getRawPath().equals("/");
        boolean nothingElse = !trace.isRecorded() && !trace.made().isNamed();
        if (!plain || url.getRawQuery() != null || nothingElse) {
            path = (plain ? "/" : url.getRawPath()) + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
        }
    }

    /** Whether the targets are written as those of WebSockets; either all of them are or none. */
    private boolean isWebSocket() {
        long webSockets = targets.stream()
                .filter(target -> target.startsWith(WS + ":") || target.startsWith(WSS + ":"))
                .count();
        if (webSockets > 0 && webSockets < targets.size()) {
            throw new IllegalArgumentException(
                    "some --target are WebSockets and some are not; give each kind its own" + " site in a --scenario");
        }
        return webSockets > 0;
    }

    /**
     * The load on this site.
     *
     * @throws IllegalArgumentException for options that do not fit
     * @throws dev.retier.traces.TraceException for a trace that cannot be used
     */
    SiteLoad load() {
        AgentAccess shown = shown();
        TargetSource source = source(shown);
        if (priority < 1) {
            throw new IllegalArgumentException("--priority " + priority + ": 1 is the highest, 2 the next");
        }
        Guarantee promised = guarantee == null ? null : new Guarantee(site, priority, guarantee);
        long seed = trace.made().seed();
        Trace shaped = shape.shape(trace.trace(path), seed);
        Trace chosen = request.template(seed).over(shaped);
        long limit = trace.isRecorded() ? trace.made().limit() : 0;
        LoadPlanBuilder plan = connection.apply(LoadPlan.of(site, chosen, source), !trace.isRecorded());
        if (limit > 0) {
            plan.withMaxRequests(limit);
        }
        if (answerWithin != null) {
            plan.withAnswerWithin(answerWithin);
        }
        Streams streams = stream.streams(isWebSocket());
        if (streams != null) {
            if (guarantee != null) {
                throw new IllegalArgumentException("--guarantee is about answers, and --hold about streams that have"
                        + " none; leave one of them out");
            }
            plan.withStreams(streams);
        }
        LoadPlan built = plan.withPacing(pace.pacing(shaped, limit, connection.duration(), trace.isPiped()))
                .build();
        if (connection.clients() == null) {
            built = plan.withClients(StreamOptions.clients(built)).build();
        }
        if (!built.problems().isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", built.problems()));
        }
        return new SiteLoad(built, promised, agents, shown);
    }

    /** Agents are known by their URLs, which say themselves whether they speak TLS. */
    private AgentAccess shown() {
        List<HostPort> clear = agents.stream()
                .filter(agent -> !"https".equals(agent.getScheme()))
                .map(agent -> new HostPort(String.valueOf(agent.getHost()), Math.max(1, agent.getPort())))
                .toList();
        Credentials credentials = access.credentials(clear, clear.size() < agents.size());
        return new AgentAccess(credentials::client, credentials::token);
    }

    private TargetSource source(AgentAccess shown) {
        List<String> given = Stream.of(
                        targets.isEmpty() ? "" : "--target",
                        targetsFile == null ? "" : "--targets-file",
                        agents.isEmpty() ? "" : "--agent")
                .filter(name -> !name.isEmpty())
                .toList();
        if (given.size() != 1) {
            throw new IllegalArgumentException(
                    given.isEmpty()
                            ? "where to? give a URL, --target, --targets-file or --agent"
                            : String.join(", ", given) + " exclude each other; give one of them");
        }
        if (targetsFile != null) {
            return TargetSource.file(targetsFile);
        }
        return agents.isEmpty()
                ? TargetSource.fixed(targets.stream()
                        .map(target -> target.replaceFirst("^ws(s?)://", "http$1://"))
                        .map(Target::parse)
                        .toList())
                : TargetSource.agents(agents, shown);
    }
}
