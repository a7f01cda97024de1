package dev.retier.volume.gateway;

import dev.retier.volume.Volume;
import dev.retier.volume.VolumeName;
import dev.retier.volume.nbd.NbdError;
import dev.retier.volume.nbd.NbdReply;
import dev.retier.volume.nbd.NbdRequest;
import dev.retier.volume.nbd.NbdRequest.Command;
import dev.retier.volume.nbd.Negotiation;
import dev.retier.volume.nbd.Negotiation.Agreed;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client of a gateway: one thread reads its requests, and each request has a thread of its own. */
final class NbdConnection {
    private static final Logger LOG = LoggerFactory.getLogger(NbdGateway.class);

    private static final int MOST_UNDER_WAY = 64;
    /** Of what is told by one answer. */
    private static final long MOST_EXTENT_BYTES = 64L << 20;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 20).asReadOnlyBuffer();

    private final SocketChannel channel;
    private final NbdGateway gateway;
    private final ReentrantLock answering = new ReentrantLock();
    private final Semaphore places = new Semaphore(MOST_UNDER_WAY);
    private final Thread thread;

    NbdConnection(SocketChannel channel, NbdGateway gateway) {
        this.channel = channel;
        this.gateway = gateway;
        this.thread = Thread.ofVirtual().name("retier-nbd").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try (channel) {
            Optional<Agreed> agreed = negotiate();
            if (agreed.isPresent()) {
                Volume volume = gateway.volume(agreed.get().export().name()).orElseThrow();
                gateway.awaitQuiet();
                try {
                    serve(agreed.get(), volume);
                } finally {
                    finish();
                }
            }
        } catch (IOException e) {
            LOG.debug("a client of NBD has left", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            gateway.ended(this);
        }
    }

    /** What has begun is done, and answered if the client still listens, before anybody else is served. */
    private void finish() {
        gateway.finishing();
        places.acquireUninterruptibly(MOST_UNDER_WAY);
        gateway.finished();
    }

    /** It ends at its next request, or in one that it waits for; returns once all that it had begun is done. */
    void close() throws IOException, InterruptedException {
        channel.close();
        thread.join();
    }

    private ByteBuffer read(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException();
            }
        }
        return into.flip();
    }

    private void write(ByteBuffer... parts) throws IOException {
        answering.lock();
        try {
            long left = 0;
            for (ByteBuffer part : parts) {
                left += part.remaining();
            }
            while (left > 0) {
                left -= channel.write(parts);
            }
        } finally {
            answering.unlock();
        }
    }

    private Optional<Agreed> negotiate() throws IOException {
        Negotiation negotiation = new Negotiation(
                gateway.volumes().keySet().stream()
                        .sorted()
                        .map(VolumeName::value)
                        .toList(),
                gateway::export);
        write(Negotiation.greeting());
        while (!negotiation.isOver()) {
            write(negotiation.take(read(ByteBuffer.allocate(negotiation.wanted()))));
        }
        return negotiation.agreed();
    }

    private void serve(Agreed agreed, Volume volume) throws IOException, InterruptedException {
        ByteBuffer head = ByteBuffer.allocate(NbdRequest.BYTES);
        while (true) {
            Optional<NbdRequest> next = NbdRequest.parse(read(head.clear()));
            if (next.isEmpty() || next.get().command().equals(Optional.of(Command.DISCONNECT))) {
                return;
            }
            NbdRequest request = next.get();
            Optional<NbdError> refusal = request.refusal(agreed);
            if (refusal.isPresent()) {
                skip(request.bytesAfter());
                write(NbdReply.error(
                        request, refusal.get(), "not in this export, or not by it", agreed.areRepliesStructured()));
                continue;
            }
            places.acquire();
            boolean isBegun = false;
            try {
                begin(agreed, volume, request);
                isBegun = true;
            } finally {
                if (!isBegun) {
                    places.release();
                }
            }
        }
    }

    private void begin(Agreed agreed, Volume volume, NbdRequest request) throws IOException, InterruptedException {
        Buffers.Piece data = gateway.buffers().take(bytes(request));
        try {
            if (request.bytesAfter() > 0) {
                read(data.bytes());
            }
            Thread.ofVirtual().name("retier-nbd-request").start(() -> answer(agreed, volume, request, data));
        } catch (IOException e) {
            data.close();
            throw e;
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
            read(scratch.clear().limit(count));
            left -= count;
        }
    }

    private void answer(Agreed agreed, Volume volume, NbdRequest request, Buffers.Piece data) {
        boolean isStructured = agreed.areRepliesStructured();
        try (data) {
            ByteBuffer[] answer;
            try {
                answer = answer(volume, request, data.bytes(), isStructured);
            } catch (IOException | RuntimeException e) {
                LOG.warn("{}: {} at {}: {}", agreed.export().name(), request.command(), request.offset(), e.toString());
                // The volume may have become smaller since the client opened it.
                NbdError error = e instanceof IllegalArgumentException ? NbdError.INVALID : NbdError.IO;
                answer =
                        new ByteBuffer[] {NbdReply.error(request, error, String.valueOf(e.getMessage()), isStructured)};
            }
            write(answer);
        } catch (IOException e) {
            LOG.debug("a client of NBD has left before it was answered", e);
        } finally {
            places.release();
        }
    }

    private static ByteBuffer[] answer(Volume volume, NbdRequest request, ByteBuffer data, boolean isStructured)
            throws IOException {
        long length = Integer.toUnsignedLong(request.length());
        Set<Volume.Option> options = request.isForced() ? Set.of(Volume.Option.FORCED) : Set.of();
        switch (request.command().orElseThrow()) {
            case READ -> {
                volume.read(request.offset(), data);
                return new ByteBuffer[] {NbdReply.data(request, isStructured), data.flip()};
            }
            case WRITE -> volume.write(request.offset(), data, options);
            case WRITE_ZEROES -> {
                if (request.isWithoutHole()) {
                    writeZeros(volume, request.offset(), length, options);
                } else {
                    volume.zero(request.offset(), length, options);
                }
            }
            case TRIM -> volume.discard(request.offset(), length, options);
            case FLUSH -> volume.flush();
            case BLOCK_STATUS -> {
                return new ByteBuffer[] {extents(volume, request, length)};
            }
            case CACHE, DISCONNECT -> throw new IllegalArgumentException(request.command() + " is not carried out");
        }
        return new ByteBuffer[] {NbdReply.done(request, isStructured)};
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
