package dev.retier.agent.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.agent.ReconfigException;
import dev.retier.agent.install.Edit;
import dev.retier.agent.install.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What holds for an installation into whichever server. Stateless. */
final class InstallChecks {
    private InstallChecks() {}

    /** Installs, changes the file as somebody else would, and removes: what that one wrote stays. */
    static void onlyItsLinesGo(Installation installation, Path file, Path told)
            throws IOException, InterruptedException {
        String before = Files.readString(file);
        installation.install(installation.plan(), null);
        Files.writeString(file, Files.readString(file) + "# mine\n");
        List<String> said = new ArrayList<>();

        installation.remove(said::add);

        assertThat(file).content().isEqualTo(before + "# mine\n");
        assertThat(said).singleElement().asString().startsWith(told + " was changed");
    }

    /** It is refused for that reason, and nothing is installed then. */
    static void isRefused(Installation installation, String reason) throws InterruptedException {
        List<Edit> edits = installation.plan();

        assertThatThrownBy(() -> installation.install(edits, null))
                .isInstanceOf(ReconfigException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("all is as it was");

        assertThatThrownBy(() -> installation.remove(_ -> {})).hasMessageContaining("nothing is installed");
    }
}
