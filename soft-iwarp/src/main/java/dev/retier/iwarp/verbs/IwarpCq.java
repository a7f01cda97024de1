package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvCQ;
import dev.retier.iwarp.net.CompletionQueue;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A completion queue. */
final class IwarpCq extends IbvCQ {
    private static final AtomicInteger NEXT_HANDLE = new AtomicInteger(1);

    private final CompletionQueue queue;

    IwarpCq(IwarpContext context, @Nullable IwarpCompChannel channel, int entries) throws IOException {
        super(context, channel, NEXT_HANDLE.getAndIncrement());
        try {
            this.queue = context.device().newCompletionQueue(entries, channel == null ? null : channel.events());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        this.cqe = entries;
    }

    CompletionQueue queue() {
        return queue;
    }

    CompletionQueue requireOpen() throws IOException {
        if (!isOpen()) {
            throw new IOException("the completion queue was destroyed");
        }
        return queue;
    }
}
