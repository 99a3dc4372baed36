# The parts of a cluster: its namespaces, certificates, control plane and nodes.
#
# A cluster is a network and a pid namespace; each node is a pid and a mount namespace in it, with a kubelet directory, a containerd and a
# group of control groups of its own. So a cluster ends with one process, and a node can lose its power. Outside of them a cluster has a
# network device, control groups and the files in build/cluster.

CLUSTER=$S3CSI_BUILD/cluster
# Of each checkout its own, so that several can have a cluster.
CLUSTER_NAME=s3csi-$(printf '%s' "$S3CSI_HOME" | sha256sum | cut -c1-8)
CLUSTER_SERVICES=198.19.0
CONTAINERS=$S3CSI_CACHE/debian/containers

# --- Namespaces

# holder DIRECTORY: the process that holds a cluster or a node, as the machine counts processes; nothing when there is none.
holder() {
    local process words
    for process in /proc/[0-9]*; do
        mapfile -d '' -t words 2>/dev/null <"$process/cmdline" || continue
        [ "${words[*]}" != "bash $S3CSI_HOME/launcher/cluster/hold.sh $1" ] || printf '%s\n' "${process#/proc/}"
    done
}

# hold DIRECTORY COMMAND...: makes the namespaces that the command, which ends in unshare's options, asks for.
hold() {
    local directory=$1
    shift
    rm -f "$directory/held"
    # The lock of the checkout must not stay with it.
    setsid "$@" --pid --mount --fork --kill-child --mount-proc bash "$S3CSI_HOME/launcher/cluster/hold.sh" "$directory" \
        </dev/null >>"$CLUSTER/log/hold.log" 2>&1 8>&- &
    await 10 "the namespaces of $directory" test -e "$directory/held"
}

# enter DIRECTORY COMMAND...: runs it where the cluster, or the node, is.
enter() {
    local held
    held=$(holder "$1")
    [ -n "$held" ] || { complain "$1 does not run."; return 1; }
    shift
    nsenter --target "$held" --mount --net --pid -- "$@"
}

# start_in DIRECTORY NAME COMMAND...: a program that stays, with its output in a log and its number there in a file.
start_in() {
    local directory=$1 name=$2
    shift 2
    # Proxies of the machine are not meant for a cluster. Set apart from the terminal, it does not hear Ctrl-C.
    # shellcheck disable=SC2016
    enter "$directory" env -i PATH="$CONTAINERS/usr/bin:$CONTAINERS/usr/sbin:/usr/sbin:/usr/bin:/sbin:/bin" HOME=/root \
        bash -c 'log=$1 pid=$2; shift 2; setsid "$@" >>"$log" 2>&1 </dev/null 8>&- & echo "$!" >"$pid"' \
        start "$CLUSTER/log/$name.log" "$CLUSTER/$name.pid" "$@"
}

# stop_in DIRECTORY NAME: kills what start_in started there.
stop_in() { enter "$1" kill -KILL "$(cat "$CLUSTER/$2.pid")"; }

# await SECONDS WHAT COMMAND...: until the command succeeds; after that time it says what did not come.
await() {
    local until=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >"$CLUSTER/await.out" 2>&1; do
        [ "$SECONDS" -lt "$until" ] || { complain "$what did not come up in time: $(tail -n 3 "$CLUSTER/await.out")"; return 1; }
        sleep 0.1
    done
}

# --- Network

