package dev.retier.config;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.zip.ZipException;

/** Why a file could not be used, in words for people: Java's own messages are often just the file's name. Stateless. */
public final class IoReason {
    private IoReason() {}

    /** A few words, without the name of the file. */
    public static String of(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case UnknownHostException _ -> "its host name does not resolve";
            case EOFException _ -> "it ends in the middle";
            case ZipException _ -> "it is no whole gzip file";
            case CharacterCodingException _ -> "it is no UTF-8 text";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            case FileSystemException system -> "the system refuses it: " + system.getMessage();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
