package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPostRecv;
import dev.retier.link.Connection;
import dev.retier.link.LinkHost;
import java.io.IOException;

/**
 * Hears what a member that sees this node announces: each announcement is a Send without a byte. A member of version 2
 * announces by a write with an immediate instead, which takes a receive likewise. Called on the completion thread.
 */
final class AnnouncementListener implements Connection {
    /**
     * Receives posted. A peer that announces more often while this node's process stands still loses the connection,
     * and makes another.
     */
    static final int RECEIVES = 64;

    private final LinkHost.Ready ready;
    private final Announcements announcements;
    private final long receiveId;
    private final SVCPostRecv receive;

    /** Listens on a connection until it ends. */
    AnnouncementListener(LinkHost.Ready ready, Announcements announcements) throws IOException {
        this.ready = ready;
        this.announcements = announcements;
        this.receiveId = ready.completions().nextId();
        this.receive = ready.pair().emptyReceive(receiveId);
        ready.completions().expectEach(receiveId, this::ended);
        for (int i = 0; i < RECEIVES; i++) {
            receive.execute();
        }
    }

    private void ended(boolean success, IbvWC work) {
        if (!success) {
            ready.pair().heardOut(work);
            ready.onBroken().accept("the connection broke");
            return;
        }
        announcements.hear();
        try {
            receive.execute();
        } catch (IOException failed) {
            ready.onBroken().accept(String.valueOf(failed.getMessage()));
        }
    }

    @Override
    public void nudged() {
        announcements.hear();
    }

    @Override
    public void immediate(int value) {
        announcements.hear();
    }

    @Override
    public void abort(String reason) {
        ready.pair().forgetReceives(receiveId);
    }
}
