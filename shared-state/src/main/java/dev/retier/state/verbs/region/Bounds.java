package dev.retier.state.verbs.region;

import dev.retier.state.region.directory.Request;
import java.time.Duration;

/**
 * How long an answer is waited for. Whoever waits for others' answers is waited for longer.
 *
 * @param call what is answered at once
 * @param revoke until a handle has been drained
 * @param change until all handles of a part have been taken away, or memory was made
 * @param copy until parts were copied
 */
record Bounds(Duration call, Duration revoke, Duration change, Duration copy) {
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration MARGIN = Duration.ofMillis(500);
    private static final Duration ALLOCATION = Duration.ofSeconds(10);
    private static final Duration COPY = Duration.ofMinutes(10);

    static Bounds of(Duration drainBound) {
        Duration revoke = drainBound.plus(MARGIN);
        return new Bounds(CALL, revoke, revoke.plus(ALLOCATION), COPY);
    }

    Duration of(Request request) {
        return switch (request) {
            case Request.Revoke _ -> revoke;
            case Request.Fetch _, Request.Create _, Request.Grant _, Request.Move _, Request.Free _ -> copy;
            case Request.Allocate _, Request.Seal _, Request.Settle _ -> change;
            case Request.LookUp _,
                    Request.Report _,
                    Request.Reported _,
                    Request.Open _,
                    Request.Close _,
                    Request.Find _ -> call;
        };
    }
}
