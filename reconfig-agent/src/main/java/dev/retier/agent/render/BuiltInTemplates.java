package dev.retier.agent.render;

import dev.retier.agent.config.ServerKind;

/**
 * The parts of a server's configuration that the agent generates unless the operator has a template of his own.
 * Stateless. Names: {@code cluster}, {@code node}, {@code site}, {@code pool}, {@code epoch} (of the header), {@code
 * staged} (path of the staged file), {@code slowstart} (in milliseconds); the flags {@code proxy}, {@code app}, {@code
 * spare}, {@code edge}, {@code slow}; and the list {@code members} with {@code name}, {@code address} and
 * the flags {@code in} and {@code out}.
 */
public final class BuiltInTemplates {
    /**
     * Stands in a virtual host. Checked by {@code httpd -t -D RETIER_STAGED} it reads the staged file in its place.
     * Members that are out are listed as disabled, so that the balancer-manager can take them in. Answers of the status
     * pages go to the machine itself only, and not to what a proxy on it sends on for others.
     */
    private static final String HTTPD = """
            <IfDefine RETIER_STAGED>
              UnDefine RETIER_STAGED
              Include "{{staged}}"
              Define RETIER_STAGED
            </IfDefine>
            <IfDefine !RETIER_STAGED>
              Define RETIER_NODE {{node}}
            {{^spare}}
              Define RETIER_SITE {{site}}
            {{/spare}}
            {{#proxy}}
              Define RETIER_PROXY
              <Proxy "balancer://{{pool}}">
            {{#members}}
                BalancerMember "http://{{address}}" route={{name}} retry=1 connectiontimeout=2 ttl=3{{#out}} status=+D{{/out}}
            {{/members}}
                ProxySet lbmethod=bybusyness
              </Proxy>
              ProxyPass "/.retier/" "!"
              ProxyPass "/" "balancer://{{pool}}/"
              <Location "/.retier/balancer">
                SetHandler balancer-manager
              </Location>
            {{/proxy}}
            {{#app}}
              Define RETIER_APP
            {{/app}}
            {{#spare}}
              Define RETIER_SPARE
            {{/spare}}
              <Location "/.retier/status">
                SetHandler server-status
              </Location>
              <Location "/.retier/">
                <RequireAll>
                  Require ip 127.0.0.0/8 ::1
                  Require expr "-z %{HTTP:X-Forwarded-For} && -z %{HTTP:Forwarded} && -z %{HTTP:Via}"
                </RequireAll>
              </Location>
              Header onsuccess unset X-Retier-Epoch
              Header always set X-Retier-Epoch {{epoch}}
            </IfDefine>
            """;

    /** Stands in the http block. The operator's server block uses the upstream and the variable. */
    private static final String NGINX = """
            upstream {{pool}} {
            {{#proxy}}
              least_conn;
            {{#members}}
            {{#in}}
              server {{address}} max_fails=1 fail_timeout=1s;
            {{/in}}
            {{/members}}
              keepalive 16;
            {{/proxy}}
            {{#edge}}
              least_conn;
            {{#members}}
            {{#in}}
              server {{address}} max_fails=1 fail_timeout=1s;
            {{/in}}
            {{/members}}
              keepalive 16;
            {{/edge}}
            {{#spare}}
              server 127.0.0.1:9 down;
            {{/spare}}
            }
            map "" $retier_epoch {
              default "{{epoch}}";
            }
            """;

    /**
     * A file of its own after the operator's: a section each may appear more than once. Members that are out are listed
     * as disabled, so that the stats socket can take them in. Of a proxy it also sets which share of the kept
     * connections goes, each asked once a round, after its next answer.
     */
    private static final String HAPROXY = """
            global
              set-var proc.retier_epoch str({{epoch}})
            {{#proxy}}
              set-var proc.retier_let_go int(0)
              set-var proc.retier_round int(0)
            {{/proxy}}
            backend {{pool}}
              balance leastconn
              option redispatch
              retries 3
              retry-on conn-failure empty-response
              http-request disable-l7-retry unless { method GET HEAD OPTIONS }
            {{#proxy}}
              http-request set-var(sess.retier_round) var(proc.retier_round) unless { var(sess.retier_round) -m found }
              http-after-response set-header Connection close\
             if !{ var(sess.retier_round),sub(proc.retier_round) eq 0 } { rand(100),sub(proc.retier_let_go) lt 0 }
              http-after-response set-var(sess.retier_round) var(proc.retier_round)
            {{/proxy}}
            {{^spare}}
            {{#members}}
              server {{name}} {{address}} weight 100 check inter 1s fall 3 rise 1\
            {{#slow}} slowstart {{slowstart}}{{/slow}}{{#out}} disabled{{/out}}
            {{/members}}
            {{/spare}}
            """;

    private BuiltInTemplates() {}

    /** The template of that kind. */
    public static Template of(ServerKind kind) {
        return Template.parse(
                switch (kind) {
                    case HTTPD -> HTTPD;
                    case NGINX -> NGINX;
                    case HAPROXY -> HAPROXY;
                    case WEB_NODE -> throw new IllegalArgumentException("a web-node's file is JSON, with no template");
                });
    }
}
