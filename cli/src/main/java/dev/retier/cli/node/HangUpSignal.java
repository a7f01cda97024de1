package dev.retier.cli.node;

import java.lang.reflect.Proxy;

/**
 * SIGHUP. The JDK has it in {@code sun.misc} alone, of whose use the compiler warns without remedy: hence reflection.
 */
final class HangUpSignal {
    private HangUpSignal() {}

    /** Runs {@code action} on a thread of the JVM's each time the process is told to hang up. */
    @SuppressWarnings("ReferenceEquality") // a handler equals itself alone
    static void onHangUp(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object obey = Proxy.newProxyInstance(
                    HangUpSignal.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                            return null;
                        }
                        return switch (method.getName()) {
                            case "equals" -> proxy == arguments[0];
                            case "hashCode" -> System.identityHashCode(proxy);
                            default -> "SIGHUP of retier";
                        };
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), obey);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM offers no SIGHUP; run on a JDK with sun.misc.Signal", e);
        }
    }
}
