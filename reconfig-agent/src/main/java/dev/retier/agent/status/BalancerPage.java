package dev.retier.agent.status;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page of httpd's balancer-manager.
 *
 * @param nonce without which it changes nothing and says nothing of that
 * @param members by URL: whether each may be given requests
 */
public record BalancerPage(String nonce, Map<String, Boolean> members) {
    /** One row: the link with the worker and the nonce, then route, redirect, factor and set, then the status. */
    private static final Pattern ROW =
            Pattern.compile("[?&]b=([^&\"]+)&amp;w=([^&\"]+)&amp;nonce=([0-9a-fA-F-]{8,64})\">"
                    + "[^<]*</a></td>(?:<td>[^<]*</td>){4}<td>([^<]*)</td>");
    /** Among the words of the status: disabled, stopped, draining. */
    private static final Pattern OUT = Pattern.compile("\\b(Dis|Stop|Drn)\\b");

    /** Keeps its own copy of the map. */
    public BalancerPage {
        members = Map.copyOf(members);
    }

    /** The page, for the balancer of that name; empty if it has none such. */
    public static Optional<BalancerPage> parse(String html, String balancer) {
        Map<String, Boolean> members = new LinkedHashMap<>();
        String nonce = "";
        Matcher matcher = ROW.matcher(html);
        while (matcher.find()) {
            if (matcher.group(1).equals(balancer)) {
                nonce = matcher.group(3);
                members.put(matcher.group(2), !OUT.matcher(matcher.group(4)).find());
            }
        }
        return members.isEmpty() ? Optional.empty() : Optional.of(new BalancerPage(nonce, members));
    }
}
