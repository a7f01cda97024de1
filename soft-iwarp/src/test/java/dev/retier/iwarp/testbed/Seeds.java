package dev.retier.iwarp.testbed;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Random segmentation of a TCP stream. */
public final class Seeds {
    private Seeds() {}

    /** Cuts {@code bytes} into pieces of 1 byte to all of it. */
    public static void split(byte[] bytes, SplittableRandom random, List<byte[]> into) {
        int at = 0;
        while (at < bytes.length) {
            int left = bytes.length - at;
            int count = random.nextInt(8) == 0 ? 1 : random.nextInt(1, left + 1);
            into.add(Arrays.copyOfRange(bytes, at, at + count));
            at += count;
        }
    }
}
