package dev.retier.agent.render;

import dev.retier.agent.config.ServerKind;
import dev.retier.agent.render.Rendering.Mark;
import java.nio.file.Path;

/**
 * The parts of a server's configuration that the agent generates unless the operator has a template of his own.
 * Stateless. Names: {@code cluster}, {@code node}, {@code site}, {@code pool}, {@code epoch} (of the header), {@code
 * structure} (its second half), {@code variable} (that tells the header of an edge), {@code flag} (how the paths of
 * {@link RoleFlags} begin), {@code admin}, {@code staged} (path of the staged file), {@code slowstart} (in
 * milliseconds), the flags {@code proxy}, {@code app}, {@code spare}, {@code edge}, {@code slow}, {@code named} (each
 * site has host names); the list {@code names} of all sites' host names, with {@code labels} of {@code label}, each but
 * the last with {@code more}; the list {@code hosts} of the site with {@code name}; and the list {@code members} with
 * {@code name}, {@code address}, {@code weight} (a multiple of the smallest machine), {@code proportion} (256 for the
 * largest) and the flags {@code in}, {@code out} and {@code larger} (than the smallest).
 */
public final class BuiltInTemplates {
    /**
     * Stands at server level once, before all virtual hosts, and then in each virtual host of a site. It says the same
     * in every role: which one the node has is asked of the file system with each request ({@link RoleFlags}), so that
     * a move takes no reload. Checked by {@code httpd -t -D RETIER_STAGED} it reads the staged file in its place.
     *
     * <p>A proxy sends a request on as it came, undecoded, unless it came by TLS for no name of a site: apps are asked
     * without, where the virtual host of such a name may be missing, and another one would answer. One that a node of
     * the same cluster has sent on is answered where it is, so that none goes in a circle while nodes disagree. What is
     * kept of answers is kept from those of apps, and given by a proxy alone. Members that are out are listed as
     * disabled, so that the balancer-manager can take them in; what it has changed outlasts a reload of somebody else.
     * An app knows of a request that its client has sent by TLS to the proxy. What stands before the proxies takes
     * X-Retier-Hop and X-Retier-Tls out of what clients send. WebSockets pass from httpd 2.4.47 on. What httpd knows of
     * a member outlasts a reload with all its parameters. What the agent asks its own port for is in no log.
     */
    private static final String HTTPD = """
            <IfDefine !RETIER_STAGED>
              <IfDefine RETIER_IS_PROXY>
                BalancerPersist On
                RewriteEngine On
                RewriteCond "${RETIER_IS_PROXY}" -f
                RewriteCond "%{HTTP:X-Retier-Hop}" "!={{cluster}}"
            {{#named}}
                RewriteCond "%{HTTPS}" "!=on" [OR]
                RewriteCond "%{HTTP_HOST}" "^(?:\
            {{#names}}{{#labels}}{{label}}{{#more}}\\.{{/more}}{{/labels}}{{#more}}|{{/more}}{{/names}}\
            )\\.?(?::[0-9]+)?$" [NC]
            {{/named}}
                RewriteCond "%{THE_REQUEST}" "^\\S+ (?:[A-Za-z]+://[^/ ?]*)?(/[^ ?]*)"
                RewriteRule "^" "balancer://{{pool}}%1" [P,NE,E=retier_hop:1]
                ProxyPreserveHost On
                SetEnvIfExpr "req_novary('X-Retier-Hop') == '{{cluster}}' && \
            req_novary('X-Retier-Tls') == 'on'" HTTPS=on
                RequestHeader unset X-Retier-Tls "expr=req_novary('X-Retier-Hop') != '{{cluster}}'"
                RequestHeader set X-Retier-Tls on "expr=%{HTTPS} == 'on'"
                RequestHeader set X-Forwarded-Proto https "expr=%{HTTPS} == 'on'"
                RequestHeader set X-Retier-Hop {{cluster}} env=retier_hop
                <IfModule mod_cache.c>
                  CacheQuickHandler Off
                  RequestHeader set Cache-Control no-store "expr=! -f '${RETIER_IS_PROXY}'"
                </IfModule>
                SetEnvIfExpr "-f '{{flag}}.letgo' && (\
            (-f '{{flag}}.letgo.0' && %{REMOTE_PORT} =~ /0.$/) || \
            (-f '{{flag}}.letgo.1' && %{REMOTE_PORT} =~ /1.$/) || \
            (-f '{{flag}}.letgo.2' && %{REMOTE_PORT} =~ /2.$/) || \
            (-f '{{flag}}.letgo.3' && %{REMOTE_PORT} =~ /3.$/) || \
            (-f '{{flag}}.letgo.4' && %{REMOTE_PORT} =~ /4.$/) || \
            (-f '{{flag}}.letgo.5' && %{REMOTE_PORT} =~ /5.$/) || \
            (-f '{{flag}}.letgo.6' && %{REMOTE_PORT} =~ /6.$/) || \
            (-f '{{flag}}.letgo.7' && %{REMOTE_PORT} =~ /7.$/) || \
            (-f '{{flag}}.letgo.8' && %{REMOTE_PORT} =~ /8.$/) || \
            (-f '{{flag}}.letgo.9' && %{REMOTE_PORT} =~ /9.$/))" nokeepalive
                Header onsuccess unset X-Retier-Epoch
                Header always set X-Retier-Epoch "expr=%{file:{{flag}}.stamp}-{{structure}}"\
             "expr=%{QUERY_STRING} =~ /retier-proof=/"
              </IfDefine>
              <IfDefine !RETIER_IS_PROXY>
                Define RETIER_IS_PROXY "{{flag}}.proxy"
                Define RETIER_NODE {{node}}
                Define RETIER_UPGRADE retry=0
                <IfModule mod_version.c>
                  <IfVersion >= 2.4.47>
                    Define RETIER_UPGRADE upgrade=websocket
                  </IfVersion>
                </IfModule>
                <Proxy "balancer://{{pool}}">
            {{#members}}
                  BalancerMember "http://{{address}}" route={{name}} retry=0 connectiontimeout=2 ttl=3 ${RETIER_UPGRADE}{{#larger}} loadfactor={{weight}}{{/larger}}\
            {{#out}} status=+D{{/out}}
            {{/members}}
                  ProxySet lbmethod=bybusyness
                </Proxy>
                <VirtualHost {{admin}}>
                  <IfModule mod_log_config.c>
                    CustomLog /dev/null "%s"
                  </IfModule>
                  BalancerPersist On
                  ProxyPass "/" "!"
                  <Location "/.retier/balancer">
                    SetHandler balancer-manager
                  </Location>
                  <Location "{{status}}">
                    SetHandler server-status
                  </Location>
                  <Location "/">
                    <RequireAll>
                      Require ip 127.0.0.0/8 ::1
                      Require expr "-z %{HTTP:X-Forwarded-For} && -z %{HTTP:Forwarded} && -z %{HTTP:Via}"
                    </RequireAll>
                  </Location>
                  Header always set X-Retier-Epoch "expr=%{file:{{flag}}.stamp}-{{structure}}"
                </VirtualHost>
              </IfDefine>
            </IfDefine>
            """;

