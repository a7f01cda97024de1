package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPostRecv;
import dev.retier.link.Connection;
import dev.retier.link.LinkHost;
import java.io.IOException;

/**
 * Hears the bells of a member that sees this node: each is the immediate of a write of its announcement word, which is
 * in place by then. Called on the completion thread.
 */
final class BellListener implements Connection {
    /** Receives posted: as many as a peer rings unanswered, and as many again for what a connection just lost rang. */
    static final int BELLS = 2 * Session.BELLS;

    private final LinkHost.Ready ready;
    private final Announcements announcements;
    private final long receiveId;
    private final SVCPostRecv listen;
    /** Owned by the completion thread. */
    private long answered;

    /** Listens on a connection until it ends. */
    BellListener(LinkHost.Ready ready, Announcements announcements) throws IOException {
        this.ready = ready;
        this.announcements = announcements;
        this.receiveId = ready.completions().nextId();
        this.listen = ready.pair().immediateReceive(receiveId);
        ready.completions().expectEach(receiveId, this::ended);
        for (int i = 0; i < BELLS; i++) {
            listen.execute();
        }
    }

    private void ended(boolean success, IbvWC work) {
        if (!success) {
            ready.pair().heardOut(work);
            ready.onBroken().accept("the connection broke");
            return;
        }
        try {
            listen.execute();
        } catch (IOException failed) {
            ready.onBroken().accept(String.valueOf(failed.getMessage()));
        }
        immediate(0);
    }

    /** Whatever the value says, the word that was written before it counts. */
    @Override
    public void immediate(int value) {
        announcements.answered(ready.peer().node(), ++answered);
        announcements.glance();
    }

    @Override
    public void abort(String reason) {
        ready.pair().forgetReceives(receiveId);
    }
}
