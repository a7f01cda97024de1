package dev.retier.bench.agent;

import java.nio.file.Path;
import java.util.List;

/** The cluster file of a measured cell: every default, but agents that obey and decide nothing. Stateless. */
public final class ClusterText {
    /** Ports that each node needs. */
    public static final int PORTS_PER_NODE = 4;

    private ClusterText() {}

    /** The name of node {@code id}. */
    static String name(int id) {
        return "node-" + id;
    }

    /**
     * The file.
     *
     * @param folder where the secret is, and where journals and role files go
     * @param proxies how many nodes start as proxies, the others as apps
     * @param ports free ones, {@value #PORTS_PER_NODE} for each node
     * @param more lines at the top level, each with its line break
     * @param servers what the agents are beside
     */
    public static String of(Path folder, int proxies, List<Integer> ports, String more, NodeServers servers) {
        int nodes = ports.size() / PORTS_PER_NODE;
        StringBuilder text = new StringBuilder("""
                name: measured
                mode: recommend
                secret-file: %1$s/secret
                journal-directory: %1$s/journal
                sites:
                  - {id: 1, name: shop, proxy: {min: 1}, app: {min: 1}}
                witnesses: [node-1]
                %2$snodes:
                """.formatted(folder, more));
        for (int id = 1; id <= nodes; id++) {
            List<Integer> own = ports.subList((id - 1) * PORTS_PER_NODE, id * PORTS_PER_NODE);
            text.append("""
                      - id: %d
                        name: %s
                        role: shop/%s
                        rdma: 127.0.0.1:%d
                        agent: 127.0.0.1:%d
                        server:
                          address: 127.0.0.1:%d
                          admin: 127.0.0.1:%d
                          role-file: %s
                    %s""".formatted(
                            id,
                            name(id),
                            id <= proxies ? "proxy" : "app",
                            own.get(0),
                            own.get(1),
                            own.get(2),
                            own.get(servers.hasAdminPort() ? 3 : 2),
                            servers.roleFile(folder, id),
                            servers.lines(id)));
        }
        return text.toString();
    }
}