    /**
     * For the block http. What is said twice there counts once.
     */
    public static final String NGINX_UPGRADE = """
            map $http_upgrade $retier_upgrade {
              websocket websocket;
              default "";
            }
            map $retier_upgrade $retier_connection {
              websocket upgrade;
              default "";
            }
            """;

    /**
     * Stands in the http block. The operator's server block uses the upstream and the variables; those of an upgrade
     * let WebSockets through, and no HTTP/2 in the clear, which would pass by what the block forbids.
     *
     * <p>That of a node which may be an app, too, says by variables what the operator's block does with a request:
     * {@code retier_forward} is true in a proxy, but not for what a node of the same cluster has sent on, or came by
     * TLS for no name of a site, which is answered where it is. {@code retier_https} is on for who came here, or to the
     * proxy that has sent it on, by TLS. Others are for what is sent on. By {@code retier_role} files of two roles
     * always differ: one that is taken is shown. Apps keep an idle connection for longer than {@code
     * keepalive_timeout}, so that none is used that its app is closing.
     *
     * <p>What has one value is said by {@code geo}, whatever the address: nginx clears more than a megabyte for each
     * {@code map} at each reload (three hashes of 10,007 places, {@code NGX_HASH_LARGE}), of which a node has few
     * milliseconds of processor time to spare.
     */
    private static final String NGINX = NGINX_UPGRADE + """
            upstream {{pool}} {
            {{#proxy}}
              least_conn;
            {{#members}}
            {{#in}}
              server {{address}} max_fails=1 fail_timeout=1s;
            {{/in}}
            {{/members}}
              keepalive 16;
              keepalive_timeout 3s;
            {{/proxy}}
            {{#edge}}
              least_conn;
            {{#members}}
            {{#in}}
              server {{address}} max_fails=1 fail_timeout=1s;
            {{/in}}
            {{/members}}
              keepalive 16;
              keepalive_timeout 3s;
            {{/edge}}
            {{#app}}
              server 127.0.0.1:9 down;
            {{/app}}
            {{#spare}}
              server 127.0.0.1:9 down;
            {{/spare}}
            }
            geo $retier_epoch {
              default "{{epoch}}";
            }
            {{#edge}}
            geo ${{variable}} {
              default "{{epoch}}";
            }
            {{/edge}}
            {{^edge}}
            geo $retier_role {
              default "{{site}}{{#proxy}}/proxy{{/proxy}}{{#app}}/app{{/app}}{{#spare}}spare{{/spare}}";
            }
            {{/edge}}
            {{#content}}
            geo $retier_cluster {
              default "{{cluster}}";
            }
            {{#proxy}}
            map "$https of $http_x_retier_hop for $host" $retier_forward {
              "~^(?:on)? of {{cluster}} for " "";
            {{#named}}
              "~^on of .* for (?!(?:\
            {{#names}}{{#labels}}{{label}}{{#more}}\\.{{/more}}{{/labels}}{{#more}}|{{/more}}{{/names}}\
            )$)[^ ]*$" "";
            {{/named}}
              default 1;
            }
            {{/proxy}}
            {{^proxy}}
            geo $retier_forward {
              default "";
            }
            {{/proxy}}
            map "$http_x_retier_tls of $http_x_retier_hop" $retier_https {
              "on of {{cluster}}" on;
              default $https;
            }
            map $https $retier_proto {
              on https;
              default $http_x_forwarded_proto;
            }
            map $http_host $retier_port {
              "~(?<retier_port_asked>:[0-9]+)$" $retier_port_asked;
              default "";
            }
            {{/content}}
            """;

