package dev.retier.balance;

/**
 * How busy an app is, as the shared state tells.
 *
 * @param node its name, 1 to {@link #MAX_NAME} ASCII letters, digits, dots, dashes or underscores
 * @param inService requests that it holds, of all proxies, 0 or more
 * @param utilisation share of its capacity that is used, in [0,1]
 * @param requestsPerSecond that it gets, 0 or more
 * @param capacity what it can do, in units that compare with those of the other apps; 0 if nobody knows
 */
public record AppLoad(String node, int inService, double utilisation, double requestsPerSecond, double capacity) {
    /** Longest name, in bytes. */
    public static final int MAX_NAME = 63;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when one is violated
     */
    public AppLoad {
        if (node.isEmpty() || node.length() > MAX_NAME || !node.chars().allMatch(AppLoad::isOfName)) {
            throw new IllegalArgumentException("no name of an app: \"" + node + "\"");
        }
        boolean isShare = utilisation >= 0 && utilisation <= 1;
        if (inService < 0 || !isShare || !isFigure(requestsPerSecond) || !isFigure(capacity)) {
            throw new IllegalArgumentException("a figure of " + node + " is out of range: " + inService + ", "
                    + utilisation + ", " + requestsPerSecond + ", " + capacity);
        }
    }

    private static boolean isOfName(int letter) {
        return letter < 0x80 && (Character.isLetterOrDigit(letter) || letter == '.' || letter == '-' || letter == '_');
    }

    private static boolean isFigure(double value) {
        return value >= 0 && value < Double.POSITIVE_INFINITY;
    }
}
