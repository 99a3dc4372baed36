# The test suites. Each prints what it does, and leaves its counts for the summary.

# name, usual minutes with everything cached, what it shows
suite_table() {
    cat <<'TABLE'
unit    3  format, lint and the unit tests of every module
launcher  1  this launcher: what it says and leaves when registries, disks and homes are missing
s3      2  what is said to S3, and the driver as built, against real servers: MinIO and the Versity gateway
engine  3  system calls, FUSE and the mounter as built against the real kernel, as root with /dev/fuse
semantics  4  docs/semantics.md line by line, and what users do, on buckets mounted by mount-s3 as built
sanity  1  csi-sanity, the conformance test of CSI, against controller and node on MinIO, with real mounts
api     4  the controller against a real API server: kube-apiserver and etcd
pods    3  Mountpoint Pods on a node: API server, controller, driver, mounters and mounts, with faults
node    4  volumes on a node: drivers, engines and mounts as built, on MinIO and the Versity gateway, with faults
outage  2  the store is killed, silent or busy for half a minute under readers and writers of a bucket mounted by mount-s3 as built
image   3  the image as built, taken apart and run: what is in it, that two builds are the same, that its caches are used
chart   3  the Helm chart: what it renders and refuses, what an API server says to it, its hooks as built
e2e     18  the driver in a whole cluster, installed from its image by its chart; and clusters that are killed
demo    1  the demo: from another directory, kept, killed in its middle, and again
TABLE
}

# Suites that run only when they are named: their programs are built with Rust, one of them for longer than everything else takes together.
on_demand_table() {
    cat <<'TABLE'
posix   1  what POSIX asks of a file system (pjdfstest): only what a bucket cannot do fails
differential  2  the same random operations on our mount and on Mountpoint's come to the same, or docs/differences.md says why not
TABLE
}

suite_names() { suite_table | cut -d' ' -f1; }
named_suites() { { suite_table; on_demand_table; } | cut -d' ' -f1; }

run_test_command() {
    if [ "${1:-}" = --list ]; then
        say "suite        minutes  shows"
        { suite_table; on_demand_table; } | while read -r name minutes shows; do printf '%-12s %-8s %s\n' "$name" "$minutes" "$shows"; done
        return
    fi
    local name
    for name in "$@"; do
        named_suites | grep -qx -- "$name" || usage_error "no test suite is named '$name'; ./s3csi test --list names them"
    done
    if [ $# -eq 0 ]; then
        mapfile -t all < <(suite_names)
        set -- "${all[@]}"
    fi
    # Before the first of them: what cannot run here is not found out after minutes of building.
    for name in "$@"; do
        case "$name" in
            unit | s3 | api | chart) ;;
            *) need_mounts "the suite $name" ;;
        esac
    done
    run_suites "$@"
}

# Counts go through a file, because a suite may run in a subshell.
count() { printf '%s %s %s\n' "$1" "$2" "$3" >>"$S3CSI_BUILD/counts"; }

count_junit() {
    find "$S3CSI_HOME" -path '*/target/surefire-reports/TEST-*.xml' -print0 | xargs -0 -r cat | awk '
        /<testsuite / {
            for (word = 1; word <= NF; word++)
                if (match($word, /^(tests|errors|failures|skipped)="[0-9]+"/)) {
                    split($word, pair, "\"")
                    total[substr(pair[1], 1, length(pair[1]) - 1)] += pair[2]
                }
        }
        END {
            failed = total["errors"] + total["failures"]
            printf "%d %d %d\n", total["tests"] - failed - total["skipped"], failed, total["skipped"]
        }' >>"$S3CSI_BUILD/counts"
}

junit_tests() {
    find "$S3CSI_HOME" -path '*/target/surefire-reports' -type d -prune -exec rm -rf {} +
    local status=0
    step "$@" || status=1
    count_junit
    return $status
}

suite_unit() {
    need_c_compiler
    use_build_tools
    lock_checkout
    local status=0
    # Modules beside each other. The other suites do not: they have whole programs and the kernel's mounts to watch.
    junit_tests unit "format, lint, unit tests" maven -T 1C verify || status=1
    unlock_checkout
    return $status
}

