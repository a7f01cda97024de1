package dev.retier.agent.decide;

import dev.retier.state.Tier;

/** Units per second that the tiers of a site can do. */
record Capacity(double proxy, double app) {
    Capacity plus(Tier tier, double units) {
        return switch (tier) {
            case PROXY -> new Capacity(Math.max(0, proxy + units), app);
            case APP -> new Capacity(proxy, Math.max(0, app + units));
        };
    }
}
