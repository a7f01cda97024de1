package dev.retier.load.drive;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what must come; the time-out of the test class bounds it. */
final class Conditions {
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private Conditions() {}

    static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            if (NEVER.await(1, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("never happens");
            }
        }
    }
}
