package dev.retier.agent.decide;

/** Which tier of a site limits what it answers: the kind of load that it has. */
enum Limit {
    /** None: all that is asked for is answered. */
    NEITHER,
    /** The proxies. */
    PROXY,
    /** The apps. */
    APP
}
