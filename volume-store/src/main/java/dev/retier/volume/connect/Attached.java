package dev.retier.volume.connect;

import dev.retier.volume.wire.Status;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What a client has attached, by volume. Guarded by its session's lock. */
final class Attached {
    private final Map<Integer, One> volumes = new HashMap<>();

    /**
     * One attachment.
     *
     * @param epoch 0 for reading
     * @param lost completes when the volume is not this client's any more, with why
     * @param isGivenBack whether the server was asked to take it back
     */
    private record One(int epoch, CompletableFuture<VolumeException> lost, boolean isGivenBack) {}

    void put(int volume, int epoch) {
        volumes.put(volume, new One(epoch, new CompletableFuture<>(), false));
    }

    /** From now on it is no news that it is not this client's any more. */
    void givesBack(int volume) {
        volumes.computeIfPresent(volume, (_, one) -> new One(one.epoch, one.lost, true));
    }

    /** Whether a request is of an attachment that this client has. */
    boolean has(Ticket ticket) {
        One now = volumes.get(ticket.volume());
        return ticket.operation().needsAttachment() && now != null && now.epoch == ticket.epoch();
    }

    /** The epoch of each. */
    Map<Integer, Integer> epochs() {
        Map<Integer, Integer> epochs = new HashMap<>();
        volumes.forEach((volume, one) -> epochs.put(volume, one.epoch));
        return epochs;
    }

    /** Completes when that volume, which was attached just now, is not this client's any more, with why. */
    CompletableFuture<VolumeException> lost(int volume) {
        One now = volumes.get(volume);
        return now == null
                ? CompletableFuture.completedFuture(new VolumeException(Status.FENCED, "it was taken at once"))
                : now.lost;
    }

    /** It is not attached any more; what is to be told if the client has not given it back. */
    Optional<CompletableFuture<VolumeException>> remove(int volume) {
        return Optional.ofNullable(volumes.remove(volume))
                .filter(one -> !one.isGivenBack)
                .map(One::lost);
    }
}
