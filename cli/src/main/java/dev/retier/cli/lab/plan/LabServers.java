package dev.retier.cli.lab.plan;

/**
 * What the servers of this machine are called.
 *
 * @param httpd path of Apache httpd
 * @param modules its ServerRoot, which has the folder {@code modules}
 * @param haproxy path of HAProxy
 * @param nginx path of nginx; its bare name where it was not found
 * @param user who httpd's children are
 * @param group their group
 */
public record LabServers(String httpd, String modules, String haproxy, String nginx, String user, String group) {}
