package dev.retier.link;

import dev.retier.verbs.Providers;
import java.io.IOException;
import java.util.Locale;

/** Which provider of DiSNI's verbs API carries the links. */
public enum Transport {
    /** retier's own iWARP in user space; needs nothing but TCP. */
    IWARP,
    /** RDMA hardware, Soft-RoCE and siw, over rdma-core as distributions package it. */
    NATIVE;

    /**
     * Makes DiSNI use this provider, for the whole process.
     *
     * @throws TransportException if the provider is not there, or the process already uses another one
     */
    public void use() {
        String name = name().toLowerCase(Locale.ROOT);
        try {
            Providers.use(name);
        } catch (IOException missing) {
            throw new TransportException("transport " + name + ": " + missing.getMessage(), missing);
        }
    }
}
