package dev.retier.fabric.directory;

/**
 * How one peer reaches one part, over its own connection alone.
 *
 * @param index which part
 * @param address of its first byte
 * @param key the registration's key
 */
public record PartKey(int index, long address, int key) {}
