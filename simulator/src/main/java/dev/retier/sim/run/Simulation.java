package dev.retier.sim.run;

import dev.retier.agent.config.ClusterConfig;
import dev.retier.agent.config.Mode;
import dev.retier.agent.config.SiteConfig;
import dev.retier.sim.cluster.Chronicle;
import dev.retier.sim.cluster.Cluster;
import dev.retier.sim.cluster.MoveSeen;
import dev.retier.sim.service.Plan;
import dev.retier.sim.service.Service;
import dev.retier.sim.time.VirtualTime;
import dev.retier.state.Role;
import dev.retier.state.SiteId;
import dev.retier.state.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Runs one data-center in virtual time; the same setup and approach always give the same outcome. Stateless. */
public final class Simulation {
    /** One way between a client and a proxy, or a proxy and an app node. */
    static final long SERVICE_HOP_NANOS = 100_000;

    /** Beyond the first lease, in which witnesses that have just started hold their locks back. */
    private static final Duration MARGIN = Duration.ofSeconds(1);

    private Simulation() {}

    /** Runs it to the end of the load, or to the limit of virtual time. */
    public static Outcome run(Setup setup, Approach approach) {
        VirtualTime time = new VirtualTime();
        Service service = new Service(
                time,
                new Service.Parts(
                        setup.costs(),
                        setup.unitsPerSecond(),
                        setup.config().sites().size(),
                        setup.demands(),
                        SERVICE_HOP_NANOS));
        long beginNanos = setup.config().timing().lease().plus(MARGIN).toNanos();
        service.beginAt(beginNanos);
        BurstClock bursts = new BurstClock(setup.demands(), service);
        service.listen(bursts);
        Run run =
                new Run(setup, time, service, bursts, beginNanos + setup.limit().toNanos());
        return switch (approach) {
            case Approach.Rigid(List<Role> roles) -> run.rigid(roles);
            case Approach.Reconfigured _ -> run.reconfigured();
            case Approach.Oracle _ -> run.oracle();
            case Approach.Prompt prompt -> run.prompt(prompt);
        };
    }

    /** Gives every node its role, at once. */
    static void assign(ClusterConfig config, Service service, List<Role> roles) {
        assign(config.sites().stream().map(SiteConfig::id).toList(), service, roles);
    }

    /** The same, of sites in this order. */
    public static void assign(List<SiteId> sites, Service service, List<Role> roles) {
        for (int node = 0; node < roles.size(); node++) {
            service.station(node).run(new Plan(0, roles.get(node), apps(roles, roles.get(node))));
        }
        for (int site = 0; site < sites.size(); site++) {
            service.follow(site, nodes(roles, Role.serving(sites.get(site), Tier.PROXY)));
        }
    }

    private static List<Integer> apps(List<Role> roles, Role role) {
        return role instanceof Role.Serving(var site, Tier tier) && tier == Tier.PROXY
                ? nodes(roles, Role.serving(site, Tier.APP))
                : List.of();
    }

    private static List<Integer> nodes(List<Role> roles, Role wanted) {
        return IntStream.range(0, roles.size())
                .filter(node -> roles.get(node).equals(wanted))
                .boxed()
                .toList();
    }

    private record Run(Setup setup, VirtualTime time, Service service, BurstClock bursts, long untilNanos) {
        Outcome rigid(List<Role> roles) {
            assign(setup.config(), service, roles);
            boolean isWhole = live();
            return outcome("rigid " + Allocation.of(setup.config(), roles), isWhole, List.of(), List.of(), Map.of());
        }

        Outcome oracle() {
            OracleDriver oracle = new OracleDriver(setup, service);
            bursts.then(oracle);
            boolean isWhole = live();
            return outcome("oracle", isWhole, List.of(), List.of(), Map.of());
        }

        Outcome prompt(Approach.Prompt prompt) {
            PromptDriver driver = new PromptDriver(setup, prompt, time, service);
            bursts.then(driver);
            boolean isWhole = live();
            return outcome("prompt mover", isWhole, driver.moves(), List.of(), Map.of());
        }

        Outcome reconfigured() {
            Cluster cluster = new Cluster(time, setup.config().withMode(Mode.ACT), service, setup.settings());
            cluster.startAgents();
            boolean isWhole = live();
            Chronicle chronicle = cluster.chronicle();
            List<MoveSeen> moves = chronicle.moves().stream()
                    .filter(move -> move.orderedSeconds() >= 0)
                    .toList();
            return outcome("reconfigured", isWhole, moves, chronicle.sizes(), cluster.reasons());
        }

        private boolean live() {
            while (!service.isOver()) {
                if (!time.step(untilNanos, service::on)) {
                    return false;
                }
            }
            return true;
        }

        private Outcome outcome(
                String name,
                boolean isWhole,
                List<MoveSeen> moves,
                List<Chronicle.Sizes> sizes,
                Map<String, Long> reasons) {
            List<SiteOutcome> sites = new ArrayList<>();
            for (int site = 0; site < setup.config().sites().size(); site++) {
                SiteConfig promised = setup.config().sites().get(site);
                int index = site;
                boolean isOpen = setup.demands().stream()
                        .anyMatch(demand -> demand.clients().count() == 0
                                && demand.workload().site(0) == index);
                sites.add(SiteOutcome.of(promised, service.ledger(site), isOpen, setup.interval()));
            }
            return new Outcome(
                    name,
                    setup.config().nodes().size(),
                    sites,
                    moves,
                    sizes,
                    reasons,
                    bursts.seen(),
                    isWhole,
                    time.events());
        }
    }
}
