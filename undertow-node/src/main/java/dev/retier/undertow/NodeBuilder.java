package dev.retier.undertow;

import dev.retier.config.ConfigException;
import dev.retier.undertow.forward.Forwarding;
import dev.retier.undertow.forward.ProxyRole;
import dev.retier.undertow.load.NodeLoad;
import dev.retier.undertow.role.RoleFile;
import dev.retier.undertow.upstream.UpstreamLimits;
import io.undertow.server.HttpServerExchange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings of an {@link UndertowNode}; all but its name and role file have defaults. Owned by who builds. */
public final class NodeBuilder {
    private static final String ONE_CLASS = "all";

    final String name;
    final Path roleFile;
    UpstreamLimits limits = UpstreamLimits.DEFAULTS;
    int maxInFlight = Integer.MAX_VALUE;
    Duration closeDeadline = Duration.ofSeconds(5);
    List<String> classes = List.of(ONE_CLASS);
    Function<HttpServerExchange, String> classOf = _ -> ONE_CLASS;
    ProxyRole proxyRole;

    @Nullable
    NodeLoad load;

    @Nullable
    ScheduledExecutorService files;

    NodeBuilder(String name, Path roleFile) {
        Objects.requireNonNull(name, "name: give the node's name in the cluster file");
        if (!RoleFile.NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("node name \"" + name + "\": " + RoleFile.NAME_REMEDY);
        }
        this.name = name;
        this.roleFile = Objects.requireNonNull(roleFile, "roleFile: give the file that the agent writes");
        this.proxyRole = new Forwarding(name);
    }

    /** How a proxy treats its app nodes; {@link UpstreamLimits#DEFAULTS} unless set. */
    public NodeBuilder upstreamLimits(UpstreamLimits chosen) {
        limits = Objects.requireNonNull(chosen, "limits");
        return this;
    }

    /**
     * Most requests in the node at once, event streams included; beyond, a request is answered 503 with Retry-After. No
     * limit unless set.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public NodeBuilder maxInFlight(int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("max in flight " + requests + ": at least 1 request must get in");
        }
        maxInFlight = requests;
        return this;
    }

    /**
     * How long {@link UndertowNode#close} waits for the requests in the node; 5 s unless set.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public NodeBuilder closeDeadline(Duration chosen) {
        if (chosen.isNegative()) {
            throw new IllegalArgumentException("close deadline " + chosen + " is negative; zero waits for nothing");
        }
        closeDeadline = chosen;
        return this;
    }

    /**
     * Counts requests by class in the status; all are of one class unless set.
     *
     * @param names every class, at least one
     * @param chosen the class of a request, one of the names; called for each request, so it must be quick
     * @throws IllegalArgumentException when there is no name
     */
    public NodeBuilder classes(List<String> names, Function<HttpServerExchange, String> chosen) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("no class of requests; leave classes out to have one for all");
        }
        classes = List.copyOf(names);
        classOf = Objects.requireNonNull(chosen, "classOf");
        return this;
    }

    /** What clients get while the node is proxy; requests are forwarded as streams unless set. */
    public NodeBuilder proxy(ProxyRole chosen) {
        proxyRole = Objects.requireNonNull(chosen, "proxy role");
        return this;
    }

    /**
     * How much the node can do and how busy it is; measured unless set: the processor time of this process against what
     * it may use, or the busy threads of Undertow's worker, whichever is more.
     */
    public NodeBuilder load(NodeLoad chosen) {
        load = Objects.requireNonNull(chosen, "load");
        return this;
    }

    /** Who looks at the files of the agent; a daemon thread of its own unless set. The node does not shut it down. */
    public NodeBuilder files(ScheduledExecutorService chosen) {
        files = Objects.requireNonNull(chosen, "files");
        return this;
    }

    /**
     * Applies the role file and follows it from now on.
     *
     * @throws ConfigException when it is missing or refused, with every problem and its remedy
     */
    public UndertowNode start() {
        return UndertowNode.start(this);
    }
}
