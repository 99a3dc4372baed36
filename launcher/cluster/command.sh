# ./s3csi cluster: a whole Kubernetes on this machine, with an S3 server and the driver in it.

run_cluster() {
    local what=${1:-}
    [ $# -eq 0 ] || shift
    case "$what" in
        up) cluster_up "$@" ;;
        demo) no_more_arguments "$@"; cluster_demo ;;
        kubectl) need_cluster && kubectl_here "$@" ;;
        helm) need_cluster && helm_here "$@" ;;
        down) no_more_arguments "$@"; cluster_down ;;
        *) usage_error "cluster takes up, demo, kubectl, helm and down" ;;
    esac
}

cluster_up() {
    local store=s3proxy nodes=1 driver=yes program number started=$SECONDS
    while [ $# -gt 0 ]; do
        case "$1" in
            --store) store=${2:-}; shift ;;
            --nodes) nodes=${2:-}; shift ;;
            --without-driver) driver=no ;;
            *) usage_error "cluster up takes --store s3proxy|minio|versity, --nodes 1|2 and --without-driver" ;;
        esac
        shift || true
    done
    case "$store" in
        s3proxy | minio) program=$store ;;
        versity) program=versitygw ;;
        *) usage_error "'$store' is no store for the cluster; there are s3proxy, minio and versity" ;;
    esac
    case "$nodes" in 1 | 2) ;; *) usage_error "--nodes needs 1 or 2" ;; esac
    need_mounts "the cluster"
    say "cluster:"
    cluster_runs && { complain "a cluster of this checkout runs already; ./s3csi cluster down ends it"; return 1; }
    need_containers
    need_control_plane
    need_helm
    "need_$program"
    build_image || return 1
    lock_checkout
    [ -z "$(remains_of_cluster)" ] || step cluster-leftovers "removing what an earlier cluster left" remove_cluster || return 1
    step cluster-control-plane "starting a control plane" make_control_plane || return 1
    for number in $(seq "$nodes"); do step "cluster-node$number" "starting node $number" join_node "$number" || return 1; done
    step cluster-store "starting the S3 server" start_store "$store" || return 1
    [ "$driver" = no ] || step cluster-driver "installing the driver by its chart" install_driver || return 1
    touch "$CLUSTER/up"
    unlock_checkout
    say "ready after $((SECONDS - started)) s:"
    [ "$driver" = no ] || say "  ./s3csi cluster demo                    shows volumes in it"
    say "  ./s3csi cluster kubectl get pods -A     or KUBECONFIG=$CLUSTER/kubeconfig for a kubectl of yours"
    say "  ./s3csi cluster down                    ends it and leaves nothing"
}

install_driver() {
    local network pods address store endpoint region driver_access_key_id driver_secret_access_key
    cluster_settings
    kubectl_here --namespace kube-system apply --filename - <<TEXT
apiVersion: v1
kind: Secret
metadata: {name: s3-secret}
stringData: {access_key_id: "$driver_access_key_id", secret_access_key: "$driver_secret_access_key"}
TEXT
    helm_here install s3-csi "$S3CSI_HOME/chart" --namespace kube-system --values "$CLUSTER/values.yaml" \
        --set "s3.endpointUrl=$endpoint,s3.region=$region" --wait --timeout 3m || { tell_of_cluster; return 1; }
}
# For people who look for what went wrong.
tell_of_cluster() {
    local program
    kubectl_here get pods,persistentvolumeclaims,persistentvolumes,mountpoints3podattachments --all-namespaces --output wide || true
    kubectl_here get events --all-namespaces || true
    for program in s3-csi-controller s3-csi-node; do
        kubectl_here --namespace kube-system logs --selector "app=$program" --all-containers --tail 200 || true
    done
}

cluster_demo() {
    need_cluster || return 1
    helm_here status s3-csi --namespace kube-system >/dev/null 2>&1 ||
        { complain "the cluster has no driver: it was started with --without-driver; end it, and start one with it"; return 1; }
    say "demo, of launcher/cluster/demo.yaml:"
    use_jdk
    java_main testbed s3csi.testbed.demo.ClusterDemo "$CLUSTER" "$S3CSI_HOME/launcher/cluster/demo.yaml"
}

cluster_runs() { [ -e "$CLUSTER/up" ] && [ -n "$(holder "$CLUSTER")" ]; }
need_cluster() { cluster_runs || { complain "no cluster of this checkout runs; ./s3csi cluster up starts one"; return 1; }; }

make_control_plane() {
    mkdir -p "$CLUSTER/log"
    hold "$CLUSTER" unshare --net
    make_network
    make_certificates
    start_control_plane
    make_images
}

# What workloads run, and what holds the namespaces of a pod: both are busybox.
make_images() {
    local root=$CLUSTER/busybox
    mkdir -p "$root"/{bin,dev,etc,proc,sys,tmp}
    chmod 1777 "$root/tmp"
    cp "$CONTAINERS/bin/busybox" "$root/bin/"
    "$root/bin/busybox" --install -s "$CLUSTER/busybox/bin"
    find "$root/bin" -type l -exec ln -sfn busybox {} ';'
    printf '%s\n' root:x:0:0:root:/: >"$root/etc/passwd"
    image_from_directory busybox:test "$root" "$CLUSTER/busybox.tar" --env PATH=/bin
    image_from_directory pause:test "$root" "$CLUSTER/pause.tar" --env PATH=/bin --entrypoint sleep --entrypoint infinity
}

join_node() {
    start_node "$1"
    import_image "$1" "$CLUSTER/pause.tar"
    import_image "$1" "$CLUSTER/busybox.tar"
    # By the name that the examples have for it, too.
    on_node "$1" ctr --namespace k8s.io images tag docker.io/library/busybox:test docker.io/library/busybox:stable
    import_driver_image "$1"
    await 60 "node$1" kubectl_here get "node/node$1"
    await_node "$1"
}

import_driver_image() { import_image "$1" "$(image_archive "$S3CSI_IMAGE")"; }
import_image() { on_node "$1" ctr --namespace k8s.io images import "$2"; }

helm_here() { KUBECONFIG=$CLUSTER/kubeconfig "$S3CSI_CACHE/bin/helm" "$@"; }

cluster_down() {
    lock_checkout
    if [ -z "$(remains_of_cluster)" ]; then
        say "done: no cluster runs, and nothing of one is left"
    else
        step cluster-down "ending the cluster" remove_cluster || return 1
    fi
    unlock_checkout
}
