package dev.retier.agent.decide;

import dev.retier.state.Tier;

/** Which tier of a site limits what it answers: the kind of load that it has. */
enum Limit {
    /** None: all that is asked for is answered. */
    NEITHER,
    /** The proxies. */
    PROXY,
    /** The apps. */
    APP;

    static Limit of(Tier tier) {
        return switch (tier) {
            case PROXY -> PROXY;
            case APP -> APP;
        };
    }
}
