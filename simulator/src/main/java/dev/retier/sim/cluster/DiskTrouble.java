package dev.retier.sim.cluster;

/** What is wrong with the disk of one node, whoever writes to it. Not thread-safe. */
public final class DiskTrouble {
    private boolean isStill;
    private boolean isJournalFailing;
    private boolean isFailingFiles;

    DiskTrouble() {}

    /** Whether what is appended to the journal waits until that ends. */
    public void standStill(boolean isWanted) {
        isStill = isWanted;
    }

    /** Whether nothing more gets into the folder of the journal, where pauses are kept too. */
    public void failJournal(boolean isWanted) {
        isJournalFailing = isWanted;
    }

    /** Whether no file for the server can be written. */
    public void failFiles(boolean isWanted) {
        isFailingFiles = isWanted;
    }

    boolean isStill() {
        return isStill;
    }

    boolean isJournalFailing() {
        return isJournalFailing;
    }

    boolean isFailingFiles() {
        return isFailingFiles;
    }
}
