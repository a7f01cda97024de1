package dev.retier.volume.gateway;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.Volume;
import dev.retier.volume.Volume.Task;
import dev.retier.volume.VolumeName;
import dev.retier.volume.nbd.NbdError;
import dev.retier.volume.nbd.NbdReply;
import dev.retier.volume.nbd.NbdRequest;
import dev.retier.volume.nbd.NbdRequest.Command;
import dev.retier.volume.nbd.Negotiation;
import dev.retier.volume.nbd.Negotiation.Agreed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of a gateway: one thread reads its requests and begins them, those together that have come together; who
 * learns how they ended tells it. What takes several steps has a thread of its own.
 */
final class NbdConnection {
    private static final Logger LOG = LoggerFactory.getLogger(NbdGateway.class);

    private static final int MOST_UNDER_WAY = 64;
    /** Of what is told by one answer. */
    private static final long MOST_EXTENT_BYTES = 64L << 20;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 20).asReadOnlyBuffer();

    private final NbdSocket socket;
    private final NbdGateway gateway;
    private final Progress asking = new Progress();
    private final Progress listening = new Progress();
    private final NbdInput input;
    private final Semaphore places = new Semaphore(MOST_UNDER_WAY);
    private final Buffers.Share share = new Buffers.Share();
    private final Thread thread;

    NbdConnection(NbdSocket socket, NbdGateway gateway) {
        this.socket = socket;
        this.gateway = gateway;
        this.input = new NbdInput(socket, asking);
        this.thread = Thread.ofPlatform().name("retier-nbd").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Of one that was not started. */
    void discard() throws IOException {
        socket.close();
    }

    private void run() {
        try (socket) {
            Optional<Agreed> agreed = negotiate();
            if (agreed.isPresent()) {
                Volume volume = gateway.volume(agreed.get().export().name()).orElseThrow();
                gateway.awaitQuiet(volume);
                NbdOutput output = new NbdOutput(socket, volume::afterwards, listening);
                try {
                    serve(new Served(volume, agreed.get(), output));
                } finally {
                    volume.go();
                    finish(volume, output);
                }
            }
        } catch (IOException | ClosedSelectorException e) {
            LOG.debug("a client of NBD has left", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            gateway.ended(this);
        }
    }

    /** What has begun is done, and answered if the client still listens, before anybody else is served. */
    private void finish(Volume volume, NbdOutput output) {
        asking.over();
        gateway.finishing(volume);
        places.acquireUninterruptibly(MOST_UNDER_WAY);
        output.close();
        gateway.finished(volume);
    }

    /** For so long this process was stopped. */
    void pardon(long nanos) {
        asking.pardon(nanos);
        listening.pardon(nanos);
    }

    /** Ends it if the client has stopped in the middle of a request, or takes no answers, for longer than that. */
    void endIfStalled(long nowNanos, long mostNanos) {
        boolean isAsking = asking.isStalled(nowNanos, mostNanos);
        if (!isAsking && !listening.isStalled(nowNanos, mostNanos)) {
            return;
        }
        asking.over();
        listening.over();
        LOG.warn(
                "{}: a client {} for {} s, and loses its connection",
                gateway.socket(),
                isAsking ? "has stopped in the middle of a request" : "has taken too little of its answers",
                TimeUnit.NANOSECONDS.toSeconds(mostNanos));
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("a client of NBD could not be left", e);
        }
    }

    /** It ends at its next request, or in one that it waits for; returns once all that it had begun is done. */
    void close() throws IOException, InterruptedException {
        socket.close();
        thread.join();
    }

    private Optional<Agreed> negotiate() throws IOException {
        Negotiation negotiation = new Negotiation(
                gateway.volumes().keySet().stream()
                        .sorted()
                        .map(VolumeName::value)
                        .toList(),
                gateway::export);
        socket.writeAll(Negotiation.greeting());
        while (!negotiation.isOver()) {
            socket.writeAll(negotiation.take(input.read(ByteBuffer.allocate(negotiation.wanted()))));
        }
        return negotiation.agreed();
    }

    /** What the client uses, and where it is told of that. */
    private record Served(Volume volume, Agreed agreed, NbdOutput output) {
        ByteBuffer error(NbdRequest request, NbdError error, @Nullable String why) {
            return NbdReply.error(request, error, String.valueOf(why), agreed.areRepliesStructured());
        }
    }

    private void serve(Served served) throws IOException, InterruptedException {
        ByteBuffer head = ByteBuffer.allocate(NbdRequest.BYTES);
        while (true) {
            if (!input.has(NbdRequest.BYTES)) {
                served.volume.go();
            }
            Optional<NbdRequest> next = NbdRequest.parse(input.read(head.clear()));
            if (next.isEmpty() || next.get().command().equals(Optional.of(Command.DISCONNECT))) {
                return;
            }
            NbdRequest request = next.get();
            Optional<NbdError> refusal = request.refusal(served.agreed);
            if (refusal.isPresent()) {
                skip(request.bytesAfter());
                ByteBuffer answer = served.error(request, refusal.get(), "not in this export, or not by it");
                served.output.tell(List.of(answer), () -> {});
            } else {
                begin(served, request);
            }
        }
    }

    private void begin(Served served, NbdRequest request) throws IOException, InterruptedException {
        if (!places.tryAcquire()) {
            served.volume.go();
            places.acquire();
        }
        boolean isBegun = false;
        try {
            Buffers.Piece data = gateway.buffers().take(bytes(request), share, served.volume::go);
            try {
                if (request.bytesAfter() > 0) {
                    if (!input.has(request.length())) {
                        served.volume.go();
                    }
                    input.readRest(data.bytes());
                }
                begin(served, request, data);
                isBegun = true;
            } finally {
                if (!isBegun) {
                    data.close();
                }
            }
        } finally {
            if (!isBegun) {
                places.release();
            }
        }
    }

    /** Of the request's data, either way. */
    private static int bytes(NbdRequest request) {
        Command command = request.command().orElseThrow();
        return command == Command.READ || command == Command.WRITE ? request.length() : 0;
    }

    private void skip(long bytes) throws IOException {
        ByteBuffer scratch = ByteBuffer.allocate(1 << 16);
        for (long left = bytes; left > 0; ) {
            int count = (int) Math.min(left, scratch.capacity());
            input.readRest(scratch.clear().limit(count));
            left -= count;
        }
    }

    private void begin(Served served, NbdRequest request, Buffers.Piece data) {
        boolean isStructured = served.agreed.areRepliesStructured();
        switch (request.command().orElseThrow()) {
            case READ ->
                begin(
                        served,
                        request,
                        data,
                        new Task.Read(request.offset(), data.bytes()),
                        () -> List.of(
                                NbdReply.data(request, isStructured),
                                data.bytes().rewind()));
            case WRITE ->
                begin(
                        served,
                        request,
                        data,
                        new Task.Write(request.offset(), data.bytes(), options(request)),
                        () -> List.of(NbdReply.done(request, isStructured)));
            case FLUSH ->
                begin(served, request, data, new Task.Flush(), () -> List.of(NbdReply.done(request, isStructured)));
            case WRITE_ZEROES, TRIM, BLOCK_STATUS, CACHE, DISCONNECT ->
                Thread.ofVirtual().name("retier-nbd-request").start(() -> {
                    try {
                        ended(served, data, List.of(answer(served, request)));
                    } catch (IOException | RuntimeException failed) {
                        failed(served, request, data, failed);
                    }
                });
        }
    }

    private void begin(
            Served served, NbdRequest request, Buffers.Piece data, Task task, Supplier<List<ByteBuffer>> answer) {
        try {
            served.volume.begin(task, failure -> {
                if (failure == null) {
                    ended(served, data, answer.get());
                } else {
                    failed(served, request, data, failure);
                }
            });
        } catch (IOException | RuntimeException refused) {
            failed(served, request, data, refused);
        }
    }

    private void failed(Served served, NbdRequest request, Buffers.Piece data, Exception why) {
        LOG.warn(
                "{}: {} at {}: {}", served.agreed.export().name(), request.command(), request.offset(), why.toString());
        // The volume may have become smaller since the client opened it.
        NbdError error = NbdError.IO;
        if (isOf(why, IllegalArgumentException.class)) {
            error = NbdError.INVALID;
        } else if (isOf(why, NoSpaceException.class)) {
            error = NbdError.NO_SPACE;
        }
        ended(served, data, List.of(served.error(request, error, why.getMessage())));
    }

    private static boolean isOf(Exception why, Class<? extends Exception> kind) {
        return kind.isInstance(why) || kind.isInstance(why.getCause());
    }

    private void ended(Served served, Buffers.Piece data, List<ByteBuffer> answer) {
        served.output.tell(answer, () -> {
            data.close();
            places.release();
        });
    }

    private static Set<Volume.Option> options(NbdRequest request) {
        return request.isForced() ? Set.of(Volume.Option.FORCED) : Set.of();
    }

    private static ByteBuffer answer(Served served, NbdRequest request) throws IOException {
        long length = Integer.toUnsignedLong(request.length());
        switch (request.command().orElseThrow()) {
            case WRITE_ZEROES -> {
                if (request.isWithoutHole()) {
                    writeZeros(served.volume, request.offset(), length, options(request));
                } else {
                    served.volume.zero(request.offset(), length, options(request));
                }
            }
            case TRIM -> served.volume.discard(request.offset(), length, options(request));
            case BLOCK_STATUS -> {
                return extents(served.volume, request, length);
            }
            case CACHE -> served.volume.hint(request.offset(), length, Volume.Hint.WILL_NEED);
            case READ, WRITE, FLUSH, DISCONNECT ->
                throw new IllegalArgumentException(request.command() + " is not carried out here");
        }
        return NbdReply.done(request, served.agreed.areRepliesStructured());
    }

    private static void writeZeros(Volume volume, long offset, long length, Set<Volume.Option> options)
            throws IOException {
        for (long done = 0; done < length; ) {
            int count = (int) Math.min(ZEROS.capacity(), length - done);
            boolean isLast = done + count == length; // which brings those before it to the disk as well
            volume.write(offset + done, ZEROS.duplicate().limit(count), isLast ? options : Set.of());
            done += count;
        }
    }

    private static ByteBuffer extents(Volume volume, NbdRequest request, long length) throws IOException {
        var extents = volume.extents(request.offset(), Math.min(length, MOST_EXTENT_BYTES));
        return NbdReply.extents(request, request.isOfOneExtent() ? extents.subList(0, 1) : extents);
    }
}
