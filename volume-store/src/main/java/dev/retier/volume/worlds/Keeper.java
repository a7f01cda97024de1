package dev.retier.volume.worlds;

import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.RemoteVolume;
import dev.retier.volume.connect.VolumeException;
import dev.retier.volume.wire.Listing;
import dev.retier.volume.wire.Looked;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Somebody who makes snapshots and clones of the volume, rolls it back, gives back what is zeros, and proves it. */
final class Keeper implements ClientMachine.Program {
    private static final int MOST_SNAPSHOTS = 3;
    private static final int PART = Promises.PART_BYTES;

    private final VolumeName volume;
    private final List<Snapshot> snapshots = new ArrayList<>();
    private int names;

    /** One that is there; what the rest of its life is not known of is none. */
    private record Snapshot(VolumeName name, KeptImage image) {}

    Keeper(VolumeName volume) {
        this.volume = volume;
    }

    @Override
    public void run(ClientMachine on) {
        while (on.isBusy()) {
            on.pause(1_000_000, 500_000_000);
            try {
                act(on);
            } catch (IOException failed) {
                on.pause(10_000_000, 300_000_000);
            }
        }
    }

    private void act(ClientMachine on) throws IOException {
        SplittableRandom random = on.random();
        int what = random.nextInt(12);
        if (snapshots.isEmpty() || (what < 3 && snapshots.size() < MOST_SNAPSHOTS)) {
            snapshot(on);
            return;
        }
        Snapshot one = snapshots.get(random.nextInt(snapshots.size()));
        switch (what) {
            case 3, 4 -> copy(on, one);
            case 5, 6 -> rollBack(on, one);
            case 7 -> {
                snapshots.remove(one); // if this fails it may be gone, or not
                on.client().deleteSnapshot(volume, one.name);
            }
            case 8 -> look(on);
            default -> check(on, one);
        }
    }

    private VolumeName name(ClientMachine on, String kind) {
        return new VolumeName(kind + "-" + on.number() + "-" + ++names);
    }

    private void snapshot(ClientMachine on) throws IOException {
        Promises promises = on.stage().promises();
        VolumeName name = name(on, "snapshot");
        Reading meanwhile = promises.readsBeside(0, promises.parts());
        try {
            on.client().snapshot(volume, name);
        } catch (VolumeException refused) {
            if (refused.status() != Status.WRONG_NAME) { // asked again, it was there already
                throw refused;
            }
        } finally {
            promises.ended(meanwhile);
        }
        on.stage().counts().count(Counted.SNAPSHOTS);
        snapshots.add(new Snapshot(name, KeptImage.of(meanwhile, promises.parts())));
    }

    private void check(ClientMachine on, Snapshot one) throws IOException {
        try (RemoteVolume opened = on.client().attachForReading(volume, one.name)) {
            check(on, one, opened);
        } catch (VolumeException refused) {
            if (refused.status() == Status.WRONG_NAME) {
                on.stage().promises().breach(one.name + " is gone: " + refused.getMessage());
            }
            throw refused;
        }
    }

    private static void check(ClientMachine on, Snapshot one, RemoteVolume opened) throws IOException {
        Promises promises = on.stage().promises();
        ByteBuffer into = ByteBuffer.allocate(promises.parts() * PART);
        try {
            opened.read(0, into);
        } catch (IOException failed) {
            Numbers.readFailed(on.stage(), opened, failed);
            throw failed;
        }
        on.stage().counts().count(Counted.READS_BESIDE);
        one.image.read(Numbers.of(into, promises)).ifPresent(what -> promises.breach(one.name + ": " + what));
    }

    /** What is written to a clone is in the clone alone. */
    private void copy(ClientMachine on, Snapshot one) throws IOException {
        Promises promises = on.stage().promises();
        Snapshot clone = new Snapshot(name(on, "clone"), one.image.copied());
        on.client().copy(volume, one.name, clone.name);
        try (RemoteVolume opened = on.client().attach(clone.name, false)) {
            check(on, clone, opened);
            int first = on.random().nextInt(promises.parts());
            int end = on.random().nextInt(first, promises.parts()) + 1;
            Promises.Change change = promises.elsewhere(first, end);
            opened.write((long) first * PART, Numbers.data(change.number(), end - first), Set.of());
            clone.image.changed(change);
            check(on, clone, opened);
        }
        on.stage().counts().count(Counted.CLONES);
        check(on, one);
        on.client().delete(clone.name);
    }

    /** Of a volume that nobody has, or is made to have no more. */
    private void rollBack(ClientMachine on, Snapshot one) throws IOException {
        Promises promises = on.stage().promises();
        Listing seen = on.client().show(volume).volume();
        if (!promises.isSettled()) {
            return;
        }
        if (!seen.writer().isEmpty()) {
            on.client().evict(seen);
            seen = on.client().show(volume).volume();
        }
        Promises.Rollback rollback = promises.rollsBack(one.image, seen.epoch());
        try {
            on.client().rollBack(seen, one.name);
        } catch (VolumeException refused) {
            if (refused.status() == Status.WRONG_NAME) {
                promises.breach(one.name + " is gone: " + refused.getMessage());
            }
            throw refused;
        }
        if (!on.isDead()) {
            on.stage().counts().count(Counted.ROLLBACKS);
            promises.rolledBack(rollback);
        }
    }

    private void look(ClientMachine on) throws IOException {
        Listing seen = on.client().show(volume).volume();
        boolean isTrim = on.random().nextBoolean();
        Optional<Looked> part = Optional.empty();
        while (part.isEmpty() || !part.get().isLast(seen.bytes())) {
            long from = part.map(Looked::next).orElse(0L);
            Looked looked = isTrim ? on.client().trim(seen, from) : on.client().scrub(seen, from, false);
            if (!looked.blocks().isEmpty()) {
                on.stage().promises().damaged("blocks " + looked.blocks());
            }
            part = Optional.of(looked);
        }
    }
}
