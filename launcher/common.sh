# What every part of the launcher uses: words to the user, steps with their time, locks.

S3CSI_BUILD=$S3CSI_HOME/build
S3CSI_LOGS=$S3CSI_BUILD/log

# Services and containers may run without a home; Maven, Go and pip want one.
if [ -z "${HOME:-}" ]; then
    HOME=$(getent passwd "$(id -u)" | cut -d: -f6 || true)
    export HOME=${HOME:-$S3CSI_BUILD/home}
fi
export S3CSI_CACHE=${S3CSI_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/s3csi}

say() { printf '%s\n' "$*"; }
complain() { printf 's3csi: %s\n' "$*" >&2; }

usage_error() {
    complain "$1"
    complain "./s3csi help lists the commands"
    exit 2
}

# missing WHAT HOW: something is not on this machine and could not be installed.
missing() {
    complain "$1 is missing. $2"
    exit 3
}

# Before anything is built or fetched: the two folders that all of it goes to.
need_folders() {
    local folder
    for folder in "$S3CSI_LOGS" "$S3CSI_CACHE"; do
        if ! mkdir -p "$folder" 2>/dev/null || ! probe_folder "$folder"; then
            complain "$folder cannot be written to by $(id -un 2>/dev/null || id -u)$(owner_of "$folder")."
            complain "Remove it, run as its owner, or make room; the cache can also lie elsewhere: S3CSI_CACHE=FOLDER ./s3csi ..."
            exit 3
        fi
    done
}
# A folder on a full or read-only disk has the right modes all the same, so bytes are written.
probe_folder() { (set -e; echo probe >"$1/.probe.$$"; rm "$1/.probe.$$") 2>/dev/null; }
owner_of() { [ ! -e "$1" ] || printf '; it belongs to %s' "$(stat -c %U "$1")"; }

# step NAME TEXT COMMAND...: runs the command with its output in a log; one line with the time, the log's end on failure.
step() {
    local name=$1 text=$2 started=$SECONDS log pid status=0
    shift 2
    mkdir -p "$S3CSI_LOGS"
    log=$S3CSI_LOGS/$name.log
    printf '  %s ...\n' "$text"
    # In a session of its own, so that all of it ends when somebody presses Ctrl-C: background commands do not hear that.
    setsid "$S3CSI_HOME/launcher/step.sh" "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    # shellcheck disable=SC2064
    trap "kill -- -$pid 2>/dev/null; trap - INT TERM; kill -INT $$" INT TERM
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.2
        if [ $(((SECONDS - started) % 30)) -eq 29 ]; then
            printf '  %s ... %d s so far\n' "$text" "$((SECONDS - started + 1))"
            sleep 1
        fi
    done
    wait "$pid" || status=$?
    trap - INT TERM
    if [ "$status" -ne 0 ]; then
        complain "$text: failed after $((SECONDS - started)) s; the end of $log:"
        tail -n 60 "$log" >&2
        return "$status"
    fi
    printf '  %s: done (%d s)\n' "$text" "$((SECONDS - started))"
}

# Only one build at a time in a checkout; a second one waits and says so.
lock_checkout() {
    mkdir -p "$S3CSI_BUILD"
    exec 8>"$S3CSI_BUILD/.lock"
    if ! flock -n 8; then
        say "  waiting for another ./s3csi in this checkout"
        flock 8
    fi
}
unlock_checkout() { exec 8>&-; }
