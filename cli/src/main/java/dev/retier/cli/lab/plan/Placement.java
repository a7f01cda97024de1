package dev.retier.cli.lab.plan;

/** Where the agents of a lab run, seen from the quotas of their nodes. */
public enum Placement {
    /** Beside the nodes: what an agent takes is nobody's share. */
    OUTSIDE("agents outside the nodes' quotas"),

    /**
     * In the node: one control group has the node's quota, and in it the server's and the agent's groups have theirs,
     * so that neither can take what the other one needs.
     */
    INSIDE("agents inside the nodes' quotas"),

    /**
     * The same, and the agent has namespaces of its own for mounts, host name and shared memory, as in a container
     * beside the server's; processes and network are shared, as in a pod, and so is the view of control groups, without
     * which no agent could tell what its server uses.
     */
    SIDECAR("agents inside the nodes' quotas, in namespaces of their own");

    private final String words;

    Placement(String words) {
        this.words = words;
    }

    /** The same in a few words. */
    public String words() {
        return words;
    }

    /** Whether an agent runs within the quota of its node. */
    public boolean isInside() {
        return this != OUTSIDE;
    }
}
