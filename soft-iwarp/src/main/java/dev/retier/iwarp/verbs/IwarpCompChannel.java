package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvCompChannel;
import dev.retier.iwarp.net.CompletionChannel;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A completion channel. */
final class IwarpCompChannel extends IbvCompChannel {
    private static final AtomicInteger NEXT_NUMBER = new AtomicInteger(1);

    private final CompletionChannel events = new CompletionChannel();

    IwarpCompChannel(IwarpContext context) throws IOException {
        super(NEXT_NUMBER.getAndIncrement(), context);
    }

    CompletionChannel events() {
        return events;
    }
}