# The tests find the programs of other people where the launcher put them.
use_test_tools() { export S3CSI_TOOLS=$S3CSI_CACHE/bin; }

# tagged_tests TAG TEXT [MAVEN ARGUMENTS...]: the tests with a tag, against the programs as built.
tagged_tests() {
    local tag=$1 text=$2 status=0
    shift 2
    use_test_tools
    build_programs || return 1
    lock_checkout
    junit_tests "$tag" "$text" maven -Dspotless.check.skip "-Dgroups=$tag" -DexcludedGroups= "$@" test || status=1
    unlock_checkout
    return $status
}

suite_s3() {
    need_s3proxy
    need_minio
    need_versitygw
    need_proxies
    tagged_tests s3 "tests against real S3 servers"
}

suite_engine() {
    need_minio
    need_engine_programs
    tagged_tests engine "tests against the kernel"
}

suite_semantics() {
    need_minio
    need_versitygw
    need_proxies
    need_user_programs
    need_pandas
    need_fio
    tagged_tests semantics "what users read and do, on mounted buckets" -pl testbed -am
}

suite_posix() {
    need_minio
    need_pjdfstest
    tagged_tests posix "what POSIX asks of a file system" -pl testbed -am
}

suite_node() {
    need_minio
    need_versitygw
    tagged_tests node "a node and its volumes" -pl testbed -am
}

suite_api() {
    need_control_plane
    need_minio
    tagged_tests api "the controller and a real API server" -pl testbed -am
}

suite_pods() {
    need_control_plane
    need_minio
    tagged_tests pods "Mountpoint Pods on a node" -pl testbed -am
}

suite_image() {
    need_minio
    build_image || return 1
    local status=0 results=$S3CSI_HOME/testbed/target/image.txt
    rm -f "$results"
    step image-again "making the image again, without caches" image_again || return 1
    tagged_tests image "the image" -pl testbed -am || status=1
    [ ! -e "$results" ] || sed 's/^/  /' "$results"
    tail -n 1 "$S3CSI_LOGS/image-archive.log" | sed 's/^/  /'
    return $status
}
image_again() {
    local directory=$S3CSI_BUILD/image-again
    umask 077
    rm -rf "$directory"
    mkdir -p "$directory/root"
    link_runtime "$directory/root"
    lay_out_image "$directory/root"
    pack_image "$directory"
}

suite_chart() {
    need_helm
    need_control_plane
    tagged_tests chart "the Helm chart" -pl testbed -am
}

