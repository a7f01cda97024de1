package dev.retier.cli.tools;

import dev.retier.cli.ToolCommands;
import dev.retier.cli.demo.DemoCommand;
import dev.retier.cli.fabric.FabricCommand;
import dev.retier.cli.lab.LabCommand;
import dev.retier.cli.load.LoadCommand;
import dev.retier.cli.simulate.SimulateCommand;
import dev.retier.cli.trace.TraceCommand;
import java.util.List;

/** The commands of retier-tools. {@link java.util.ServiceLoader} finds this class where that package is. */
public final class Tools implements ToolCommands {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                DemoCommand.class,
                LabCommand.class,
                FabricCommand.class,
                LoadCommand.class,
                TraceCommand.class,
                SimulateCommand.class);
    }
}
