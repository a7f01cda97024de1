package dev.retier.verbs;

import com.ibm.disni.verbs.RdmaProvider;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one choice of a process among some providers. Safe for any thread. */
final class ProviderChoice {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderChoice.class);

    private final Iterable<VerbsProvider> candidates;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: what {@link #use} installed, and under which name. */
    private @Nullable RdmaProvider installed;
    /** Guarded by lock. */
    private String installedName = "";

    /** Nothing chosen yet among {@code candidates}. */
    ProviderChoice(Iterable<VerbsProvider> candidates) {
        this.candidates = candidates;
    }

    /** Opens the provider {@code name}. */
    RdmaProvider open(String name) throws IOException {
        Map<String, VerbsProvider> all = byName();
        VerbsProvider found = all.get(name);
        if (found == null) {
            throw new IOException("no verbs provider \"" + name + "\" on the class path; there are " + all.keySet());
        }
        RdmaProvider opened = found.open();
        LOG.info("RDMA verbs by provider {}: {}", name, found.description());
        return opened;
    }

    /** Makes DiSNI use the provider {@code name}, and looks whether it does. */
    void use(String name) throws IOException {
        lock.lock();
        try {
            RdmaProvider ours = installed;
            if (ours == null) {
                ours = open(name);
                Providers.install(ours);
                installed = ours;
                installedName = name;
            } else if (!installedName.equals(name)) {
                throw new IOException("this process already uses the verbs provider " + installedName + ", not " + name
                        + "; use one provider for all nodes");
            }
            Class<?> given = RdmaProvider.provider().getClass();
            if (!given.equals(ours.getClass())) {
                throw new IOException("DiSNI gives " + given.getName() + ", not the verbs provider " + name
                        + ": something else in this process installed its own");
            }
        } finally {
            lock.unlock();
        }
    }

    private Map<String, VerbsProvider> byName() {
        Map<String, VerbsProvider> found = new TreeMap<>();
        for (VerbsProvider provider : candidates) {
            VerbsProvider twin = found.putIfAbsent(provider.name(), provider);
            if (twin != null) {
                throw new IllegalStateException("two verbs providers are called " + provider.name() + ": "
                        + twin.getClass().getName() + " and "
                        + provider.getClass().getName() + "; leave one on the class path");
            }
        }
        return found;
    }
}
