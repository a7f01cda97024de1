package dev.retier.state.slot;

import dev.retier.state.LoadRecord.Health;

/** The numbers of {@link Health} in a slot; the order of the enum may change, these may not. Stateless. */
final class HealthCode {
    private static final int UP = 1;
    private static final int DOWN = 2;
    private static final int LEAVING = 3;
    private static final int MUTE = 4;

    private HealthCode() {}

    static int of(Health health) {
        return switch (health) {
            case UP -> UP;
            case DOWN -> DOWN;
            case LEAVING -> LEAVING;
            case MUTE -> MUTE;
        };
    }

    static Health decode(int code) {
        return switch (code) {
            case UP -> Health.UP;
            case DOWN -> Health.DOWN;
            case LEAVING -> Health.LEAVING;
            case MUTE -> Health.MUTE;
            default -> throw new IllegalArgumentException("server health " + code + " is not known");
        };
    }
}
