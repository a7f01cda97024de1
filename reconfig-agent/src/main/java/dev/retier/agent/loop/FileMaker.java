package dev.retier.agent.loop;

import dev.retier.agent.render.RoleFile;
import dev.retier.agent.render.Shares;
import dev.retier.agent.view.ClusterView;
import dev.retier.state.Role;
import java.util.Optional;

/** Makes the file by which the own server serves a role. The same input gives the same file. */
@FunctionalInterface
public interface FileMaker<F extends RoleFile> {
    /**
     * The file of {@code role}.
     *
     * @param shares how a proxy shares its work
     * @param stamp its number
     * @return empty when there can be none, such as one of a proxy without any app node: the one before stays
     * @throws IllegalArgumentException when the operator's template is wrong; the message says how
     */
    Optional<F> make(ClusterView view, Shares shares, Role role, long stamp);
}
