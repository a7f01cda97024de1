package dev.retier.traces.text;

/** Makes sense of one line of a text trace. Stateless. */
public interface LineFormat {
    /** What {@code line} says; never throws. */
    LineResult parse(String line);
}
