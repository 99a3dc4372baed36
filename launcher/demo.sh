# The demo and the benchmarks.

# Whoever shows it mounts file systems.
need_mounts() {
    [ "$(id -u)" = 0 ] || missing "the right to mount" "$1 mounts file systems: run it as root."
    [ -c /dev/fuse ] || missing "/dev/fuse" "$1 mounts file systems: load the kernel module (modprobe fuse), or give the container the device."
    (: <>/dev/fuse) 2>/dev/null || missing "access to /dev/fuse" "$1 mounts file systems: the container or security policy must allow the device."
}

demo_main() { java_main testbed s3csi.testbed.demo.Demo "$S3CSI_BUILD/demo.lock" "$@"; }

run_demo() {
    case "$*" in
        --end)
            # Not built again: a demo that is kept runs from what was built then.
            [ -e "$S3CSI_BUILD/demo.lock" ] || { say "done: no demo runs, and nothing of one is left"; return; }
            use_jdk
            demo_main --end
            return
            ;;
        "" | --keep) ;;
        *) usage_error "demo takes --keep or --end" ;;
    esac
    need_mounts "the demo"
    say "demo:"
    need_minio
    build_programs || return 1
    if [ "$*" = --keep ]; then keep_demo; else demo_main; fi
}

# The demo stays behind us, with what a closing terminal sends ignored; we show what it says until all is mounted.
keep_demo() {
    local log=$S3CSI_LOGS/demo-kept.log shown=0 total demo
    mkdir -p "$S3CSI_LOGS"
    : >"$log"
    (trap '' HUP INT; demo_main --keep) >"$log" 2>&1 </dev/null &
    demo=$!
    while kill -0 "$demo" 2>/dev/null; do
        total=$(wc -l <"$log")
        sed -n "$((shown + 1)),${total}p" "$log"
        shown=$total
        ! grep -q '^\./s3csi demo --end ends it' "$log" || return 0
        sleep 0.1
    done
    tail -n +"$((shown + 1))" "$log" >&2
    return 1
}

run_bench() {
    local what=${1:-}
    [ $# -eq 0 ] || shift
    case "$what" in
        footprint)
            [ $# -eq 0 ] || [ "$*" = --json ] || usage_error "bench footprint takes --json only"
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
        engine)
            need_minio >&2
            need_peer >&2
            need_s3fs >&2
            build_programs >&2 || return 1
            java_main testbed s3csi.testbed.bench.engine.EngineBenchmark "$@"
            ;;
        *) usage_error "bench measures: engine, footprint, node" ;;
    esac
}
