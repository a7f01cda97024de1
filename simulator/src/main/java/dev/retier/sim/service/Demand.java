package dev.retier.sim.service;

/** A workload and who asks for it. */
public record Demand(Workload workload, Clients clients) {}
