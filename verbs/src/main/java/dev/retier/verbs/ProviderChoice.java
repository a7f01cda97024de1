package dev.retier.verbs;

import com.ibm.disni.verbs.RdmaProvider;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one choice of a process among some providers: which is used is what DiSNI holds. Safe for any thread. */
final class ProviderChoice {
    private static final Logger LOG = LoggerFactory.getLogger(ProviderChoice.class);

    private final Iterable<VerbsProvider> candidates;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by lock: what {@link #use} was asked for last and could not be had. */
    private @Nullable String lacking;

    /** Nothing chosen yet among {@code candidates}. */
    ProviderChoice(Iterable<VerbsProvider> candidates) {
        this.candidates = candidates;
    }

    /** The one in use; if there is none, {@code chosen}, but never in the place of what was asked for in vain. */
    RdmaProvider provider(String chosen) throws IOException {
        lock.lock();
        try {
            RdmaProvider given = Providers.installed();
            return given == null ? install(lacking == null ? chosen : lacking) : given;
        } finally {
            lock.unlock();
        }
    }

    /** Makes DiSNI use the provider {@code name}, unless it uses one of its already. */
    void use(String name) throws IOException {
        lock.lock();
        try {
            RdmaProvider given = Providers.installed();
            if (given == null) {
                lacking = name;
                install(name);
                lacking = null;
            } else if (!named(name).isMaker(given)) {
                throw new IOException("this process already uses " + words(given) + ", not the verbs provider " + name
                        + "; use one provider for all nodes");
            }
        } finally {
            lock.unlock();
        }
    }

    private RdmaProvider install(String name) throws IOException {
        VerbsProvider found = named(name);
        RdmaProvider opened = found.open();
        LOG.info("RDMA verbs by provider {}: {}", name, found.description());
        Providers.install(opened);
        return opened;
    }

    private String words(RdmaProvider given) {
        return byName().values().stream()
                .filter(candidate -> candidate.isMaker(given))
                .map(candidate -> "the verbs provider " + candidate.name())
                .findFirst()
                .orElseGet(() -> given.getClass().getName() + ", which something in it installed");
    }

    private VerbsProvider named(String name) throws IOException {
        Map<String, VerbsProvider> all = byName();
        VerbsProvider found = all.get(name);
        if (found == null) {
            throw new IOException("no verbs provider \"" + name + "\" on the class path; there are " + all.keySet());
        }
        return found;
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
