package dev.retier.fabric;

import dev.retier.fabric.calls.Calls;
import dev.retier.fabric.calls.Kind;
import dev.retier.fabric.calls.Message;
import dev.retier.fabric.calls.Priority;
import java.time.Duration;

/** How a call is to be made. */
record CallOptions(Duration deadline, Priority priority) {
    Calls.Request request(Kind kind, int function, byte[] body) {
        return new Calls.Request(kind, checked(function), priority, body, System.nanoTime() + deadline.toNanos());
    }

    static int checked(int function) {
        if (function < 0 || function > Message.MAX_FUNCTION) {
            throw new IllegalArgumentException("function " + function + " is not within 0 to " + Message.MAX_FUNCTION);
        }
        return function;
    }
}
