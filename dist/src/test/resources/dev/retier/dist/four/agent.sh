retier install httpd --config /etc/retier/cluster.yaml --node "$NODE"
chgrp retier /etc/apache2/private/shop.key    # what the doctor asks for: its checker reads it
chmod 640 /etc/apache2/private/shop.key
apachectl restart
umask 0077    # of an administrator who is more careful than the unit
exec setpriv --reuid retier --regid retier --init-groups retier agent --config /etc/retier/cluster.yaml --node "$NODE"
