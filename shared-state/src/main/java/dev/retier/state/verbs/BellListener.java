package dev.retier.state.verbs;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPostRecv;
import dev.retier.link.Connection;
import dev.retier.link.LinkHost;
import dev.retier.link.NodeId;
import dev.retier.link.QueuePair;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Hears the bells of a member that sees this node: each is the immediate of a write of its announcement word, which is
 * in place by then. Called on the completion thread.
 */
final class BellListener implements Connection {
    /** Receives posted: as many as a peer rings unanswered, and as many again for what a connection just lost rang. */
    static final int BELLS = 2 * Session.BELLS;

    private final NodeId peer;
    private final Announcements announcements;
    private final long receiveId;
    private final SVCPostRecv listen;
    private final QueuePair pair;
    private final Consumer<String> onBroken;
    /** Owned by the completion thread. */
    private long answered;

    private BellListener(LinkHost.Ready ready, Announcements announcements) throws IOException {
        this.peer = ready.peer().node();
        this.announcements = announcements;
        this.receiveId = ready.completions().nextId();
        this.listen = ready.pair().immediateReceive(receiveId);
        this.pair = ready.pair();
        this.onBroken = ready.onBroken();
    }

    /** Listens on a connection until it ends. */
    static BellListener start(LinkHost.Ready ready, Announcements announcements) throws IOException {
        BellListener listener = new BellListener(ready, announcements);
        ready.completions().expectEach(listener.receiveId, listener::ended);
        for (int i = 0; i < BELLS; i++) {
            listener.listen.execute();
        }
        return listener;
    }

    private void ended(boolean success, IbvWC work) {
        if (!success) {
            pair.heardOut(work);
            onBroken.accept("the connection broke");
            return;
        }
        try {
            listen.execute();
        } catch (IOException failed) {
            onBroken.accept(String.valueOf(failed.getMessage()));
        }
        immediate(0);
    }

    /** Whatever the value says, the word that was written before it counts. */
    @Override
    public void immediate(int value) {
        announcements.answered(peer, ++answered);
        announcements.glance();
    }

    @Override
    public void abort(String reason) {
        pair.forgetReceives(receiveId);
    }
}