# The clusters end whatever becomes of the tests: the first is what users get who say nothing, the second has two nodes, and a store with
# accounts behind TLS.
suite_e2e() {
    local status=0
    cluster_down
    (cluster_up) || { keep_cluster_logs; cluster_down; return 1; }
    expect "the demo of the cluster tells what happened" cluster_demo_ends_well
    cluster_down
    (cluster_up --store versity --nodes 2) || { keep_cluster_logs; cluster_down; return 1; }
    # Most of it is waiting for Kubernetes: classes run beside each other, but for those that say that they must be alone. Without the limit of
    # the pool others would begin while these wait, until the cluster has no time for any.
    tagged_tests e2e "volumes in a cluster" -pl testbed -am -Djunit.jupiter.execution.parallel.enabled=true \
        -Djunit.jupiter.execution.parallel.mode.classes.default=concurrent \
        -Djunit.jupiter.execution.parallel.config.strategy=fixed -Djunit.jupiter.execution.parallel.config.fixed.parallelism=3 \
        -Djunit.jupiter.execution.parallel.config.fixed.max-pool-size=3 || status=1
    [ "$status" -eq 0 ] || keep_cluster_logs
    expect "a cluster that is killed leaves only what the next one removes" cluster_killed
    expect "a node loses its power and comes back" cluster_node_restarted
    expect "the end of a cluster leaves nothing" cluster_leaves_nothing
    cluster_down
    [ "$status" -eq 0 ] && ! grep -q '^0 1 0$' "$S3CSI_BUILD/counts"
}
# What is worth reading after a failure: with the cluster it would go.
keep_cluster_logs() {
    say "  what the cluster had to say is in $S3CSI_LOGS/cluster and $S3CSI_LOGS/cluster-story.log"
    rm -rf "$S3CSI_LOGS/cluster"
    cp -r "$CLUSTER/log" "$S3CSI_LOGS/cluster" || true
    tell_of_cluster >"$S3CSI_LOGS/cluster-story.log" 2>&1
}
cluster_demo_ends_well() { (cd / && "$S3CSI_HOME/s3csi" cluster demo) | tee /dev/stderr | grep -q '^done: '; }
cluster_killed() {
    kill -KILL "$(holder "$CLUSTER")"
    fails_with 1 "$S3CSI_HOME/s3csi" cluster kubectl get nodes
    [ -n "$(remains_of_cluster)" ]
    "$S3CSI_HOME/s3csi" cluster up --without-driver
    "$S3CSI_HOME/s3csi" cluster kubectl wait --for=condition=Ready node/node1 --timeout=60s
}
cluster_node_restarted() {
    local before
    before=$(holder "$CLUSTER/node1")
    restart_node 1
    [ "$(holder "$CLUSTER/node1")" != "$before" ]
    kubectl_here run witness --image busybox:test --image-pull-policy Never --restart Never --command -- echo "node1 is back"
    await 60 "a pod on the restarted node" witness_is_back
}
witness_is_back() { kubectl_here logs witness | grep -q 'node1 is back'; }
cluster_leaves_nothing() {
    "$S3CSI_HOME/s3csi" cluster down
    remains_of_cluster
    [ -z "$(remains_of_cluster)" ]
    [ -z "$(mounts_below "$CLUSTER")" ]
    ! grep -lsF "$CLUSTER/" /proc/[0-9]*/cmdline
    "$S3CSI_HOME/s3csi" cluster down | grep -q 'nothing of one is left'
}

suite_outage() {
    need_minio
    local status=0 results=$S3CSI_HOME/testbed/target/outages.txt
    rm -f "$results"
    tagged_tests outage "the store goes and comes back under load" -pl testbed -am || status=1
    [ ! -e "$results" ] || sed 's/^/  /' "$results"
    return $status
}

suite_sanity() {
    need_minio
    need_csi_sanity
    use_test_tools
    build_programs || return 1
    lock_checkout
    local status=0 results=$S3CSI_HOME/testbed/target/sanity closing
    rm -rf "$results"
    step sanity "csi-sanity against controller and node" maven -Dspotless.check.skip -Dgroups=sanity -DexcludedGroups= -pl testbed -am test || status=1
    unlock_checkout
    # Ginkgo's last word: SUCCESS! -- N Passed | N Failed | N Pending | N Skipped
    closing=$(grep -Eo '[0-9]+ Passed \| [0-9]+ Failed \| .*' "$results/csi-sanity.log" 2>/dev/null | tail -n 1) || return 1
    say "  csi-sanity: $closing"
    count_ginkgo "$closing"
    return $status
}

count_ginkgo() {
    local passed failed pending skipped
    read -r passed failed pending skipped < <(tr -cs '0-9' ' ' <<<"$1")
    count "$passed" "$failed" $((pending + skipped))
}

suite_differential() {
    need_minio
    need_peer
    build_programs || return 1
    expect "200 sequences of operations come to the same on our mount and on Mountpoint's" \
        java_main testbed s3csi.testbed.differential.Differential ours mountpoint "$S3CSI_HOME/docs/differences.md" 1 200
    ! grep -q '^0 1 0$' "$S3CSI_BUILD/counts"
}

