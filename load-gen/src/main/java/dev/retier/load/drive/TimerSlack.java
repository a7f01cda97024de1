package dev.retier.load.drive;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Linux rounds a thread's timers up by 50 us unless told otherwise (prctl(2), PR_SET_TIMERSLACK). For a sender of timed
 * requests that is most of its error.
 */
final class TimerSlack {
    private static final Logger LOG = LoggerFactory.getLogger(TimerSlack.class);

    /** PR_SET_TIMERSLACK of linux/prctl.h. */
    private static final int SET_TIMER_SLACK = 29;

    private TimerSlack() {}

    /** Asks for 1 ns for the calling thread; elsewhere than on Linux, or where it is forbidden, nothing changes. */
    @SuppressWarnings("restricted")
    static void minimise() {
        if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux")) {
            return;
        }
        Linker linker = Linker.nativeLinker();
        linker.defaultLookup().find("prctl").ifPresent(address -> {
            FunctionDescriptor signature =
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
            MethodHandle prctl = linker.downcallHandle(address, signature, Linker.Option.firstVariadicArg(1));
            call(prctl);
        });
    }

    private static void call(MethodHandle prctl) {
        try {
            int result = (int) prctl.invokeExact(SET_TIMER_SLACK, 1L);
            LOG.debug("timer slack of {}: {}", Thread.currentThread().getName(), result == 0 ? "1 ns" : "unchanged");
        } catch (Throwable e) {
            LOG.warn("timer slack unchanged, requests may be up to 50 us late: {}", e.toString());
        }
    }
}
