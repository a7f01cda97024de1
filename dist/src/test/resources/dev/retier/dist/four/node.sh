# As an administrator sets a machine up: the default site as packaged, a site of his own by name, with and without TLS, and PHP.
echo "$NODE" >/proc/sys/kernel/hostname
a2enmod ssl proxy_fcgi setenvif
a2enconf php8.2-fpm
mkdir -p /var/www/shop/static /run/php /etc/apache2/private
echo "the shop" >/var/www/shop/static/retier-proof
echo "the shop, static" >/var/www/shop/page.html
echo "Debian Default Page of $NODE" >/var/www/html/page.html
cat >/var/www/shop/app.php <<'X'
<?php echo "the shop of ", gethostname(), " has read ", strlen(file_get_contents("php://input")), " bytes",
  ($_SERVER["HTTPS"] ?? "") === "on" ? " by TLS" : " in the clear";
X
cat >/var/www/shop/slow.php <<'X'
<?php for ($i = 0; $i < 20; $i++) { echo str_repeat("chunk $i ", 200); flush(); usleep(10000); } echo "the last chunk";
X
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=shop.example \
    -keyout /etc/apache2/private/shop.key -out /etc/apache2/private/shop.pem
chmod 600 /etc/apache2/private/shop.key
cat >/etc/apache2/sites-available/shop.conf <<'X'
<VirtualHost *:80>
	ServerName shop.example
	ServerAlias www.shop.example
	DocumentRoot /var/www/shop
	ErrorLog ${APACHE_LOG_DIR}/shop.log
</VirtualHost>
<VirtualHost *:443>
	ServerName shop.example
	DocumentRoot /var/www/shop
	SSLEngine on
	SSLCertificateFile /etc/apache2/private/shop.pem
	SSLCertificateKeyFile /etc/apache2/private/shop.key
</VirtualHost>
X
a2ensite shop
php-fpm8.2 -D
apachectl start
dpkg -i /mnt/retier_*.deb
