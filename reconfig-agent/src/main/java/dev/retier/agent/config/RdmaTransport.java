package dev.retier.agent.config;

/** By which provider of the verbs API the nodes reach each other's slots. */
public enum RdmaTransport {
    /** This project's iWARP in user space: no RDMA hardware needed. */
    IWARP,
    /** RDMA hardware, Soft-RoCE and siw, over rdma-core as distributions package it. */
    NATIVE
}
