package dev.retier.cli.fabric;

import dev.retier.agent.config.NodeConfig;
import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.fabric.Fabric;
import dev.retier.fabric.directory.Names;
import dev.retier.fabric.directory.Permission;
import dev.retier.fabric.directory.Permissions;
import dev.retier.fabric.directory.RegionFailure;
import dev.retier.fabric.directory.RegionName;
import dev.retier.fabric.directory.RegionSpec;
import dev.retier.fabric.regions.Region;
import dev.retier.fabric.regions.RegionException;
import dev.retier.fabric.regions.Regions;
import dev.retier.fabric.regions.RegionsConfig;
import dev.retier.link.NodeId;
import dev.retier.link.StateException;
import dev.retier.link.TransportException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One process of {@code retier fabric}: its fabric, and what is common to all that it can do. Owned by one thread. */
final class FabricSession implements AutoCloseable {
    private static final Permissions USE = Permissions.of(Permission.READ, Permission.WRITE, Permission.ATOMIC);
    private static final long LOOK_MILLIS = 20;

    private final FabricOptions options;
    private final FabricOptions.Group group;
    private final Fabric fabric;
    private final Optional<BufferedWriter> log;
    private final Map<Integer, Long> awaySinceNanos = new HashMap<>();
    private Optional<Regions> regions = Optional.empty();

    FabricSession(FabricOptions options) {
        this.options = options;
        this.group = options.group();
        try {
            this.fabric = options.open(group);
        } catch (TransportException e) {
            throw new CommandFailure(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (StateException | IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
        try {
            this.log = options.log().isEmpty()
                    ? Optional.empty()
                    : Optional.of(Files.newBufferedWriter(
                            options.log().get(), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            fabric.close();
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "--log " + options.log().get() + " cannot be written: "
                            + (e instanceof NoSuchFileException ? "its folder does not exist" : e.getMessage()),
                    e);
        }
    }

    FabricOptions.Group group() {
        return group;
    }

    Fabric fabric() {
        return fabric;
    }

    String name(int member) {
        return group.all().get(member).name();
    }

    /** Notes a step that is known to be done, before the next is begun. */
    void note(String step) {
        log.ifPresent(file -> {
            try {
                file.write(step + "\n");
                file.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    void rest() throws InterruptedException {
        pause(options.pace().toNanos());
    }

    /** Rests for longer: there is nothing to do. */
    void idle() throws InterruptedException {
        pause(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
    }

    private void pause(long nanos) throws InterruptedException {
        LockSupport.parkNanos(this, nanos);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** The words that are shared under {@code what}: made by the home, waited for by the others. */
    SharedWords words(String what, int count) throws InterruptedException {
        Regions opened = Regions.open(fabric, RegionsConfig.defaults());
        regions = Optional.of(opened);
        RegionName name = name(what);
        Duration patience = options.patience();
        if (group.isHome()) {
            try {
                return new SharedWords(
                        opened.create(name, RegionSpec.on(group.homeId(), (long) count * Long.BYTES, USE), patience));
            } catch (RegionException none) {
                throw new CommandFailure(
                        ExitCode.TIMED_OUT,
                        "most members have not come within --patience: start them with the same --members and --home ("
                                + none.getMessage() + ")",
                        none);
            }
        }
        long endNanos = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                Region region = opened.map(name, USE, patience);
                return new SharedWords(region);
            } catch (RegionException none) {
                boolean mayCome = none.failure() == RegionFailure.NO_SUCH_REGION
                        || none.failure().isPassing();
                if (!mayCome || System.nanoTime() - endNanos > 0) {
                    throw new CommandFailure(
                            ExitCode.FAILED,
                            "the home, " + name(group.home()) + ", has not come: " + none.getMessage(),
                            none);
                }
                idle();
            }
        }
    }

    /** A name that the home keeps itself, so that no other node is needed for anything. */
    private RegionName name(String what) {
        Names names = new Names(group.all().stream().map(NodeConfig::id).toList());
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> new RegionName("retier-fabric/" + what + "/" + i))
                .filter(name -> names.keeperOf(name).equals(group.homeId()))
                .findFirst()
                .orElseThrow();
    }

    /** Whether all others have come as far as {@code state}, or have not taken part for longer than the patience. */
    boolean areOthers(Members members, long state) {
        return IntStream.range(0, members.count())
                .filter(member -> member != members.self())
                .allMatch(member -> hasComeOrIsAway(member, members.state(member), state));
    }

    private boolean hasComeOrIsAway(int member, long reached, long state) {
        NodeId node = group.all().get(member).id();
        boolean takesPart = reached >= Members.WORKING && fabric.link(node).isPresent();
        if (takesPart || reached >= state) {
            awaySinceNanos.remove(member);
            return reached >= state;
        }
        long now = System.nanoTime();
        return now - awaySinceNanos.computeIfAbsent(member, _ -> now)
                > options.patience().toNanos();
    }

    /** What became of a member, for people. */
    String outcome(Members members, int member) {
        return members.state(member) >= Members.FINISHED ? "done" : "not done";
    }

    /**
     * Asks for nothing more; the home stays until the others do so, too.
     *
     * @throws CommandFailure at the home, with {@link ExitCode#TIMED_OUT}, if a member has not done its work
     */
    void end(Members members) throws InterruptedException {
        if (!group.isHome()) {
            members.leave();
            return;
        }
        while (!areOthers(members, Members.ENDED)) {
            idle();
        }
        String missing = IntStream.range(0, members.count())
                .filter(member -> members.state(member) < Members.FINISHED)
                .mapToObj(this::name)
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.TIMED_OUT,
                    missing + " did not take part to the end, and was waited for as long as --patience says: start it"
                            + " with the same --members and --home");
        }
    }

    /** The exit code of somebody who was told that all is lost. */
    CommandFailure lost(LostException e) {
        return new CommandFailure(
                ExitCode.FAILED,
                "LOST: the home, " + name(group.home()) + ", has ended or was started again: start all members again ("
                        + e.getMessage() + ")",
                e);
    }

    @Override
    public void close() {
        regions.ifPresent(Regions::close);
        fabric.close();
        log.ifPresent(file -> {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
