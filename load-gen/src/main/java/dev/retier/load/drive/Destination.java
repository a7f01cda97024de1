package dev.retier.load.drive;

import dev.retier.load.http.RequestHead;
import dev.retier.load.target.Target;
import java.net.InetSocketAddress;

/** A target with all that is worked out once and not for each request. */
record Destination(Target target, String name, InetSocketAddress address, RequestHead head) {}
