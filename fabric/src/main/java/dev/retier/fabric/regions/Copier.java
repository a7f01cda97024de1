package dev.retier.fabric.regions;

import dev.retier.fabric.Fabric;
import dev.retier.fabric.MemoryAccess;
import dev.retier.fabric.OneSided;
import dev.retier.fabric.OpOutcome;
import dev.retier.fabric.PeerLink;
import dev.retier.fabric.Registration;
import dev.retier.fabric.RemotePlace;
import dev.retier.fabric.directory.Action;
import dev.retier.fabric.directory.RegionAnswer;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.link.NodeId;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Copies parts of another node into this one's memory, by reads that land where the bytes belong. Stateless. */
final class Copier {
    private static final int READ_BYTES = 256 * 1024;
    private static final int READS = 8;

    private Copier() {}

    /** Blocks until all is copied, or the connection is done with every read. */
    static RegionAnswer copy(Fabric fabric, PartMemory memory, NodeId from, List<Action.Piece> pieces) {
        Optional<PeerLink> link = fabric.link(from);
        if (link.isEmpty()) {
            return new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, from + " is not connected");
        }
        for (Action.Piece piece : pieces) {
            Optional<MemorySegment> target = memory.memory(piece.target());
            if (target.isEmpty() || target.get().byteSize() < piece.lengthBytes()) {
                return new RegionAnswer.Refused(RegionFailure.MALFORMED, "no memory for " + piece);
            }
            Optional<String> failure = copy(link.get(), piece, target.get());
            if (failure.isPresent()) {
                return new RegionAnswer.Refused(RegionFailure.NODE_UNREACHABLE, from + ": " + failure.get());
            }
        }
        return new RegionAnswer.Done();
    }

    private static Optional<String> copy(PeerLink link, Action.Piece piece, MemorySegment target) {
        RemotePlace source =
                new RemotePlace(piece.source().address(), piece.source().key());
        Queue<CompletableFuture<OpOutcome>> reads = new ArrayDeque<>();
        Optional<String> failure = Optional.empty();
        try (Registration sink = link.register(target, Set.of(MemoryAccess.LOCAL_WRITE))) {
            for (long at = 0; at < piece.lengthBytes() && failure.isEmpty(); at += READ_BYTES) {
                int bytes = (int) Math.min(READ_BYTES, piece.lengthBytes() - at);
                List<OneSided.Piece> into = List.of(new OneSided.Piece(sink, at, bytes));
                reads.add(link.post(new OneSided.Read(source.plus(at), into)));
                if (reads.size() >= READS) {
                    failure = failureOf(reads.remove());
                }
            }
            for (CompletableFuture<OpOutcome> read : reads) {
                Optional<String> late = failureOf(read);
                failure = failure.isPresent() ? failure : late;
            }
        } catch (IOException over) {
            return Optional.of(String.valueOf(over.getMessage()));
        }
        return failure;
    }

    private static Optional<String> failureOf(CompletableFuture<OpOutcome> read) {
        return switch (read.join()) {
            case OpOutcome.Done _ -> Optional.empty();
            case OpOutcome.NotDone(String reason) -> Optional.of(reason);
            case OpOutcome.Unknown(String reason) -> Optional.of(reason);
        };
    }
}
