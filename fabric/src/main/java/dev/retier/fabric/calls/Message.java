package dev.retier.fabric.calls;

/**
 * One message between two nodes.
 *
 * @param call which call it is about; numbers grow on each connection and are never used twice
 * @param function which function is called, 0 to {@value #MAX_FUNCTION}; 0 where it does not matter
 * @param status how the call ended; {@link Status#DONE} where it does not matter
 * @param budgetMicros how long after its arrival the call may still begin; 0 where it does not matter
 * @param body never changed by anybody
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody, copied by every ring
public record Message(
        Kind kind, long call, int function, Priority priority, Status status, int budgetMicros, byte[] body) {
    /** The highest function number. */
    public static final int MAX_FUNCTION = 0xFFFF;

    /** The function's number, if it can be one; throws {@link IllegalArgumentException} if not. */
    public static int checked(int function) {
        if (function < 0 || function > MAX_FUNCTION) {
            throw new IllegalArgumentException("function " + function + " is not within 0 to " + MAX_FUNCTION);
        }
        return function;
    }

    /** A message that concerns a call and carries nothing. */
    public static Message cancel(long call) {
        return new Message(Kind.CANCEL, call, 0, Priority.HIGH, Status.DONE, 0, new byte[0]);
    }

    /** The end of a call. */
    public static Message answer(long call, Priority priority, Status status, byte[] body) {
        return new Message(Kind.ANSWER, call, 0, priority, status, 0, body);
    }

    /** The first message of a connection. */
    public static Message open(byte[] place) {
        return new Message(Kind.OPEN, 0, 0, Priority.HIGH, Status.DONE, 0, place);
    }
}
