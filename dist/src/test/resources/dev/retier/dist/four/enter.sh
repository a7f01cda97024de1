# Four Debian machines with httpd and one with HAProxy, each with a network and files of its own, on one bridge.
set -e
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir /run/netns
ip link set lo up
ip link add br0 type bridge
ip addr add 10.88.0.1/24 dev br0
ip link set br0 up

machine() { # name address
    mkdir -p "$FOLDER/$1/files" "$FOLDER/$1/work" "$FOLDER/$1/root"
    ip netns add "$1"
    ip link add "v$1" type veth peer name eth0 netns "$1"
    ip link set "v$1" master br0 up
    ip -n "$1" addr add "$2/24" dev eth0
    ip -n "$1" link set eth0 up
    ip -n "$1" link set lo up
    root=$FOLDER/$1/root
    mount -t overlay overlay -o "lowerdir=/,upperdir=$FOLDER/$1/files,workdir=$FOLDER/$1/work" "$root"
    mount --rbind /proc "$root/proc"
    mount --rbind /dev "$root/dev"
    for folder in run tmp mnt usr/lib/jvm; do
        mount -t tmpfs tmpfs "$root/$folder"
    done
    mkdir "$root/run/lock"
    cp "$PACKAGES"/retier_*.deb "$FOLDER"/*.sh "$FOLDER/cluster.yaml" "$root/mnt"
}

on() { # machine arguments of sh...
    at=$1
    shift
    ip netns exec "$at" unshare --uts chroot "$FOLDER/$at/root" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C NODE="$at" sh -e "$@"
}

retier() { # machine arguments...
    place=$1
    shift
    on "$place" -c "retier $* --config /etc/retier/cluster.yaml"
}

address() { # machine
    case $1 in
        front) echo 10.88.0.20 ;;
        web-*) echo "10.88.0.1${1#web-}" ;;
    esac
}

nodes="web-1 web-2 web-3 web-4"
for name in $nodes front; do
    machine "$name" "$(address "$name")"
done
for name in $nodes; do
    on "$name" /mnt/node.sh >"$FOLDER/$name-set-up.log" 2>&1 &
done
on front -c 'dpkg -i /mnt/retier_*.deb' >"$FOLDER/front-set-up.log" 2>&1
for pid in $(jobs -p); do
    wait "$pid"
done
on web-1 -c 'retier secret new >/dev/null; cat /etc/retier/secret' >"$FOLDER/secret"
on web-1 -c 'mkdir /mnt/ca; retier cert new /mnt/ca >/dev/null'
authority=$FOLDER/web-1/root/mnt/ca
for name in $nodes front; do
    on web-1 -c "retier cert sign --ca /mnt/ca --out /mnt/ca --name $name --ip $(address "$name") >/dev/null"
    cp "$FOLDER/secret" "$authority/ca.pem" "$authority/$name.pem" "$authority/$name.key" "$FOLDER/$name/root/mnt"
    on "$name" /mnt/files.sh
done
for name in $nodes; do
    on "$name" /mnt/agent.sh >"$FOLDER/$name-agent.log" 2>&1 &
done
on front /mnt/edge.sh >"$FOLDER/front-edge.log" 2>&1 &
until retier front status -o csv 2>/dev/null | grep -c ',up,' | grep -qx 4; do sleep 0.5; done
until retier front status 2>/dev/null | grep -q 'edge front of shop: runs'; do sleep 0.5; done
for name in $nodes; do
    on "$name" -c 'setpriv --reuid retier --regid retier --init-groups retier doctor --config /etc/retier/cluster.yaml' || true
done

clients() { # begins to ask; what they were answered is told by "asked"
    rm -f "$FOLDER/stop"
    ip netns exec front "$JAVA" -Xmx128m -Djdk.httpclient.allowRestrictedHeaders=host,connection \
        -Djdk.internal.httpclient.disableHostnameVerification=true \
        -cp "$CLASSES" dev.retier.dist.ContentClients "$FOLDER/stop" &
    asking=$!
}

asked() { # what
    touch "$FOLDER/stop"
    echo "asked $1"
    wait "$asking"
}

moves() { # how many, and the phases in which httpd is reloaded
    left=$1
    shift
    while [ "$left" -gt 0 ]; do
        for move in web-2:app web-3:proxy web-2:proxy web-3:app; do
            name=${move%:*}
            if [ $# -gt 0 ]; then
                phase=$1
                shift
                (tail -n 0 -F "$FOLDER/$name-agent.log" | grep -m 1 -q ": $phase "; on "$name" -c 'apachectl graceful') 2>/dev/null &
                set -- "$@" "$phase"
            fi
            retier web-1 "move $name --to shop/${move#*:} -o csv" 2>&1 | tail -n 1
            left=$((left - 1))
        done
    done
}

clients
moves "$MOVES"
asked moves
clients
for number in $(seq "$RELOADS"); do
    on web-2 -c 'apachectl graceful' 2>/dev/null
    sleep 0.7
    on web-3 -c 'apachectl graceful' 2>/dev/null
    sleep 0.7
done
asked reloads
clients
moves $((2 * RELOADS)) ORDERED UPSTREAM_PROVEN DRAINED SWITCHING SWITCHED PROVEN ACTIVE
asked both
