package dev.retier.agent.server;

import dev.retier.agent.config.ServerConfig;
import dev.retier.agent.render.Rendering;
import dev.retier.agent.status.BusyClock;
import dev.retier.agent.status.Observation;
import dev.retier.agent.status.ServerPage;
import dev.retier.agent.status.ServerStatus;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Any server but a web-node: its page and its processor time make its status, an installer brings files into force. */
final class RealServer implements ManagedServer {
    /** A page takes below a millisecond from a server that is not busy. */
    private static final Duration PAGE_PATIENCE = Duration.ofMillis(50);
    /** Capacity in thousandths of a processor, so that machines of unequal size compare. */
    private static final double UNITS_PER_PROCESSOR = 1_000;

    private static final double NANOS_PER_SECOND = 1e9;
    /** Making a page costs a server some tenths of a millisecond. */
    private static final long CLOSEST_INTERVAL_NANOS = 15_000_000;

    /**
     * For so long a server that takes nobody in is full, as far as anybody can know, and then it hangs: longer than
     * httpd waits for the next request of an idle client by default, 5 s, after which it takes in others.
     */
    private static final long FULL_NANOS = 10_000_000_000L;

    private static final ServerPage NO_PAGE = new ServerPage(0, 0, 0, 0, "", "");

    private final ServerDialect dialect;
    private final ConfigInstaller installer;
    private final PageAsker asker;
    private final ServerProcess process;
    private final long pageIntervalNanos;
    private final BusyClock busy = new BusyClock();
    private ServerPage lastPage = NO_PAGE;
    /** Of the newest page, also of one without a load. */
    private String generation = NO_PAGE.generation();

    private @Nullable Rendering toldFile;
    private @Nullable String toldRefusal;
    private long lastAskedNanos = System.nanoTime();
    private long lastGrowthNanos = System.nanoTime();
    private long lastAnswerNanos = System.nanoTime();

    /**
     * Of a node or an edge.
     *
     * @param host a host that it serves
     */
    RealServer(String name, ServerConfig server, String host, InstallerEvents events) {
        this.dialect = switch (server.kind()) {
            case HTTPD -> new HttpdDialect(server);
            case NGINX -> new NginxDialect(server);
            case HAPROXY -> new HaproxyDialect(server);
            case OTHER -> new OtherDialect(server, host);
            case WEB_NODE -> throw new IllegalArgumentException("a web-node follows its file by itself");
        };
        this.pageIntervalNanos = dialect.pageIntervalNanos();
        this.installer = new ConfigInstaller(name, server, dialect, events);
        this.asker = new PageAsker(name, server, dialect);
        this.process = new ServerProcess(server);
    }

    @Override
    public void start() {
        installer.start();
        asker.start();
    }

    @Override
    public long closestIntervalNanos() {
        return CLOSEST_INTERVAL_NANOS;
    }

    @Override
    public boolean tellsOfFiles() {
        return true;
    }

