package dev.retier.system.exchange;

/** Something was not right; the message is one line for people. */
final class Wrong extends Exception {
    Wrong(String what) {
        super(what);
    }
}
