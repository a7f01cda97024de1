package dev.retier.load.drive;

import dev.retier.load.http.RequestHead;
import dev.retier.load.target.Target;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A target with all that is worked out once and not for each request; {@code serverName} is null when the target is
 * spoken to without TLS.
 */
record Destination(
        Target target,
        String name,
        List<InetSocketAddress> addresses,
        RequestHead head,
        @Nullable String serverName) {}