    /** What has become of a file is told at once where the server serves, and not once a busy one has answered. */
    @Override
    public Observation observe(Duration timeout) {
        if (!isPageDue() || hasFileNews()) {
            return partial(process.usage(), process.wasFull(), "");
        }
        PageAsker.Answer answer;
        try {
            lastAskedNanos = System.nanoTime();
            answer = asker.ask(timeout.compareTo(PAGE_PATIENCE) < 0 ? timeout : PAGE_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Observation.Silent("interrupted");
        }
        ServerPage page = answer == null ? null : answer.page();
        boolean isFull = process.isFull(page == null, explained(answer, lastPage, asker.unanswered()));
        Optional<ProcessorAccount.Usage> usage = process.usage();
        if (page != null && !page.generation().equals(generation)) {
            generation = page.generation();
            installer.reloadedByAnybody();
        }
        installer.lookAtFiles();
        if (answer != null && page != null && usage.isPresent()) {
            lastAnswerNanos = System.nanoTime();
            return new Observation.Whole(
                    status(page, usage.get(), isFull, answer.askedAtNanos()),
                    answer.askedAtNanos(),
                    answer.tookNanos());
        }
        PageAsker.Answer newest = answer == null ? asker.newest() : answer;
        String why = answer == null ? "the status page is late" : newest.why();
        if (newest.answersClients()) {
            lastAnswerNanos = System.nanoTime();
            return partial(usage, isFull, why);
        }
        return isFull && System.nanoTime() - lastAnswerNanos < FULL_NANOS
                ? partial(usage, true, "clients wait to be taken in, and " + why)
                : new Observation.Silent(usage.isPresent() ? why : process.noUsage() + ", and " + why);
    }

    /**
     * How many may wait to be taken in while it takes them in as they come: the agent's own, and as many as it has
     * answered since the page before. Of one that counts no requests the agent knows by its own question, which has
     * waited behind all who came before it: whether it had to wait for long.
     */
    static long explained(PageAsker.@Nullable Answer answer, ServerPage before, int unanswered) {
        ServerPage page = answer == null ? null : answer.page();
        if (answer == null || page == null) {
            return unanswered;
        }
        if (page.requests() == ServerPage.UNCOUNTED) {
            return answer.tookNanos() < PAGE_PATIENCE.toNanos() ? Long.MAX_VALUE : unanswered;
        }
        return unanswered + Math.max(0, page.requests() - before.requests());
    }

    /** One that has not answered, or has gone, is asked at each look. */
    private boolean isPageDue() {
        return pageIntervalNanos == 0
                || System.nanoTime() - lastAskedNanos >= pageIntervalNanos
                || asker.isAsking()
                || !asker.newest().answersClients()
                || process.usage().isEmpty();
    }

    private boolean hasFileNews() {
        boolean isNews =
                !Objects.equals(installer.applied(), toldFile) || !Objects.equals(installer.refusal(), toldRefusal);
        return isNews
                && !lastPage.equals(NO_PAGE)
                && asker.newest().answersClients()
                && process.usage().isPresent();
    }

    private Observation partial(Optional<ProcessorAccount.Usage> usage, boolean isFull, String why) {
        return usage.<Observation>map(
                        used -> new Observation.Partial(status(lastPage, used, isFull, System.nanoTime()), why))
                .orElseGet(() -> new Observation.Mute(
                        (why.isEmpty() ? "" : why + ", and ") + "its processes cannot be seen: " + process.noUsage()));
    }

    private ServerStatus status(ServerPage page, ProcessorAccount.Usage usage, boolean isFull, long askedAtNanos) {
        long nowNanos = System.nanoTime();
        if (page.requests() != lastPage.requests()) {
            lastGrowthNanos = nowNanos;
        }
        lastPage = page;
        Rendering applied = installer.applied();
        String refusal = installer.refusal();
        toldFile = applied;
        toldRefusal = refusal;
        return new ServerStatus(
                applied == null ? "unknown" : applied.role(),
                applied == null ? null : applied.site(),
                applied == null ? 0 : applied.stamp(),
                refusal,
                usage.processors() * UNITS_PER_PROCESSOR,
                busy.after(usage.seconds(), usage.processors(), fullness(isFull, usage, page), nowNanos),
                page.inFlight(),
                0,
                age(askedAtNanos),
                page.requests(),
                0,
                0,
                null);
    }

    /** What of it is busy, from 0 to 1; all where clients wait or its quota is used up, whatever the page says. */
    static double fullness(boolean isFull, ProcessorAccount.Usage usage, ServerPage page) {
        return isFull || usage.isExhausted() ? 1 : page.busyShare();
    }

    /** Of what came after the page was asked for, it says nothing. */
    private @Nullable Double age(long askedAtNanos) {
        return Math.max(0, askedAtNanos - lastGrowthNanos) / NANOS_PER_SECOND;
    }

    @Override
    public void install(Rendering rendering) {
        installer.offer(rendering);
    }

    @Override
    public long installedStamp() {
        return installer.installedStamp();
    }

    @Override
    public void close() {
        installer.close();
        asker.close();
        dialect.close();
        process.close();
    }
}