# A user's first contact must survive what users do.
suite_demo() {
    need_s3proxy
    need_minio
    build_programs || return 1
    expect "the demo runs from another directory" demo_ends_well
    expect "the demo is killed in its middle: its servers die with it, its mounts are gone after the next demo" demo_killed
    expect "Ctrl-C ends the demo, which leaves nothing behind and prints no more about it" demo_interrupted
    expect "the demo is kept, used by a shell, and ended" demo_kept
    expect "a kept demo that is killed is ended, too" demo_kept_killed
    expect "the demo runs again after that, on MinIO" demo_ends_well --store minio
    ! grep -q '^0 1 0$' "$S3CSI_BUILD/counts"
}
demo_ends_well() {
    (cd / && "$S3CSI_HOME/s3csi" demo "$@") | tee /dev/stderr | grep -q '^done: ' && nothing_of "$(demo_directory)"
}
# Where the demo that runs or was killed has its files; empty when there is none.
demo_directory() { cat "$S3CSI_BUILD/demo.lock" 2>/dev/null || true; }
mounts_below() { awk -v below="$1/" 'index($5, below) == 1' /proc/self/mountinfo; }
nothing_of() { [ -z "$1" ] || { [ ! -e "$1" ] && [ -z "$(mounts_below "$1")" ] && [ -z "$(pgrep -f -- "--comm-dir=$1/")" ]; }; }
demo_killed() {
    local demo directory children
    # One that waits with its S3 server and its drivers running and two targets mounted: any other may be further when it is killed.
    keep_demo --store s3proxy || return 1
    directory=$(demo_directory)
    demo=$(kept_demo)
    children=$(pgrep -P "$demo")
    kill -9 "$demo"
    [ -n "$(mounts_below "$directory")" ] || return 1
    have_ended "$demo"$'\n'"$children" && demo_ends_well && nothing_of "$directory"
}
# As a terminal does it: the launcher and the demo hear of it at once.
demo_interrupted() {
    local log=$S3CSI_LOGS/demo-interrupted.log directory demo
    # With job control a command in the background has a process group of its own. A step is told to ignore the signal, and so would the demo.
    set -m
    env --default-signal=INT,QUIT "$S3CSI_HOME/s3csi" demo >"$log" 2>&1 </dev/null &
    demo=$!
    set +m
    until grep -q 'NodePublishVolume mounted' "$log"; do
        kill -0 "$demo" || { cat "$log"; return 1; }
        sleep 0.05
    done
    directory=$(demo_directory)
    kill -INT -- "-$demo"
    wait "$demo" && return 1
    cat "$log"
    ! grep -Eq '^\s+at |Exception|Error' "$log" && [ -n "$directory" ] && nothing_of "$directory"
}
have_ended() {
    local waited
    for waited in $(seq 100); do
        # shellcheck disable=SC2086
        ps -o stat= -p $(tr '\n' ',' <<<"$1" | sed 's/,$//') 2>/dev/null | grep -qv '^Z' || return 0
        sleep 0.1
    done
    return 1
}
demo_kept() {
    local directory demo printed
    printed=$(keep_demo --store s3proxy) || return 1
    # Every line once: the last ones say where it is mounted.
    [ "$printed" = "$(cat "$S3CSI_LOGS/demo-kept.log")" ] || { diff - "$S3CSI_LOGS/demo-kept.log" <<<"$printed"; return 1; }
    directory=$(demo_directory)
    demo=$(kept_demo)
    echo noted >"$directory/node/pods/pod-a/mount/note.txt"
    [ "$(cat "$directory/node/pods/pod-b/mount/note.txt")" = noted ] || return 1
    # A second one must not get in the way of the first.
    ! demo_main --store s3proxy || return 1
    "$S3CSI_HOME/s3csi" demo --end && nothing_of "$directory" && have_ended "$demo"
}
kept_demo() { pgrep -f "s3csi.testbed.demo.Demo $S3CSI_BUILD/demo.lock --keep"; }
demo_kept_killed() {
    local directory
    keep_demo --store s3proxy || return 1
    directory=$(demo_directory)
    kill -9 "$(kept_demo)"
    [ -n "$(mounts_below "$directory")" ] || return 1
    "$S3CSI_HOME/s3csi" demo --end && nothing_of "$directory"
}

