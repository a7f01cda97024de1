package dev.retier.volume.worlds;

import dev.retier.volume.VolumeName;
import dev.retier.volume.connect.RemoteVolume;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A program that reads beside whoever writes. */
record Reader(VolumeName name) implements ClientMachine.Program {
    private static final int MOST_READS = 60;

    @Override
    public void run(ClientMachine on) {
        while (on.isBusy()) {
            try (RemoteVolume volume = on.client().attachForReading(name)) {
                for (int left = on.random().nextInt(1, MOST_READS); on.isBusy() && left > 0; left--) {
                    read(on, volume);
                    on.pause(100_000, 100_000_000);
                }
            } catch (IOException failed) {
                on.pause(10_000_000, 300_000_000);
            }
            on.pause(1_000_000, 1_000_000_000);
        }
    }

    private static void read(ClientMachine on, RemoteVolume volume) throws IOException {
        Promises promises = on.stage().promises();
        int first = on.random().nextInt(promises.parts());
        int end = on.random().nextInt(first, promises.parts()) + 1;
        Reading reading = promises.readsBeside(first, end);
        ByteBuffer into = ByteBuffer.allocate((end - first) * Promises.PART_BYTES);
        try {
            volume.read((long) first * Promises.PART_BYTES, into);
        } catch (IOException failed) {
            promises.ended(reading);
            Numbers.readFailed(on.stage(), volume, failed);
            throw failed;
        }
        if (!on.isDead()) {
            on.stage().counts().count(Counted.READS_BESIDE);
            promises.read(reading, Numbers.of(into, promises));
        }
    }
}
