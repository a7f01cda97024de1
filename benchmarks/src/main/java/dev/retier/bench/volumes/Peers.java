package dev.retier.bench.volumes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What volumes are measured beside.
 *
 * @param chosen those that are wanted and that this machine has
 * @param missing what is wanted and is not there, in words
 */
record Peers(Set<String> chosen, List<String> missing) {
    /** Plain Java TCP. */
    static final String TCP = "tcp";

    /** nbdkit's file plugin. */
    static final String NBDKIT = "nbdkit";

    /** QEMU's NBD server. */
    static final String QEMU = "qemu-nbd";

    /** The local disk. */
    static final String LOCAL = "local";

    /** All that there are. */
    static final List<String> ALL = List.of(TCP, NBDKIT, QEMU, LOCAL);

    /** Copies both. */
    Peers {
        chosen = Set.copyOf(chosen);
        missing = List.copyOf(missing);
    }

    /** Of those that are wanted. */
    static Peers among(List<String> wanted) {
        List<String> there = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (String one : wanted) {
            boolean isProgram = one.equals(NBDKIT) || one.equals(QEMU);
            (isProgram && !Started.isThere(one) ? missing : there).add(one);
        }
        return new Peers(Set.copyOf(there), missing);
    }

    /** Whether it is to be measured. */
    boolean has(String peer) {
        return chosen.contains(peer);
    }
}
