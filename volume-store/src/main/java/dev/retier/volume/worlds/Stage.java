package dev.retier.volume.worlds;

/** What all machines of a world share. */
record Stage(Threads threads, Promises promises, Counts counts) {}
