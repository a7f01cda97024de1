package dev.retier.volume.disk;

/** There is no volume of that number, or none any more. */
final class NoVolumeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    NoVolumeException(int volume) {
        super("there is no volume or snapshot " + volume + " any more");
    }
}
