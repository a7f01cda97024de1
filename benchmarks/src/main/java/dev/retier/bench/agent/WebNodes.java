package dev.retier.bench.agent;

import dev.retier.agent.config.NodeConfig;
import dev.retier.webnode.WebNode;
import dev.retier.webnode.WebNodeRuntime;
import dev.retier.webnode.config.WebNodeSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Web-nodes in this process, which share its threads. Not thread-safe. */
final class WebNodes implements NodeServers {
    private static final double UNITS_PER_SECOND = 1_000;

    private final WebNodeRuntime runtime = WebNodeRuntime.create(1);
    private final List<WebNode> servers = new ArrayList<>();

    @Override
    public Path roleFile(Path folder, int id) {
        return folder.resolve("role-" + id + ".json");
    }

    @Override
    public boolean hasAdminPort() {
        return true;
    }

    @Override
    public String lines(int id) {
        return "";
    }

    @Override
    public void start(NodeConfig node) {
        servers.add(WebNode.start(
                WebNodeSettings.of(
                        node.name(),
                        node.server().address(),
                        node.server().admin(),
                        node.server().roleFile(),
                        UNITS_PER_SECOND),
                runtime));
    }

    @Override
    public void close() {
        servers.forEach(WebNode::close);
        runtime.close();
    }
}
