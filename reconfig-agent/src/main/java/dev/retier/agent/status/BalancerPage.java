package dev.retier.agent.status;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page of httpd's balancer-manager.
 *
 * @param nonce without which it changes nothing and says nothing of that
 * @param members by URL
 */
public record BalancerPage(String nonce, Map<String, Setting> members) {
    /**
     * How a member is set.
     *
     * @param isIn whether it may be given requests
     * @param hundredths its load factor, times 100
     */
    public record Setting(boolean isIn, int hundredths) {}

    /** One row: the link with the worker and the nonce, then route, redirect, factor and set, then the status. */
    private static final Pattern ROW =
            Pattern.compile("[?&]b=([^&\"]+)&amp;w=([^&\"]+)&amp;nonce=([0-9a-fA-F-]{8,64})\">"
                    + "[^<]*</a></td>(?:<td>[^<]*</td>){2}<td>(\\d{1,3})\\.(\\d\\d)</td>"
                    + "<td>[^<]*</td><td>([^<]*)</td>");
    /** Among the words of the status: disabled, stopped, draining. */
    private static final Pattern OUT = Pattern.compile("\\b(Dis|Stop|Drn)\\b");

    /** Keeps its own copy of the map. */
    public BalancerPage {
        members = Map.copyOf(members);
    }

    /** The page, for the balancer of that name; empty if it has none such. */
    public static Optional<BalancerPage> parse(String html, String balancer) {
        Map<String, Setting> members = new LinkedHashMap<>();
        String nonce = "";
        Matcher matcher = ROW.matcher(html);
        while (matcher.find()) {
            if (matcher.group(1).equals(balancer)) {
                nonce = matcher.group(3);
                int hundredths = 100 * Integer.parseInt(matcher.group(4)) + Integer.parseInt(matcher.group(5));
                members.put(
                        url(matcher.group(2)),
                        new Setting(!OUT.matcher(matcher.group(6)).find(), hundredths));
            }
        }
        return members.isEmpty() ? Optional.empty() : Optional.of(new BalancerPage(nonce, members));
    }

    /** Of a link, in which the brackets of an IPv6 address are escaped; no plus sign stands for a space there. */
    private static String url(String escaped) {
        try {
            return URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return escaped;
        }
    }
}
