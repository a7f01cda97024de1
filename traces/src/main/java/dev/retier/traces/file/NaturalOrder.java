package dev.retier.traces.file;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares names piece by piece: digits as numbers, the rest as text. */
final class NaturalOrder implements Comparator<Path> {
    private static final Pattern PIECE = Pattern.compile("[0-9]{1,64}|[^0-9]+");

    @Override
    public int compare(Path one, Path other) {
        Matcher left = PIECE.matcher(one.toString());
        Matcher right = PIECE.matcher(other.toString());
        while (true) {
            boolean moreLeft = left.find();
            boolean moreRight = right.find();
            if (!moreLeft || !moreRight) {
                return Boolean.compare(moreLeft, moreRight);
            }
            int order = piece(left.group(), right.group());
            if (order != 0) {
                return order;
            }
        }
    }

    private static int piece(String left, String right) {
        return isNumber(left) && isNumber(right)
                ? new BigInteger(left).compareTo(new BigInteger(right))
                : left.compareTo(right);
    }

    private static boolean isNumber(String piece) {
        return piece.charAt(0) >= '0' && piece.charAt(0) <= '9';
    }
}
