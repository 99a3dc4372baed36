#!/usr/bin/env bash
# hold.sh DIRECTORY: the first process of a cluster, or of one of its nodes, in a pid namespace of its own. It takes in the processes whose
# parents have ended; when it dies, the kernel kills all of them, and with the last of them their mounts and their network are gone.
set -euo pipefail

# Mounts that were there before are copies here, and a copy of a FUSE mount would keep it alive after its owner has unmounted it.
while read -r _ _ _ _ target _; do
    umount --lazy "$(printf '%b' "$target")" || true
done < <(grep -E ' - fuse[. ]' /proc/self/mountinfo || true)

touch "$1/held"
while :; do
    sleep 3600 &
    wait "$!" || true
done
