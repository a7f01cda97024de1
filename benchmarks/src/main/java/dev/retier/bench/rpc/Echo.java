package dev.retier.bench.rpc;

/** A way to send some bytes to another place and get as many back. Each thread has its own. */
@FunctionalInterface
interface Echo {
    void roundTrip(byte[] body) throws Exception;
}
