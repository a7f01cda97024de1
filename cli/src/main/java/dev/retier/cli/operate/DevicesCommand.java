package dev.retier.cli.operate;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.options.OutputOption;
import dev.retier.report.OutputFormat;
import dev.retier.report.Table;
import dev.retier.rnic.RdmaDevices;
import dev.retier.rnic.RdmaPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code retier devices}. */
@Command(
        name = "devices",
        description = "List the RDMA devices of this machine, and what retier can do on each with transport: native.",
        footer = {
            "A node's rdma address chooses the device: one of the addresses shown here. Exit code 1 when there is no"
                    + " device, or rdma-core is not installed; with transport: iwarp neither is needed."
        })
public final class DevicesCommand implements Callable<Integer> {
    private final Devices devices;

    @Mixin
    private OutputOption output = new OutputOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Where they are known. */
    @FunctionalInterface
    interface Devices {
        List<RdmaDevices.Device> all() throws IOException;
    }

    /** Of this machine. */
    public DevicesCommand() {
        this(RdmaDevices::all);
    }

    /** Of {@code devices}. */
    DevicesCommand(Devices devices) {
        this.devices = devices;
    }

    @Override
    public Integer call() {
        List<RdmaDevices.Device> all = all();
        if (all.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "no RDMA device on this machine that libibverbs knows; a software one: modprobe rdma_rxe; rdma link"
                            + " add rxe0 type rxe netdev eth0. transport: iwarp needs none");
        }
        boolean isForPeople = output.format() == OutputFormat.TABLE;
        List<String> columns = new ArrayList<>(
                List.of("device", "port", "protocol", "state", "addresses", "atomics", "max_completions", "max_work"));
        if (!isForPeople) {
            columns.add("gids");
        }
        columns.add("use");
        Table table = new Table(columns.toArray(String[]::new));
        for (RdmaDevices.Device device : all) {
            if (device.ports().isEmpty()) {
                row(table, device, new RdmaPort(0, "", "", List.of(), List.of()), isForPeople);
            }
            device.ports().forEach(port -> row(table, device, port, isForPeople));
        }
        output.print(spec, table);
        return ExitCode.OK.code();
    }

    private List<RdmaDevices.Device> all() {
        try {
            return devices.all();
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
    }

    private static void row(Table table, RdmaDevices.Device device, RdmaPort port, boolean isForPeople) {
        boolean isKnown = device.problem().isEmpty();
        List<Object> values = new ArrayList<>(List.of(
                device.name(),
                isKnown ? port.number() : "",
                port.protocol(),
                port.state(),
                String.join(" ", port.addresses()),
                isKnown ? (device.hasAtomics() ? "yes" : "no") : "",
                isKnown ? device.maxCompletions() : "",
                isKnown ? device.maxWork() : ""));
        if (!isForPeople) {
            values.add(String.join(" ", port.gids()));
        }
        values.add(use(device, port));
        table.row(values.toArray());
    }

    /** What retier can do on it. */
    private static String use(RdmaDevices.Device device, RdmaPort port) {
        if (!device.problem().isEmpty()) {
            return "nothing: " + device.problem();
        }
        if (!port.isActive()) {
            return "nothing: the port is " + port.state();
        }
        if (port.addresses().isEmpty()) {
            return "nothing: it has no IP address, by which connections are made";
        }
        return device.hasAtomics()
                ? "everything"
                : "publish loads and see those of others; no locks, so no moves and no fabric";
    }
}
