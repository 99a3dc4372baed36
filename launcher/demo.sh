# The demo and the benchmarks.

# Whoever shows it mounts file systems.
need_mounts() {
    [ "$(id -u)" = 0 ] || missing "the right to mount" "${1^} mounts file systems: run it as root."
    [ -c /dev/fuse ] || missing "/dev/fuse" "${1^} mounts file systems: load the kernel module (modprobe fuse), or give the container the device."
    (: <>/dev/fuse) 2>/dev/null || missing "access to /dev/fuse" "${1^} mounts file systems: the container or security policy must allow the device."
}

demo_main() { java_main testbed s3csi.testbed.demo.Demo "$S3CSI_BUILD/demo.lock" "$@"; }

run_demo() {
    local keep= store=s3proxy fetch=
    if [ "$*" = --end ]; then
        # Not built again: a demo that is kept runs from what was built then.
        [ -e "$S3CSI_BUILD/demo.lock" ] || { say "done: no demo runs, and nothing of one is left"; return; }
        use_jdk
        demo_main --end
        return
    fi
    while [ $# -gt 0 ]; do
        case "$1" in
            --keep) keep=--keep ;;
            --store) [ $# -gt 1 ] || usage_error "--store needs s3proxy, minio or a URL"; store=$2; shift ;;
            *) usage_error "demo takes --keep, --end and --store s3proxy|minio|URL" ;;
        esac
        shift
    done
    case "$store" in
        s3proxy | minio) ;;
        http://* | https://*)
            [ -n "${AWS_ACCESS_KEY_ID:-}" ] && [ -n "${AWS_SECRET_ACCESS_KEY:-}" ] ||
                usage_error "a store of yours needs its keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_REGION)"
            ;;
        *) usage_error "'$store' is no store for the demo; there are s3proxy, minio, or the URL of one of yours" ;;
    esac
    need_mounts "the demo"
    say "demo:"
    use_build_tools
    # The store is fetched while the programs are built: a newcomer waits for the network once.
    case "$store" in
        s3proxy | minio)
            "need_$store" &
            fetch=$!
            # shellcheck disable=SC2064
            trap "kill $fetch 2>/dev/null || true" EXIT
            ;;
    esac
    build_programs || return 1
    [ -z "$fetch" ] || wait "$fetch" || exit
    trap - EXIT
    if [ -n "$keep" ]; then keep_demo --store "$store"; else demo_main --store "$store"; fi
}

# The demo stays behind us, with what a closing terminal sends ignored; we show what it says until all is mounted.
keep_demo() {
    local log=$S3CSI_LOGS/demo-kept.log shown=0 total demo kept
    mkdir -p "$S3CSI_LOGS"
    : >"$log"
    (trap '' HUP INT; demo_main --keep "$@") >"$log" 2>&1 </dev/null &
    demo=$!
    while kill -0 "$demo" 2>/dev/null; do
        # Asked before the lines are counted, so that the last of them are among those that are shown.
        kept=$(grep -c '^\./s3csi demo --end ends it' "$log") || true
        total=$(wc -l <"$log")
        # A range that ends before it begins is one line for sed, which would then be printed again.
        [ "$total" -le "$shown" ] || sed -n "$((shown + 1)),${total}p" "$log"
        shown=$total
        [ "$kept" -eq 0 ] || return 0
        sleep 0.1
    done
    tail -n +"$((shown + 1))" "$log" >&2
    return 1
}

# What can be said of the options before anything is built; which jobs there are only the benchmark itself knows.
check_engine_options() {
    while [ $# -gt 0 ]; do
        case "$1" in
            --quick | --json) ;;
            --rounds | --keys) [[ "${2:-}" =~ ^[1-9][0-9]{0,7}$ ]] || usage_error "$1 needs a positive number"; shift ;;
            --only | --contenders) [ $# -gt 1 ] || usage_error "$1 needs a value"; shift ;;
            *) usage_error "bench engine takes --quick, --json, --rounds N, --keys N, --only JOB,... and --contenders ours,mountpoint,s3fs" ;;
        esac
        shift
    done
}

# The controller with many simulated nodes, then the whole driver in a cluster of its own; a bar that the first misses does not hide the second.
bench_control() {
    local status=0
    cluster_runs && { complain "a cluster of this checkout runs already; ./s3csi cluster down ends it"; return 1; }
    java_main testbed s3csi.testbed.bench.ControlBenchmark "$@" || status=1
    (cluster_up >&2) || { cluster_down >&2; return 1; }
    java_main testbed s3csi.testbed.bench.ClusterBenchmark "$CLUSTER" "$@" || status=1
    cluster_down >&2
    return $status
}

run_bench() {
    local what=${1:-}
    [ $# -eq 0 ] || shift
    case "$what" in
        footprint)
            [ $# -eq 0 ] || [ "$*" = --json ] || usage_error "bench footprint takes --json only"
            need_mounts "the benchmark"
            # With --json, nothing else may be printed.
            need_minio >&2
            build_programs >&2 || return 1
            java_main testbed s3csi.testbed.bench.Footprint "$@"
            ;;
        node)
            [ $# -eq 0 ] || [ "$*" = --json ] || usage_error "bench node takes --json only"
            need_mounts "the benchmark"
            need_minio >&2
            build_programs >&2 || return 1
            java_main testbed s3csi.testbed.bench.NodeBenchmark "$@"
            ;;
        control)
            [ $# -eq 0 ] || [ "$*" = --json ] || usage_error "bench control takes --json only"
            need_mounts "the benchmark"
            need_control_plane >&2
            build_programs >&2 || return 1
            bench_control "$@"
            ;;
        engine)
            check_engine_options "$@"
            need_mounts "the benchmark"
            build_programs >&2 || return 1
            # Building the peer takes ten minutes: a job that is not there is told before.
            java_main testbed s3csi.testbed.bench.engine.Choice "$@"
            need_minio >&2
            need_peer >&2
            need_s3fs >&2
            java_main testbed s3csi.testbed.bench.engine.EngineBenchmark "$@"
            ;;
        *) usage_error "bench measures: control, engine, footprint, node" ;;
    esac
}
