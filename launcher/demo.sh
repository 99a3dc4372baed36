# The demo and the benchmarks.

run_demo() { complain "the demo comes with the driver"; exit 1; }
run_bench() { complain "there is nothing to measure yet"; exit 1; }
