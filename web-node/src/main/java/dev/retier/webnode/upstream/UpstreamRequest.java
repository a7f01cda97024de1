package dev.retier.webnode.upstream;

/**
 * What a proxy asks an app for; always by GET.
 *
 * @param target path and query as the client wrote them
 * @param host the client's Host header
 * @param via the Via header to send
 * @param clientAddress for X-Forwarded-For
 */
public record UpstreamRequest(String target, String host, String via, String clientAddress) {}