# In a network namespace of its own a command reaches no registry; without its caches it has to.
suite_launcher() {
    build_programs || return 1
    expect "without package registries setup says what is missing and leaves no half-made cache" setup_without_registries
    expect "what is fetched later, too" fetches_without_registries
    expect "a cache folder that cannot be written to is told, and nothing lands elsewhere" unusable_cache
    expect "a build folder of somebody else is told, too" foreign_build
    expect "programs are not laid out on a full disk" full_disk
    expect "NOTICE names every library that is shipped, and no other" notice_is_complete
    expect "help needs no home" env -u HOME "$S3CSI_HOME/s3csi" help
    expect "wrong options are told before anything is built" wrong_options
    expect "that root is needed, too" not_root
    ! grep -q '^0 1 0$' "$S3CSI_BUILD/counts"
}
# fails_with STATUS COMMAND...: whether the command ends with that status; what it prints is printed.
fails_with() {
    local expected=$1 status=0
    shift
    "$@" || status=$?
    [ "$status" -eq "$expected" ] || { complain "exit status $status where $expected was expected: $*"; return 1; }
}
empty_place() {
    place=$(mktemp -d)
    # shellcheck disable=SC2064
    trap "rm -rf '$place'" EXIT
    mkdir "$place/cache" "$place/home"
}
setup_without_registries() {
    local place
    empty_place
    # Maven takes the home from the user's entry, not from HOME, and one that is new enough from the PATH.
    MAVEN_OPTS=-Duser.home=$place/home HOME=$place/home S3CSI_CACHE=$place/cache \
        fails_with 3 unshare --net "$S3CSI_HOME/s3csi" setup >"$place/printed" 2>&1
    cat "$place/printed"
    grep -q 'failed after .* s; the end of ' "$place/printed"
    grep -q 'is missing' "$place/printed"
    if grep -Eq '^ready|: done' "$place/printed"; then return 1; fi
    [ -z "$(ls -A "$place/cache")" ]
}
fetches_without_registries() {
    local place what
    empty_place
    for what in need_s3proxy need_minio need_pandas $(command -v cargo >/dev/null && echo need_pjdfstest); do
        # Rust's tools are looked for in the home, too, and stay where they are.
        RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} CARGO_HOME=$place/home PIP_CACHE_DIR=$place/home PIP_RETRIES=0 \
            MAVEN_OPTS=-Duser.home=$place/home HOME=$place/home S3CSI_CACHE=$place/cache \
            fails_with 3 unshare --net "$S3CSI_HOME/launcher/step.sh" "$what" >"$place/printed" 2>&1
        cat "$place/printed"
        grep -q 'failed after .* s; the end of ' "$place/printed"
        [ -z "$(find "$place/cache" -type f -print -quit)" ]
    done
}
unusable_cache() {
    local place
    empty_place
    cd "$place/home"
    S3CSI_CACHE=/dev/null/cache fails_with 3 "$S3CSI_HOME/s3csi" build 2>"$place/printed"
    grep -q '/dev/null/cache cannot be written to' "$place/printed"
    [ -z "$(ls -A "$place/home")" ]
}
foreign_build() {
    local place
    empty_place
    launcher_alone
    mkdir -p "$place/alone/build/log"
    echo "old words" >"$place/alone/build/log/maven.log"
    chmod 755 "$place" "$place/alone"
    chown -R 65534:65534 "$place/cache" "$place/home"
    HOME=$place/home S3CSI_CACHE=$place/cache fails_with 3 setpriv --reuid 65534 --regid 65534 --clear-groups \
        "$place/alone/s3csi" build 2>"$place/printed"
    cat "$place/printed"
    grep -q "$place/alone/build/log cannot be written to by .*; it belongs to root" "$place/printed"
    if grep -q 'old words\|is missing' "$place/printed"; then return 1; fi
}
full_disk() {
    local place
    empty_place
    # shellcheck disable=SC2016
    fails_with 1 unshare --mount sh -c 'mount -t tmpfs -o size=64k none "$S3CSI_HOME/build" &&
        exec "$S3CSI_HOME/launcher/step.sh" lay_out_programs "" "$JAVA_HOME" "$S3CSI_HOME/build/lib" "$S3CSI_HOME/build/bin"' >"$place/printed" 2>&1
    cat "$place/printed"
    grep -q 'No space left' "$place/printed"
}
# The last column of its table has patterns of jars; the project's own jars carry its version.
notice_is_complete() {
    local patterns pattern jar
    mapfile -t patterns < <(sed -n '/^  Library/,/^$/p' "$S3CSI_HOME/NOTICE" | tail -n +2 | cut -c77- | tr ' ' '\n' | grep -v '^$')
    for jar in "$S3CSI_BUILD"/lib/*.jar; do
        jar=${jar##*/}
        [ -z "$(ls -d "$S3CSI_HOME/${jar%-"$(own_version)".jar}/pom.xml" 2>/dev/null)" ] || continue
        for pattern in "${patterns[@]}" "$jar: not in NOTICE"; do
            # shellcheck disable=SC2053
            [[ $jar != $pattern ]] || continue 2
        done
        complain "$pattern"
        return 1
    done
    for pattern in "${patterns[@]}"; do
        compgen -G "$S3CSI_BUILD/lib/$pattern" >/dev/null || { complain "NOTICE has $pattern, and no such jar is shipped"; return 1; }
    done
}
own_version() { sed -n 's#.*<revision>\(.*\)</revision>.*#\1#p' "$S3CSI_HOME/pom.xml"; }
# The launcher without anything that it could build: it fails in another way if it comes so far.
launcher_alone() {
    mkdir "$place/alone"
    cp -r "$S3CSI_HOME/s3csi" "$S3CSI_HOME/launcher" "$place/alone/"
}
wrong_options() {
    local place words
    empty_place
    launcher_alone
    while read -r words; do
        # shellcheck disable=SC2086
        fails_with 2 "$place/alone/s3csi" $words
    done <<'WORDS'
nonsense
test nonsense
image --nonsense
demo --nonsense
demo --store nonsense
cluster nonsense
cluster up --nonsense
cluster up --store nonsense
cluster up --nodes many
bench nonsense
bench engine --nonsense
bench engine --rounds many
bench node --nonsense
bench control --nonsense
bench footprint --nonsense
WORDS
}
not_root() {
    local place words
    empty_place
    launcher_alone
    chown -R 65534:65534 "$place"
    while read -r words; do
        # shellcheck disable=SC2086
        HOME=$place/home S3CSI_CACHE=$place/cache fails_with 3 setpriv --reuid 65534 --regid 65534 --clear-groups \
            "$place/alone/s3csi" $words 2>"$place/printed"
        cat "$place/printed"
        grep -q 'run it as root' "$place/printed"
    done <<'WORDS'
image
demo
test
test differential
cluster up
bench control
bench engine
bench node
bench footprint
WORDS
}

