package dev.retier.fabric.directory;

/** The life of one part in this node's memory. Belongs to its {@link Holder}. */
final class HeldPart {
    private final PartId id;
    private boolean allocated;
    private boolean copying;
    private boolean filled;

    /** A part without memory; {@code filled} if it will be good as soon as it has some. */
    HeldPart(PartId id, boolean filled) {
        this.id = id;
        this.filled = filled;
    }

    PartId id() {
        return id;
    }

    boolean isAllocated() {
        return allocated;
    }

    void allocated() {
        allocated = true;
    }

    /** A copy is running; what it brings late must not fall on what others have written since. */
    boolean isCopying() {
        return copying;
    }

    /** Whether it holds what it should, so that nothing must be copied into it. */
    boolean isFilled() {
        return filled;
    }

    void copying() {
        copying = true;
    }

    void copied(boolean well) {
        copying = false;
        filled = well;
    }

    /** Whether its memory is to be given back now: there is some, and nothing is being copied into it. */
    boolean giveBack() {
        boolean now = allocated && !copying;
        if (now) {
            allocated = false;
        }
        return now;
    }
}
