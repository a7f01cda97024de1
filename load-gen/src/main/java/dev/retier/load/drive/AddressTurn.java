package dev.retier.load.drive;

import dev.retier.load.measure.FailureKind;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Which of a name's addresses one client connects to: clients begin with different ones, go on to the next when one is
 * dead, and stay with the one that works. On the client's event loop.
 */
final class AddressTurn {
    private int turn;
    private int left;

    /** For client {@code number} of the run. */
    AddressTurn(int number) {
        this.turn = number;
    }

    /** The first one to try for a new connection. */
    InetSocketAddress first(Destination to) {
        left = to.addresses().size() - 1;
        return current(to);
    }

    /** The one to try after {@code failure}; null when there is none left, or it was not the address that failed. */
    @Nullable
    InetSocketAddress after(FailureKind failure, Destination to) {
        if (failure != FailureKind.CONNECT_REFUSED && failure != FailureKind.CONNECT_FAILED) {
            return null;
        }
        turn++;
        return left-- > 0 ? current(to) : null;
    }

    /** The present one did not answer in time: the next connection begins with another. */
    void skip() {
        turn++;
    }

    private InetSocketAddress current(Destination to) {
        return to.addresses().get(Math.floorMod(turn, to.addresses().size()));
    }
}
