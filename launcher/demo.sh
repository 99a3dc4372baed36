# The demo and the benchmarks.

run_demo() {
    [ $# -eq 0 ] || usage_error "demo takes no arguments"
    say "demo:"
    need_minio
    build_programs || return 1
    java_main testbed s3csi.testbed.demo.Demo
}

run_bench() {
    local what=${1:-}
    [ $# -eq 0 ] || shift
    case "$what" in
        footprint)
            [ $# -eq 0 ] || [ "$*" = --json ] || usage_error "bench footprint takes --json only"
            # With --json, nothing else may be printed.
            build_programs >&2 || return 1
            java_main testbed s3csi.testbed.bench.Footprint "$@"
            ;;
        engine)
            need_minio >&2
            need_peer >&2
            need_s3fs >&2
            build_programs >&2 || return 1
            java_main testbed s3csi.testbed.bench.engine.EngineBenchmark "$@"
            ;;
        *) usage_error "bench measures: engine, footprint" ;;
    esac
}
