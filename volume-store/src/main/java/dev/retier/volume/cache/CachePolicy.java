package dev.retier.volume.cache;

/** Who leaves when there is no room. */
public enum CachePolicy {
    /**
     * Multi-Queue: who was asked for more often stays longer, also when it was away meanwhile. For what is asked for
     * behind another cache, which has taken the repetitions that come soon.
     */
    MQ,
    /** Who was not asked for the longest. */
    LRU;

    /** How so many blocks are kept. */
    public MultiQueue.Shape shape(int frames) {
        return switch (this) {
            case MQ -> MultiQueue.Shape.of(frames);
            case LRU -> new MultiQueue.Shape(frames, 1, 0, 1);
        };
    }
}
