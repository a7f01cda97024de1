package dev.retier.state.region.directory;

/**
 * How one peer reaches one part, over its own connection alone.
 *
 * @param index which part
 * @param address of its first byte
 * @param key the registration's key
 */
public record ExtentKey(int index, long address, int key) {}
