package dev.retier.agent.server;

import dev.retier.agent.config.SecretSource;
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
    static void withhold(String name) {
        NAMES.add(name);
    }

    /** From now on no command inherits the variable that {@code secret} is in, if it is in one. */
    public static void withhold(SecretSource secret) {
        if (secret instanceof SecretSource.InEnvironment(String variable)) {
            withhold(variable);
        }
    }

    /** Takes them out of what a child of this process is to get. */
    public static void removeFrom(Map<String, String> environment) {
        environment.keySet().removeAll(NAMES);
    }
}
