# What all machines have, and the certificate of this one, as README has it.
install -m 640 -g retier /mnt/secret /etc/retier/secret
cp /mnt/cluster.yaml /etc/retier/cluster.yaml
install -d -m 750 -g retier /etc/retier/tls
install -m 640 -g retier /mnt/ca.pem -t /etc/retier/tls
install -m 640 -g retier "/mnt/$NODE.pem" /etc/retier/tls/node.pem
install -m 640 -g retier "/mnt/$NODE.key" /etc/retier/tls/node.key