# The machine is .1 in the first network, the cluster .2, and its nodes .11 and .12; pods have the second one. Only that pair of networks is
# joined with the machine, and no way leads further from there.
make_network() {
    local held try pair
    held=$(holder "$CLUSTER")
    for try in $(seq 0 127); do
        pair=$(((0x${CLUSTER_NAME#s3csi-} + try) % 128 * 2))
        [ -n "$(ip route show to root "198.18.$pair.0/23")$(ip -br address | grep -F " 198.18.$pair.")" ] || break
    done
    cat >"$CLUSTER/settings" <<TEXT
network=198.18.$pair
pods=198.18.$((pair + 1))
address=198.18.$pair.2
TEXT
    ip link add "$CLUSTER_NAME" type veth peer name uplink netns "$held"
    ip address add "198.18.$pair.1/24" dev "$CLUSTER_NAME"
    ip link set "$CLUSTER_NAME" up
    enter "$CLUSTER" ip address add "198.18.$pair.2/24" dev uplink
    enter "$CLUSTER" ip address add "$CLUSTER_SERVICES.1/32" dev lo
    enter "$CLUSTER" ip link set lo up
    enter "$CLUSTER" ip link set uplink up
    enter "$CLUSTER" sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
    ip route add "198.18.$((pair + 1)).0/24" via "198.18.$pair.2"
}

# Names what make_network chose: network, pods, address.
cluster_settings() {
    # shellcheck source=/dev/null
    source "$CLUSTER/settings"
}

# --- Certificates

make_certificates() {
    local network pods address
    cluster_settings
    mkdir -p "$CLUSTER/pki"
    authority ca /CN=cluster
    openssl ecparam -name prime256v1 -genkey -noout -out accounts.key
    openssl ec -in accounts.key -pubout -out accounts.pub
    certificate ca apiserver /CN=kube-apiserver \
        "IP:$CLUSTER_SERVICES.1,IP:$address,IP:127.0.0.1,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc"
    certificate ca admin /O=system:masters/CN=admin
    write_kubeconfig "$CLUSTER/kubeconfig" admin
}

# authority NAME SUBJECT
authority() {
    cd "$CLUSTER/pki"
    openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"
    openssl req -x509 -new -key "$1.key" -days 30 -subj "$2" -out "$1.crt"
}

# certificate AUTHORITY NAME SUBJECT [ALTERNATIVE NAMES]
certificate() {
    cd "$CLUSTER/pki"
    openssl ecparam -name prime256v1 -genkey -noout -out "$2.key"
    openssl req -new -key "$2.key" -subj "$3" |
        openssl x509 -req -CA "$1.crt" -CAkey "$1.key" -CAcreateserial -days 30 -out "$2.crt" -extfile <(
            echo "extendedKeyUsage=serverAuth,clientAuth"
            [ -z "${4:-}" ] || echo "subjectAltName=$4"
        )
}

# write_kubeconfig FILE CERTIFICATE
write_kubeconfig() {
    local network pods address
    cluster_settings
    cat >"$1" <<TEXT
apiVersion: v1
kind: Config
current-context: $CLUSTER_NAME
clusters:
  - name: $CLUSTER_NAME
    cluster:
      server: https://$address
      certificate-authority: $CLUSTER/pki/ca.crt
users:
  - name: $2
    user:
      client-certificate: $CLUSTER/pki/$2.crt
      client-key: $CLUSTER/pki/$2.key
contexts:
  - name: $CLUSTER_NAME
    context:
      cluster: $CLUSTER_NAME
      user: $2
TEXT
}

kubectl_here() { KUBECONFIG=$CLUSTER/kubeconfig "$S3CSI_CACHE/bin/kubectl" "$@"; }

# --- Control plane

start_control_plane() {
    local network pods address pki=$CLUSTER/pki bin=$S3CSI_CACHE/bin manager
    cluster_settings
    start_in "$CLUSTER" etcd "$bin/etcd" --data-dir="$CLUSTER/etcd" --unsafe-no-fsync --log-level=warn
    # On port 443 of the service's own address pods find it without kube-proxy.
    start_in "$CLUSTER" kube-apiserver "$bin/kube-apiserver" \
        --etcd-servers=http://127.0.0.1:2379 --secure-port=443 --bind-address=0.0.0.0 --advertise-address="$address" \
        --service-cluster-ip-range="$CLUSTER_SERVICES.0/24" --endpoint-reconciler-type=none \
        --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --allow-privileged=true \
        --client-ca-file="$pki/ca.crt" --tls-cert-file="$pki/apiserver.crt" --tls-private-key-file="$pki/apiserver.key" \
        --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$pki/accounts.pub" \
        --service-account-signing-key-file="$pki/accounts.key" --kubelet-preferred-address-types=InternalIP \
        --kubelet-client-certificate="$pki/admin.crt" --kubelet-client-key="$pki/admin.key"
    await 90 "the API server" kubectl_here get --raw=/readyz
    manager=(--kubeconfig="$CLUSTER/kubeconfig" --leader-elect=false --authentication-kubeconfig="$CLUSTER/kubeconfig"
        --authorization-kubeconfig="$CLUSTER/kubeconfig")
    start_in "$CLUSTER" kube-controller-manager "$bin/kube-controller-manager" "${manager[@]}" --use-service-account-credentials \
        --root-ca-file="$pki/ca.crt" --service-account-private-key-file="$pki/accounts.key"
    start_in "$CLUSTER" kube-scheduler "$bin/kube-scheduler" "${manager[@]}"
    await 60 "the account of pods" kubectl_here --namespace default get serviceaccount default
}

# --- Nodes

# start_node NUMBER: the machine of the node, then what runs on it; also after its power was cut.
start_node() {
    local directory=$CLUSTER/node$1 network pods address
    cluster_settings
    mkdir -p "$directory"/{kubelet,containerd,cni,log,config}
    make_groups "$CLUSTER_NAME/node$1"
    [ -e "$CLUSTER/pki/node$1.crt" ] || certificate ca "node$1" "/O=system:nodes/CN=system:node:node$1"
    enter "$CLUSTER" ip address replace "$network.1$1/24" dev uplink
    # From within the cluster, so that the node ends with it; its name for the network is the cluster's.
    hold "$directory" nsenter --target "$(holder "$CLUSTER")" --mount --net --pid -- unshare
    enter "$directory" "$S3CSI_HOME/launcher/step.sh" furnish_node "$directory"
    write_node_files "$1"
    start_in "$directory" "node$1-containerd" "$CONTAINERS/usr/bin/containerd" --config "$directory/config/containerd.toml"
    await 30 "containerd" on_node "$1" ctr version
    start_kubelet "$1"
}

start_kubelet() {
    local directory=$CLUSTER/node$1 network pods address
    cluster_settings
    start_in "$directory" "node$1-kubelet" "$S3CSI_CACHE/bin/kubelet" --config="$directory/config/kubelet.yaml" \
        --root-dir="$(kubelet_path "$directory")" \
        --kubeconfig="$directory/config/kubeconfig" --hostname-override="node$1" --node-ip="$network.1$1" --cert-dir="$directory/config"
}

# on_node NUMBER COMMAND...: a program of containerd's, or of the machine, on the node.
on_node() {
    local directory=$CLUSTER/node$1
    shift
    enter "$directory" env PATH="$CONTAINERS/usr/bin:$CONTAINERS/usr/sbin:$PATH" "$@"
}

await_node() { kubectl_here wait --for=condition=Ready "node/node$1" --timeout=90s; }

# What a test does to a node.
restart_kubelet() {
    stop_in "$CLUSTER/node$1" "node$1-kubelet"
    start_kubelet "$1"
}
# As when the power fails: processes, mounts and /run are gone, disks stay.
restart_node() {
    kill -KILL "$(holder "$CLUSTER/node$1")"
    await 10 "the end of node$1" node_is_gone "$1"
    # Of each that is left kubelet would ask for seconds what runs in it.
    await 10 "the end of the control groups of node$1" remove_groups "$CLUSTER_NAME/node$1"
    start_node "$1"
}
# As when nobody brought the image there; import_driver_image brings it back.
remove_driver_image() { on_node "$1" ctr --namespace k8s.io images remove --sync "docker.io/$IMAGE_REPOSITORY:$(version)"; }
# move_kubelet NUMBER PATH: the node with its kubelet's directory somewhere below /var/lib.
move_kubelet() {
    echo "$2" >"$CLUSTER/node$1/config/kubelet-path"
    restart_node "$1"
}
kubelet_path() { cat "$1/config/kubelet-path" 2>/dev/null || echo /var/lib/kubelet; }
node_is_gone() { [ -z "$(holder "$CLUSTER/node$1")" ]; }

# furnish_node DIRECTORY, in the node: mounts that workloads and the driver may share, over everything that the node would write outside of its directory.
furnish_node() {
    local name value kubelet
    kubelet=$(kubelet_path "$1")
    mount --make-rshared /
    mount -t tmpfs -o mode=755 run /run
    mount --bind "$1/log" /var/log
    # The machine may have neither of the two directories, and must not get them: it would keep them, or share them with a kubelet of its own.
    mkdir /run/{checkout,upper,work}
    mount --rbind "$S3CSI_HOME" /run/checkout
    mount -t overlay -o lowerdir=/var/lib,upperdir=/run/upper,workdir=/run/work overlay /var/lib
    mkdir -p "$kubelet" /var/lib/cni
    mount --bind "$1/kubelet" "$kubelet"
    mount --bind "$1/cni" /var/lib/cni
    # The checkout may be in /var/lib.
    mount --rbind /run/checkout "$S3CSI_HOME"
    # Kubelet would set these for the whole machine; it leaves those alone that have its value.
    while read -r name value; do
        echo "$value" >"$1/config/${name##*/}"
        mount --bind "$1/config/${name##*/}" "/proc/sys/$name"
    done <<'TABLE'
vm/overcommit_memory 1
vm/panic_on_oom 0
kernel/panic 10
kernel/panic_on_oops 1
kernel/keys/root_maxkeys 1000000
kernel/keys/root_maxbytes 25000000
TABLE
}

write_node_files() {
    local directory=$CLUSTER/node$1 network pods address
    cluster_settings
    write_kubeconfig "$directory/config/kubeconfig" "node$1"
    # Neither may give its children a better score than it has itself without the right to it.
    cat >"$directory/config/containerd.toml" <<TEXT
version = 2
root = "$directory/containerd"
state = "/run/containerd"
[grpc]
address = "/run/containerd/containerd.sock"
[plugins."io.containerd.internal.v1.opt"]
path = "$directory/containerd/opt"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "pause:test"
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "$CONTAINERS/usr/lib/cni"
conf_dir = "$directory/config/cni"
TEXT
    mkdir -p "$directory/config/cni"
    # One bridge for all nodes, and one list of the addresses given out.
    cat >"$directory/config/cni/10-pods.conflist" <<TEXT
{
  "cniVersion": "0.4.0",
  "name": "pods",
  "plugins": [
    {
      "type": "bridge",
      "bridge": "pods",
      "isGateway": true,
      "ipam": {
        "type": "host-local",
        "dataDir": "$CLUSTER/addresses",
        "ranges": [[{"subnet": "$pods.0/24"}]],
        "routes": [{"dst": "0.0.0.0/0"}]
      }
    }
  ]
}
TEXT
    cat >"$directory/config/kubelet.yaml" <<TEXT
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $network.1$1
healthzPort: 0
authentication:
  anonymous: {enabled: false}
  webhook: {enabled: true}
  x509: {clientCAFile: $CLUSTER/pki/ca.crt}
authorization: {mode: Webhook}
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cgroupDriver: cgroupfs
# Kubelets that share a machine take each other's pods for orphans unless their groups are apart.
cgroupRoot: /$CLUSTER_NAME/node$1
failSwapOn: false
oomScoreAdj: 0
maxPods: 250
# How often volumes are published again, and changed Secrets reach pods: a minute, where nobody waits for it.
syncFrequency: 10s
makeIPTablesUtilChains: false
volumePluginDir: $directory/config/plugins
# Nobody answers there, and says so at once.
clusterDNS: [$network.1$1]
clusterDomain: cluster.local
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 0%, nodefs.available: 0%, nodefs.inodesFree: 0%, imagefs.available: 0%}
TEXT
}

# --- Control groups

# Every hierarchy of version 1, or the one of version 2.
group_roots() { if [ -e /sys/fs/cgroup/cgroup.controllers ]; then echo /sys/fs/cgroup; else ls -d /sys/fs/cgroup/*/; fi; }

make_groups() {
    local root group
    while read -r root; do
        for group in "$root/${1%/*}" "$root/$1"; do
            mkdir -p "$group"
            # A group of version 1 has no processors until it is told, one of version 2 no controllers.
            [ ! -e "$group/cpuset.mems" ] || [ -e "$group/cgroup.controllers" ] ||
                for name in cpuset.cpus cpuset.mems; do cat "$group/../$name" >"$group/$name"; done
            [ ! -e "$group/cgroup.controllers" ] || sed 's/[a-z]\+/+&/g' "$group/cgroup.controllers" >"$group/cgroup.subtree_control"
        done
    done < <(group_roots)
}

remove_groups() {
    local root
    while read -r root; do
        [ ! -d "$root/$1" ] || find "$root/$1" -depth -type d -exec rmdir {} +
    done < <(group_roots)
}

# --- The end

# What a cluster of this checkout has outside of its files; also of one that was killed in its middle.
remains_of_cluster() {
    local root
    holder "$CLUSTER"
    for root in 1 2; do holder "$CLUSTER/node$root"; done
    ! ip link show "$CLUSTER_NAME" >/dev/null 2>&1 || echo "network device $CLUSTER_NAME"
    while read -r root; do [ ! -d "$root/$CLUSTER_NAME" ] || echo "control group $root/$CLUSTER_NAME"; done < <(group_roots)
    [ ! -d "$CLUSTER" ] || echo "$CLUSTER"
}

remove_cluster() {
    local held
    for held in $(holder "$CLUSTER"); do kill -KILL "$held"; done
    # For the words of await.
    mkdir -p "$CLUSTER"
    await 20 "the end of the cluster's processes" cluster_is_gone
    # The device goes with the network namespace, a moment later.
    await 10 "the end of the cluster's network" no_device
    await 10 "the end of the cluster's control groups" remove_groups "$CLUSTER_NAME"
    rm -rf "$CLUSTER"
}
cluster_is_gone() { [ -z "$(holder "$CLUSTER")$(holder "$CLUSTER/node1")$(holder "$CLUSTER/node2")" ]; }
no_device() { ! ip link show "$CLUSTER_NAME" 2>/dev/null || { ip link delete "$CLUSTER_NAME"; false; }; }

# --- The S3 server

# start_store NAME: reached by pods and by the machine at the cluster's address. What is to be known about it goes into the settings, what the
# chart has to be told in this cluster into values.yaml.
start_store() {
    local network pods address scheme=http
    cluster_settings
    mkdir -p "$CLUSTER/store"
    # No node reaches a registry: the image is on it already, and those of Kubernetes' sidecars are not.
    printf '%s\n' 'image: {pullPolicy: Never}' 'sidecars: {enabled: false}' >"$CLUSTER/values.yaml"
    [ "$1" != versity ] || scheme=https
    cat >>"$CLUSTER/settings" <<TEXT
store=$1
endpoint=$scheme://$address:9000
region=us-east-1
TEXT
    account "" cluster
    cluster_settings
    "start_$1"
    # Where the store has one account, it is the driver's, too.
    grep -q ^driver_ "$CLUSTER/settings" || grep -E '^(secret_)?access_key' "$CLUSTER/settings" | sed 's/^/driver_/' >>"$CLUSTER/settings"
}

# account PREFIX NAME: keys of an account, for the settings.
account() { printf '%saccess_key_id=%s\n%ssecret_access_key=%s\n' "$1" "$2" "$1" "$(openssl rand -hex 20)" >>"$CLUSTER/settings"; }

start_s3proxy() {
    cat >"$CLUSTER/s3proxy.properties" <<TEXT
s3proxy.endpoint=$endpoint
s3proxy.authorization=aws-v2-or-v4
s3proxy.identity=$access_key_id
s3proxy.credential=$secret_access_key
jclouds.provider=filesystem-nio2
jclouds.filesystem.basedir=$CLUSTER/store
TEXT
    start_in "$CLUSTER" store "$S3CSI_CACHE/bin/s3proxy" --properties "$CLUSTER/s3proxy.properties"
    await 60 "S3Proxy" answers "$address" 9000 /healthz
}

start_minio() {
    start_in "$CLUSTER" store env MINIO_ROOT_USER="$access_key_id" MINIO_ROOT_PASSWORD="$secret_access_key" \
        "$S3CSI_CACHE/bin/minio" server --quiet --address "$address:9000" "$CLUSTER/store"
    await 60 "MinIO" answers "$address" 9000 /minio/health/live
}

# With TLS, by an authority that only those trust who are told to, and with two accounts beside the one that may do everything: the driver's,
# and a tenant's. Either may make buckets, and sees nothing of the other's.
start_versity() {
    local name secret
    authority store-ca /CN=store-ca
    {
        printf 'tls:\n  caCertConfigMap: s3-ca\n  caCertData: |\n'
        sed 's/^/    /' "$CLUSTER/pki/store-ca.crt"
    } >>"$CLUSTER/values.yaml"
    echo "authority=$CLUSTER/pki/store-ca.crt" >>"$CLUSTER/settings"
    mkdir -p "$CLUSTER/accounts"
    run_versity store-ca
    for name in driver tenant; do
        account "${name}_" "$name"
        secret=$(sed -n "s/^${name}_secret_access_key=//p" "$CLUSTER/settings")
        versity_admin store-ca create-user --access "$name" --secret "$secret" --role userplus
    done
}

# run_versity AUTHORITY: with a certificate by that one.
run_versity() {
    certificate "$1" store /CN=store "IP:$address"
    start_in "$CLUSTER" store env ROOT_ACCESS_KEY="$access_key_id" ROOT_SECRET_KEY="$secret_access_key" "$S3CSI_CACHE/bin/versitygw" \
        --port "$address:9000" --cert "$CLUSTER/pki/store.crt" --key "$CLUSTER/pki/store.key" --region "$region" --quiet --keep-alive \
        --iam-dir "$CLUSTER/accounts" --iam-cache-disable posix "$CLUSTER/store"
    await 60 "the Versity gateway" versity_admin "$1" list-users
}

# versity_admin AUTHORITY COMMAND...: as the account that may do everything.
versity_admin() {
    local trusted=$CLUSTER/pki/$1.crt
    shift
    enter "$CLUSTER" env -i ADMIN_ACCESS_KEY="$access_key_id" ADMIN_SECRET_KEY="$secret_access_key" ADMIN_REGION="$region" \
        ADMIN_ENDPOINT_URL="$endpoint" SSL_CERT_FILE="$trusted" "$S3CSI_CACHE/bin/versitygw" admin "$@"
}

# What a test does to the store's accounts: store_accounts COMMAND..., which is one of the gateway's administration.
store_accounts() {
    local network pods address store endpoint region access_key_id secret_access_key
    cluster_settings
    versity_admin store-ca "$@"
}
# What a test does to the store: renew_store_certificate AUTHORITY
renew_store_certificate() {
    local network pods address store endpoint region access_key_id secret_access_key
    cluster_settings
    make_authority "$1"
    stop_in "$CLUSTER" store
    await 10 "the end of the store" is_silent "$address" 9000
    run_versity "$1"
}
is_silent() { ! (exec 3<>"/dev/tcp/$1/$2"); }
make_authority() { [ -e "$CLUSTER/pki/$1.crt" ] || authority "$1" "/CN=$1"; }
# answers ADDRESS PORT PATH: whether a server says yes to a request.
answers() { (exec 3<>"/dev/tcp/$1/$2" && printf 'GET %s HTTP/1.0\r\nHost: %s\r\n\r\n' "$3" "$1" >&3 && head -n 1 <&3 | grep ' 200 '); }