    /**
     * A file of its own after the operator's: a section each may appear more than once. Members that are out are listed
     * as disabled, so that the stats socket can take them in; a spare's all are, so that it becomes a proxy without a
     * reload. Of a node it also sets which share of the kept connections goes, each asked once a round, after its next
     * answer; an answer that opens a WebSocket keeps its Connection header. What httpds tell each other is no client's
     * to say.
     */
    private static final String HAPROXY = """
            global
              set-var proc.retier_epoch str({{epoch}})
            {{#edge}}
              set-var proc.{{variable}} str({{epoch}})
            {{#hosts}}
              # host {{name}}
            {{/hosts}}
            {{/edge}}
            {{^edge}}
              set-var proc.retier_let_go int(0)
              set-var proc.retier_round int(0)
            {{/edge}}
            backend {{pool}}
              balance leastconn
              option redispatch
              retries 3
              retry-on conn-failure empty-response
              http-request disable-l7-retry unless { method GET HEAD OPTIONS }
              http-request del-header X-Retier-Hop
              http-request del-header X-Retier-Tls
            {{^edge}}
              http-request set-var(sess.retier_round) var(proc.retier_round) unless { var(sess.retier_round) -m found }
              http-after-response set-header Connection close\
             if !{ status 101 } !{ var(sess.retier_round),sub(proc.retier_round) eq 0 }\
             { rand(100),sub(proc.retier_let_go) lt 0 }
              http-after-response set-var(sess.retier_round) var(proc.retier_round)
            {{/edge}}
            {{#members}}
              server {{name}} {{address}} weight {{proportion}} check inter 1s fall 3 rise 1\
            {{#slow}} slowstart {{slowstart}}{{/slow}}{{#out}} disabled{{/out}}
            {{/members}}
            """;

    /** The first lines of a file of httpd, which have its checker read a staged one. */
    private static final String HTTPD_STAGED = """
            <IfDefine RETIER_STAGED>
              UnDefine RETIER_STAGED
              Include "{{staged}}"
              Define RETIER_STAGED
            </IfDefine>
            """;

    private BuiltInTemplates() {}

    /** A file of httpd that says nothing, and has its checker read {@code staged}. */
    public static String httpdWay(Path staged) {
        return "# managed by retier: the way to a file that is being checked\n" + new Mark(0, "00000000").line("spare")
                + "\n" + HTTPD_STAGED.replace("{{staged}}", staged.toString());
    }

    /** The template of that kind. */
    public static Template of(ServerKind kind) {
        return Template.parse(
                switch (kind) {
                    case HTTPD -> HTTPD_STAGED + HTTPD;
                    case NGINX -> NGINX;
                    case HAPROXY -> HAPROXY;
                    case OTHER -> "";
                    case WEB_NODE -> throw new IllegalArgumentException("a web-node's file is JSON, with no template");
                });
    }
}
