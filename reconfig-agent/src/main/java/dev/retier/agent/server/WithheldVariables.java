package dev.retier.agent.server;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Variables of this process's environment that no command inherits, above all the one with the cluster secret. One set
 * for the process, as there is one environment. Thread-safe.
 */
public final class WithheldVariables {
    private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();

    private WithheldVariables() {}

    /** From now on no command inherits {@code name}. */
    public static void withhold(String name) {
        NAMES.add(name);
    }

    static void removeFrom(Map<String, String> environment) {
        environment.keySet().removeAll(NAMES);
    }
}
