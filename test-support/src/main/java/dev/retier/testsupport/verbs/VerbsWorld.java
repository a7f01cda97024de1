package dev.retier.testsupport.verbs;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaProvider;
import dev.retier.verbs.NoDeviceException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** All nodes of one test, what is under way between them, and what is to go wrong. Thread-safe. */
public final class VerbsWorld {
    private static final int FIRST_PORT = 40_000;

    final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final MemoryProvider provider = new MemoryProvider(this);
    private final Map<InetSocketAddress, MemoryCmId> listeners = new HashMap<>();
    private final Map<Integer, MemoryMr> regions = new HashMap<>();
    private final Map<String, Failure> failures = new HashMap<>();
    private final Map<String, Integer> calls = new HashMap<>();
    private final Map<String, EventType> answers = new HashMap<>();
    private final Map<String, Integer> live = new TreeMap<>();
    private final List<Delivery> waiting = new ArrayList<>();
    private final List<MemoryCq.Entry> completions = new ArrayList<>();
    private final Set<MemoryQp> pairs = new HashSet<>();
    private final Set<SocketAddress> sources = new HashSet<>();
    private final Set<Kind> held = EnumSet.noneOf(Kind.class);
    private boolean completionsHeld;
    private boolean mayWait;
    private boolean hasAtomics = true;
    private boolean hasImmediates = true;
    private boolean excludesProcessors = true;
    private int completionQueueLimit = Integer.MAX_VALUE;
    private int elementLimit = Integer.MAX_VALUE;
    private int readElementLimit = Integer.MAX_VALUE;
    private int lastNumber = FIRST_PORT;
    private IntConsumer waits = _ -> {};
    private InetAddress source = InetAddress.getLoopbackAddress();

    /** Something that will happen at the other end. */
    record Delivery(Kind kind, Runnable action) {}

    private record Failure(int times, Throwable with) {}

    /** An empty world that delivers at once and fails nowhere. */
    public VerbsWorld() {}

    /** For {@code Providers.install}. */
    public RdmaProvider provider() {
        return provider;
    }

    /** What is of one of {@code kinds} waits from now on, until {@link #release}. */
    public void hold(Kind... kinds) {
        locked(() -> held.addAll(List.of(kinds)));
    }

    /** How much waits. */
    public int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Delivers the one that waits at {@code index}, and goes on holding. */
    public void release(int index) {
        locked(() -> waiting.remove(index).action().run());
    }

    /** Delivers all that waits, in order, and holds no more. */
    public void release() {
        locked(() -> {
            held.clear();
            while (!waiting.isEmpty()) {
                waiting.removeFirst().action().run();
            }
        });
    }

    /** What waits never comes. */
    public void dropWaiting() {
        locked(waiting::clear);
    }

    /** Whether work that is done tells so from now on only when {@linkplain #releaseCompletions told to}. */
    public void holdCompletions(boolean hold) {
        locked(() -> completionsHeld = hold);
    }

    /** Puts the completions that were held into their queues; the last one first if {@code reversed}. */
    public void releaseCompletions(boolean reversed) {
        locked(() -> {
            if (reversed) {
                Collections.reverse(completions);
            }
            completions.forEach(entry -> entry.queue().add(entry));
            completions.clear();
            news.signalAll();
        });
    }

    /** Ends the connection; both ends are told. The other one has sent a Terminate that begins so, unless it is 0. */
    public void lose(IbvQP pair, int terminateWord) {
        locked(() -> ((MemoryQp) pair).end(terminateWord, true));
    }

    /** As {@link #lose(IbvQP, int)}, as if a cable had been pulled and put back. */
    public void lose(IbvQP pair) {
        lose(pair, 0);
    }

    /** The device of who listens there goes away, as when its driver is unloaded; who listens is told. */
    public void removeDevice(InetSocketAddress address) {
        locked(() -> Objects.requireNonNull(listeners.get(address), () -> "nobody listens at " + address)
                .raise(EventType.RDMA_CM_EVENT_DEVICE_REMOVAL, new byte[0]));
    }

    /** Loses all that is sent on the connection of {@code pair} from now on, and tells nobody. */
    public void cut(IbvQP pair) {
        locked(() -> ((MemoryQp) pair).cut());
    }

    /** The next {@code times} calls of that name in DiSNI's RdmaCm, RdmaVerbs or a stateful call throw. */
    public void fail(String call, int times) {
        fail(call, times, new IOException(call + " failed as planned"));
    }

