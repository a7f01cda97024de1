package dev.retier.agent.status;

import dev.retier.state.LoadRecord;
import dev.retier.state.LoadRecord.Health;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an agent makes of each look at its own server: whether the server is up, what of it the control loop learns, and
 * which load record the node publishes. Reads no clock. Not thread-safe.
 */
public final class ServerWatch {
    /** A server that fails once may have been starved; one that fails twice is down. */
    private static final int FAILURES_UNTIL_DOWN = 2;
    /** A busy server may be late a few times in a row; a person need hear of it once it lasts. */
    private static final int LOOKS_UNTIL_DEGRADED = 20;

    private final LoadMeter meter;
    private final MuteWatch muteness;
    private int failures;
    private int degradedLooks;
    private boolean isDown;
    private boolean isDegraded;

    /** What people should hear of. */
    public enum News {
        /** It has failed to answer twice in a row. */
        DOWN,
        /** It was down and answers. */
        ANSWERS_AGAIN,
        /** It serves, but its status has not been whole for long. */
        DEGRADED,
        /** That is over. */
        WHOLE_AGAIN
    }

    /**
     * One status.
     *
     * @param status what the server told, and which file is in force
     * @param askedAtNanos when it was asked, monotonic
     * @param isWhole whether what it says of requests is of that time; else only what it says of files is
     */
    public record Sample(ServerStatus status, long askedAtNanos, boolean isWhole) {}

    /**
     * What follows from one look.
     *
     * @param sample for the control loop; null when nothing was told
     * @param record to be published; null for none, so that the heartbeat stands still
     * @param news in no order
     */
    public record Seen(@Nullable Sample sample, @Nullable LoadRecord record, Set<News> news) {}

    /**
     * A server that has told something at {@code nowNanos}.
     *
     * @param window over which its load is measured
     * @param staleness after which one that tells nothing of itself is mute
     */
    public ServerWatch(Duration window, Duration staleness, long nowNanos) {
        this.meter = new LoadMeter(window);
        this.muteness = new MuteWatch(staleness, nowNanos);
    }

    /** Whether it has failed to answer twice in a row. */
    public boolean isDown() {
        return isDown;
    }

    /**
     * Takes in one look.
     *
     * @param askedAtNanos when the look began, monotonic
     * @param operatorWord what the node publishes of what operators have told
     * @param nowNanos when it ended
     */
    public Seen after(Observation look, long askedAtNanos, int operatorWord, long nowNanos) {
        Set<News> news = EnumSet.noneOf(News.class);
        Sample sample = switch (look) {
            case Observation.Whole(ServerStatus status, long pageAskedAtNanos, long _) ->
                new Sample(status, pageAskedAtNanos, true);
            case Observation.Partial(ServerStatus status, String _) -> new Sample(status, askedAtNanos, false);
            case Observation.Mute _, Observation.Silent _ -> null;
        };
        if (look instanceof Observation.Silent) {
            failed(news);
        } else {
            answered(news);
            boolean isUnasked = look instanceof Observation.Partial(var _, String why) && why.isEmpty();
            if (!isUnasked) {
                told(look instanceof Observation.Whole, news);
            }
        }
        if (sample != null) {
            meter.record(sample.status, sample.isWhole, nowNanos);
        }
        return new Seen(sample, record(look, operatorWord, nowNanos), news);
    }

    private void failed(Set<News> news) {
        failures++;
        if (failures == FAILURES_UNTIL_DOWN) {
            isDown = true;
            meter.reset();
            news.add(News.DOWN);
        }
    }

    private void answered(Set<News> news) {
        if (isDown) {
            news.add(News.ANSWERS_AGAIN);
        }
        failures = 0;
        isDown = false;
    }

    private void told(boolean isWhole, Set<News> news) {
        if (isWhole) {
            degradedLooks = 0;
            if (isDegraded) {
                news.add(News.WHOLE_AGAIN);
            }
            isDegraded = false;
        } else if (!isDegraded && ++degradedLooks >= LOOKS_UNTIL_DEGRADED) {
            isDegraded = true;
            news.add(News.DEGRADED);
        }
    }

    /**
     * Without a status there is no heartbeat, and then a record that says so: the node is unknown. A look that brought
     * no figures never lends a heartbeat to those of before.
     */
    private @Nullable LoadRecord record(Observation look, int operatorWord, long nowNanos) {
        return switch (look) {
            case Observation.Whole _, Observation.Partial _ -> {
                muteness.told(nowNanos);
                yield meter.isTelling() ? meter.load(Health.UP, operatorWord) : null;
            }
            case Observation.Mute _ -> muteness.isMute(nowNanos) ? meter.load(Health.MUTE, operatorWord) : null;
            case Observation.Silent _ -> {
                muteness.told(nowNanos);
                yield isDown ? meter.load(Health.DOWN, operatorWord) : null;
            }
        };
    }

    /** The last record of an agent that leaves. */
    public LoadRecord lastRecord(int operatorWord) {
        return meter.load(isDown ? Health.DOWN : Health.LEAVING, operatorWord);
    }
}
