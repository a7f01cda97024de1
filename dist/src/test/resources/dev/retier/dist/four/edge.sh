mkdir -p /run/retier-haproxy
cp /usr/share/doc/retier/examples/haproxy/edge.cfg /etc/retier/haproxy/edge.cfg
chown retier /run/retier-haproxy
as_retier="setpriv --reuid retier --regid retier --init-groups"
$as_retier retier edge --config /etc/retier/cluster.yaml --edge front &
until [ -s /etc/retier/haproxy/retier.cfg ]; do sleep 0.2; done
$as_retier haproxy -W -f /etc/retier/haproxy/edge.cfg -f /etc/retier/haproxy/retier.cfg -p /run/retier-haproxy/haproxy.pid &
wait
