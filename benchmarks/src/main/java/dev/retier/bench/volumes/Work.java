package dev.retier.bench.volumes;

/**
 * What a client does again and again, at random places.
 *
 * @param isRead whether it reads, else it writes
 * @param bytes of each request
 * @param depth how many are under way
 */
record Work(boolean isRead, int bytes, int depth) {
    static final double NANOS_PER_MICRO = 1e3;
    static final double NANOS_PER_SECOND = 1e9;

    /** What comes back over plain TCP for each. */
    int answerBytes() {
        return TcpBlocks.ANSWER_BYTES + (isRead ? bytes : 0);
    }
}
