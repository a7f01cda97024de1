package dev.retier.fabric.regions;

import dev.retier.fabric.directory.RegionRequest;
import java.time.Duration;

/**
 * How long an answer is waited for. Whoever waits for others' answers is waited for longer.
 *
 * @param call what is answered at once
 * @param revoke until a handle has been drained
 * @param change until all handles of a part have been taken away, or memory was made
 * @param copy until parts were copied
 */
record AnswerBounds(Duration call, Duration revoke, Duration change, Duration copy) {
    private static final Duration CALL = Duration.ofSeconds(2);
    private static final Duration MARGIN = Duration.ofMillis(500);
    private static final Duration ALLOCATION = Duration.ofSeconds(10);
    private static final Duration COPY = Duration.ofMinutes(10);

    static AnswerBounds of(Duration drainBound) {
        Duration revoke = drainBound.plus(MARGIN);
        return new AnswerBounds(CALL, revoke, revoke.plus(ALLOCATION), COPY);
    }

    Duration of(RegionRequest request) {
        return switch (request) {
            case RegionRequest.Revoke _ -> revoke;
            case RegionRequest.Fetch _,
                    RegionRequest.Create _,
                    RegionRequest.Grant _,
                    RegionRequest.Move _,
                    RegionRequest.Free _ -> copy;
            case RegionRequest.Allocate _, RegionRequest.Seal _, RegionRequest.Settle _ -> change;
            case RegionRequest.LookUp _,
                    RegionRequest.Report _,
                    RegionRequest.Reported _,
                    RegionRequest.Open _,
                    RegionRequest.Close _,
                    RegionRequest.Find _ -> call;
        };
    }
}