    /** How many calls of that name there have been. */
    public int calls(String call) {
        lock.lock();
        try {
            return calls.getOrDefault(call, 0);
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #fail(String, int)}, with that {@link IOException}, {@link RuntimeException} or {@link Error}. */
    public void fail(String call, int times, Throwable with) {
        locked(() -> failures.put(call, new Failure(times, with)));
    }

    /** The next call of that name in RdmaCm, which resolves or connects, is answered by {@code event}. */
    public void answer(String call, EventType event) {
        locked(() -> answers.put(call, event));
    }

    /** Tells {@code waits} from now on how many milliseconds each call for an event of RdmaCm is ready to wait. */
    public void onWait(IntConsumer waits) {
        locked(() -> this.waits = waits);
    }

    /** How many entries a completion queue may have; a request for more fails. */
    public void limitCompletionQueue(int entries) {
        locked(() -> completionQueueLimit = entries);
    }

    /** How many scatter/gather elements a work request may have, and how many an RDMA read; asked, not enforced. */
    public void limitElements(int any, int read) {
        locked(() -> {
            elementLimit = any;
            readElementLimit = read;
        });
    }

    /**
     * What atomics the devices have that are opened from now on.
     *
     * @param has whether there are any; else they are refused
     * @param exclude whether they say that they exclude those of the processors
     */
    public void atomics(boolean has, boolean exclude) {
        locked(() -> {
            hasAtomics = has;
            excludesProcessors = exclude;
        });
    }

    /** Whether the devices have writes with immediate data that are opened from now on. */
    public void immediates(boolean has) {
        locked(() -> hasImmediates = has);
    }

    /** Whether calls that wait for an event may do so in real time, for drivers that have threads. */
    public void letWait(boolean may) {
        locked(() -> mayWait = may);
    }

    /** From where identifiers that are made from now on connect; digits, since no name is looked up. */
    public void sourceAddress(String address) {
        locked(() -> {
            try {
                source = InetAddress.getByName(address);
            } catch (UnknownHostException impossible) {
                throw new IllegalArgumentException(address + " is no address", impossible);
            }
        });
    }

    /** From which addresses connections were to be made, where somebody said so; what comes of it is not changed. */
    public Set<SocketAddress> sourcesAskedFor() {
        lock.lock();
        try {
            return Set.copyOf(sources);
        } finally {
            lock.unlock();
        }
    }

    /** Open objects by the call that made them, those without any left out. */
    public Map<String, Integer> live() {
        lock.lock();
        try {
            return Map.copyOf(live);
        } finally {
            lock.unlock();
        }
    }

    /** The end of the connection that stands from who listens at {@code from} to who does at {@code to}. */
    public IbvQP pair(InetSocketAddress from, InetSocketAddress to) {
        lock.lock();
        try {
            MemoryCmId asking = Objects.requireNonNull(listeners.get(from), () -> "nobody listens at " + from);
            return pairs.stream()
                    .filter(pair -> pair.isConnected() && pair.isBetween(asking, to))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no connection from " + from + " to " + to));
        } finally {
            lock.unlock();
        }
    }

    /** How many connection requests have been answered by a queue pair, and are not over: those that stand. */
    public int openPairs() {
        return live().getOrDefault("createQP", 0);
    }

    // What follows is for the classes of this package, which hold the lock.

    void check(String call) throws IOException {
        calls.merge(call, 1, Integer::sum);
        Failure failure = failures.get(call);
        if (failure == null) {
            return;
        }
        if (failure.times() == 1) {
            failures.remove(call);
        } else {
            failures.put(call, new Failure(failure.times() - 1, failure.with()));
        }
        if (failure.with() instanceof Error error) {
            throw error;
        }
        if (failure.with() instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure.with() instanceof NoDeviceException) {
            throw new NoDeviceException(String.valueOf(failure.with().getMessage()), failure.with());
        }
        throw new IOException(failure.with().getMessage(), failure.with());
    }

    @Nullable
    EventType takeAnswer(String call) {
        return answers.remove(call);
    }

    void asked(@Nullable SocketAddress source) {
        if (source != null) {
            sources.add(source);
        }
    }

    void waits(int timeoutMillis) {
        waits.accept(timeoutMillis);
    }

    void opened(String call) {
        live.merge(call, 1, Integer::sum);
    }

    void closed(String call) {
        live.computeIfPresent(call, (_, count) -> count == 1 ? null : count - 1);
    }

    void deliver(Kind kind, Runnable action) {
        if (held.contains(kind)) {
            waiting.add(new Delivery(kind, action));
        } else {
            action.run();
        }
    }

    void complete(MemoryCq.Entry entry) {
        if (completionsHeld) {
            completions.add(entry);
        } else {
            entry.queue().add(entry);
            news.signalAll();
        }
    }

    void wake() {
        news.signalAll();
    }

    /** Waits for {@code there}, in real time if that is allowed. */
    boolean await(BooleanSupplier there, int timeoutMillis) throws IOException {
        long left = mayWait ? TimeUnit.MILLISECONDS.toNanos(timeoutMillis < 0 ? Integer.MAX_VALUE : timeoutMillis) : 0;
        try {
            while (!there.getAsBoolean() && left > 0) {
                left = news.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for an event", interrupted);
        }
        return there.getAsBoolean();
    }

    Map<InetSocketAddress, MemoryCmId> listeners() {
        return listeners;
    }

    Set<MemoryQp> pairs() {
        return pairs;
    }

    Map<Integer, MemoryMr> regions() {
        return regions;
    }

    int nextNumber() {
        return ++lastNumber;
    }

    InetSocketAddress nextSource() {
        return new InetSocketAddress(source, 1 + nextNumber() % 0xFFFF);
    }

    int completionQueueLimit() {
        return completionQueueLimit;
    }

    int elementLimit() {
        return elementLimit;
    }

    int readElementLimit() {
        return readElementLimit;
    }

    boolean hasImmediates() {
        return hasImmediates;
    }

    boolean hasAtomics() {
        return hasAtomics;
    }

    boolean excludesProcessors() {
        return excludesProcessors;
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
