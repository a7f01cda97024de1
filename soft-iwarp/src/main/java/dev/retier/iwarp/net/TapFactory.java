package dev.retier.iwarp.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Decides which connections are tapped. Safe for any thread. */
@FunctionalInterface
public interface TapFactory {
    /** Taps nothing. */
    TapFactory NONE = (_, _, _) -> null;

    /** The tap of a connection that enters full operation, or null. {@code initiator} says who sent the Request. */
    @Nullable
    Tap open(InetSocketAddress local, InetSocketAddress remote, boolean initiator);
}
