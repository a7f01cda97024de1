package dev.retier.fabric;

/**
 * Memory of a peer, as its {@link Registration} names it; good only on the connection for which it was registered.
 *
 * @param key what the peer's registration returned
 */
public record RemotePlace(long address, int key) {
    /** The place {@code bytes} further on. */
    public RemotePlace plus(long bytes) {
        return new RemotePlace(address + bytes, key);
    }
}