# expect TEXT COMMAND...: one test of a suite that is a script.
expect() {
    local text=$1
    shift
    if step "$(tr -cs 'a-z0-9' '-' <<<"$text")" "$text" "$@"; then count 1 0 0; else count 0 1 0; fi
}

run_suites() {
    local name started passed failed skipped status=0 lines=() sum_passed=0 sum_failed=0 sum_skipped=0
    mkdir -p "$S3CSI_BUILD"
    for name in "$@"; do
        started=$SECONDS
        say "$name:"
        : >"$S3CSI_BUILD/counts"
        local verdict=ok
        "suite_$name" || verdict=FAILED
        read -r passed failed skipped < <(awk '{ p += $1; f += $2; s += $3 } END { printf "%d %d %d\n", p, f, s }' "$S3CSI_BUILD/counts")
        if [ "$verdict" = ok ] && [ "$passed" -eq 0 ]; then
            verdict="FAILED (it ran no test)"
        fi
        # A suite that broke before it could count is a failure all the same.
        [ "$verdict" = ok ] || { status=1; [ "$failed" -gt 0 ] || failed=1; }
        lines+=("$(printf '%-10s %6d passed %4d failed %4d skipped %5d s  %s' "$name" "$passed" "$failed" "$skipped" "$((SECONDS - started))" "$verdict")")
        sum_passed=$((sum_passed + passed)) sum_failed=$((sum_failed + failed)) sum_skipped=$((sum_skipped + skipped))
    done
    say ""
    printf '%s\n' "${lines[@]}"
    say "$sum_passed passed, $sum_failed failed, $sum_skipped skipped"
    return $status
}
