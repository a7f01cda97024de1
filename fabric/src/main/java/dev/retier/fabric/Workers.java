package dev.retier.fabric;

import dev.retier.fabric.calls.Kind;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.PriorityGate;
import dev.retier.fabric.calls.ProtocolError;
import dev.retier.fabric.calls.Serving;
import dev.retier.fabric.calls.Status;
import dev.retier.link.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that run a node's functions, so that none of these can hold up the completion thread. Thread-safe. */
final class Workers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final byte[] NOTHING = {};

    /** Of the handlers that calls of low priority may have while there are others: a quarter, one at least. */
    private static final int LOW_SHARE = 4;

    private final int maxAnswerBytes;
    private final Map<Integer, Handler> functions = new ConcurrentHashMap<>();
    private final Set<Integer> inline = ConcurrentHashMap.newKeySet();
    /** Guarded by this. */
    private final Serving<Client> serving;
    /** Guarded by this. */
    private boolean open = true;

    /** Where calls come from and answers go. */
    interface Client extends Caller {
        void answer(Message answer);
    }

    Workers(NodeId self, FabricLimits limits) {
        int lowWhileBusy = Math.max(1, limits.handlers() / LOW_SHARE);
        this.serving =
                new Serving<>(limits.rings().messages(), new PriorityGate(lowWhileBusy, PriorityGate.BUSY_NANOS));
        this.maxAnswerBytes = limits.rings().bodyBytes();
        for (int i = 1; i <= limits.handlers(); i++) {
            Thread.ofPlatform()
                    .name("fabric-handler-" + self + "-" + i)
                    .daemon()
                    .start(this::work);
        }
    }

    void register(int function, Handler handler) {
        if (functions.putIfAbsent(Message.checked(function), handler) != null) {
            throw new IllegalStateException("function " + function + " is registered already");
        }
    }

    /** As {@link #register}; calls from other nodes run at once where they arrive, unless others wait. */
    void registerInline(int function, Handler handler) {
        register(function, handler);
        inline.add(function);
    }

    /** A call of this node. */
    synchronized void accept(Client client, Message call) throws ProtocolError {
        if (client.isOpen()) {
            serving.accept(client, call, System.nanoTime());
            notify();
        }
    }

    /** A call of another node has arrived on this thread, which holds no lock. */
    void arrived(Client client, Message call) throws ProtocolError {
        Optional<Serving.Job<Client>> now;
        synchronized (this) {
            if (!inline.contains(call.function()) || !serving.isIdle() || !client.isOpen()) {
                accept(client, call);
                return;
            }
            serving.accept(client, call, System.nanoTime());
            now = serving.next(System.nanoTime());
            if (now.isEmpty()) {
                notify();
            }
        }
        now.ifPresent(this::run);
    }

    synchronized void cancel(Client client, long call) {
        serving.cancel(client, call);
    }

    synchronized void gone(Client client) {
        serving.gone(client);
    }

    @Override
    public synchronized void close() {
        open = false;
        notifyAll();
    }

    private void work() {
        try {
            Optional<Serving.Job<Client>> turn = next();
            while (turn.isPresent()) {
                run(turn.get());
                // A function may have left it set; nobody interrupts these threads.
                boolean _ = Thread.interrupted();
                turn = next();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The next turn, waited for; nothing if this node is closed. */
    private synchronized Optional<Serving.Job<Client>> next() throws InterruptedException {
        Optional<Serving.Job<Client>> turn = serving.next(System.nanoTime());
        while (open && turn.isEmpty()) {
            wait(serving.isHoldingBack() ? TimeUnit.NANOSECONDS.toMillis(PriorityGate.BUSY_NANOS) : 0);
            turn = serving.next(System.nanoTime());
        }
        return open ? turn : Optional.empty();
    }

    private void run(Serving.Job<Client> job) {
        Handler handler = functions.get(job.call().function());
        Optional<Status> refusal = job.refusal(System.nanoTime());
        if (refusal.isPresent() || handler == null) {
            end(job, refusal.orElse(Status.NO_FUNCTION), NOTHING);
        } else if (job.call().kind() == Kind.ONE_WAY) {
            end(job, Status.DONE, NOTHING);
            try {
                handler.answer(new IncomingCall(job));
            } catch (RuntimeException | Error failed) {
                LOG.warn("function {} failed on a one-way call", job.call().function(), failed);
            }
        } else {
            answer(job, handler);
        }
    }

    private void answer(Serving.Job<Client> job, Handler handler) {
        byte[] answer;
        try {
            answer = handler.answer(new IncomingCall(job));
        } catch (RuntimeException | Error failed) {
            LOG.debug("function {} failed", job.call().function(), failed);
            byte[] reason = failed.toString().getBytes(StandardCharsets.UTF_8);
            end(job, Status.FAILED, Arrays.copyOf(reason, Math.min(reason.length, maxAnswerBytes)));
            return;
        }
        boolean fits = answer.length <= maxAnswerBytes;
        end(job, fits ? Status.DONE : Status.ANSWER_TOO_LONG, fits ? answer : NOTHING);
    }

    private void end(Serving.Job<Client> job, Status status, byte[] body) {
        synchronized (this) {
            serving.ended(job, System.nanoTime());
            if (serving.isHoldingBack()) {
                notify();
            }
        }
        job.client().answer(Message.answer(job.call().call(), job.call().priority(), status, body));
    }
}
