#!/usr/bin/env bash
# step.sh COMMAND...: a command of the launcher in a shell of its own, where the first thing that fails ends it. In the launcher's own
# shell it would go on: bash does not end a function at a failure while a caller looks at its exit status, and every step's caller does.
set -euo pipefail

# shellcheck source=/dev/null
for part in common tools build image suites demo cluster/parts cluster/command; do source "$S3CSI_HOME/launcher/$part.sh"; done
"$@"
