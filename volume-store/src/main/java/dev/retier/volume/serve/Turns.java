package dev.retier.volume.serve;

import dev.retier.volume.disk.AheadReader;

/**
 * Where what a connection asks of a volume waits: the same however often it attaches the volume, so that nobody gets
 * more turns by that.
 *
 * @param line of its requests
 * @param ahead what is read ahead of them, in a line of its own
 */
record Turns(DiskThreads.Line line, AheadReader ahead) {}
