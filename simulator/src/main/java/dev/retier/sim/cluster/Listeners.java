package dev.retier.sim.cluster;

import dev.retier.agent.command.Answer;
import dev.retier.agent.decide.Decision;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.view.ClusterView;
import dev.retier.sim.service.Plan;
import dev.retier.state.LoadRecord;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.util.List;

/** Several listeners, told in their order. */
record Listeners(List<ClusterListener> all) implements ClusterListener {
    Listeners {
        all = List.copyOf(all);
    }

    @Override
    public void looked(int node, ClusterView view) {
        all.forEach(one -> one.looked(node, view));
    }

    @Override
    public void decided(int node, Decision decision) {
        all.forEach(one -> one.decided(node, decision));
    }

    @Override
    public void acquired(int node, SiteId site, long term, boolean isSafe) {
        all.forEach(one -> one.acquired(node, site, term, isSafe));
    }

    @Override
    public void fenced(int target, int mover, SiteId site, long term) {
        all.forEach(one -> one.fenced(target, mover, site, term));
    }

    @Override
    public void ordering(Order order) {
        all.forEach(one -> one.ordering(order));
    }

    @Override
    public void ordered(Order order) {
        all.forEach(one -> one.ordered(order));
    }

    @Override
    public void finished(int mover, MoverEffect.Finished how) {
        all.forEach(one -> one.finished(mover, how));
    }

    @Override
    public void answered(int node, long ticket, Answer answer) {
        all.forEach(heard -> heard.answered(node, ticket, answer));
    }

    @Override
    public void wordChanged(int node, RoleWord before, RoleWord now) {
        all.forEach(one -> one.wordChanged(node, before, now));
    }

    @Override
    public void wordAtBoot(int node, RoleWord now) {
        all.forEach(one -> one.wordAtBoot(node, now));
    }

    @Override
    public void reached(int node, MoveRecord entry) {
        all.forEach(one -> one.reached(node, entry));
    }

    @Override
    public void published(int node, LoadRecord load) {
        all.forEach(one -> one.published(node, load));
    }

    @Override
    public void installed(int node, Plan plan) {
        all.forEach(one -> one.installed(node, plan));
    }

    @Override
    public void astray(int node, String what) {
        all.forEach(one -> one.astray(node, what));
    }

    @Override
    public void ran(int node, Plan plan) {
        all.forEach(one -> one.ran(node, plan));
    }
}
