package dev.retier.cli;

import java.lang.reflect.Proxy;

/**
 * Signals that do not end a process. The JDK has them in {@code sun.misc} alone, of whose use the compiler warns
 * without remedy: hence reflection.
 */
public final class ProcessSignal {
    private ProcessSignal() {}

    /**
     * Runs {@code action} on a thread of the JVM's each time the process gets the signal.
     *
     * @param name as {@code HUP}
     */
    @SuppressWarnings("ReferenceEquality") // a handler equals itself alone
    public static void on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object obey = Proxy.newProxyInstance(
                    ProcessSignal.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                            return null;
                        }
                        return switch (method.getName()) {
                            case "equals" -> proxy == arguments[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> "SIG" + name + " of retier";
                        };
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), obey);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM offers no SIG" + name + "; run on a JDK with sun.misc.Signal", e);
        }
    }
}
