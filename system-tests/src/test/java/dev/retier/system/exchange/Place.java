package dev.retier.system.exchange;

/** Memory of the peer: address, key and length in bytes. */
record Place(long address, int key, int bytes) {
    static Place of(Note note) {
        return new Place(note.first(), (int) note.second(), (int) note.third());
    }

    Note note() {
        return new Note(address, key, bytes);
    }
}
