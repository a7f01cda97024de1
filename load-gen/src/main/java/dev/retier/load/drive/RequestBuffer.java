package dev.retier.load.drive;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** The memory of one client's requests: the same for each, unless the last one is not written yet. On its loop. */
final class RequestBuffer {
    private static final int USUAL_REQUEST_BYTES = 256;

    private @Nullable ByteBuf last;

    /** Empty, with room for {@code lengthBytes}; whoever writes it retains it. */
    ByteBuf empty(Channel to, int lengthBytes) {
        ByteBuf known = last;
        if (known != null && known.refCnt() == 1 && known.capacity() >= lengthBytes) {
            return known.clear();
        }
        release();
        ByteBuf made = to.alloc().ioBuffer(Math.max(lengthBytes, USUAL_REQUEST_BYTES));
        last = made;
        return made;
    }

    /** Gives the memory back. */
    void release() {
        ByteBuf known = last;
        last = null;
        if (known != null) {
            known.release();
        }
    }
}
